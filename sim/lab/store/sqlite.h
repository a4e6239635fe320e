// SQLite, as far as a result store needs it: a connection and prepared statements that clean up behind them.
//
//   auto statement = database.prepare("SELECT text FROM scenario WHERE hash = ?");
//   statement.bind(hash);
//   while (statement.step()) use(statement.text(0));
//
// Errors: after the first one, every further call does nothing and `error()` says what it was ("cannot
// use `x.db`: database or disk is full"), so a caller asks once, at the end of what belongs together.
//
// Thread rule: one thread at a time.
#pragma once

#include <sqlite3.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace faultline {

class SqliteDatabase;

class SqliteStatement {
 public:
  // Binds the next parameter, from the first one on.
  SqliteStatement& bind(std::string_view text);
  SqliteStatement& bind(std::int64_t number);
  // The next row; false after the last one, and after an error.
  bool step();
  // To be bound and stepped again.
  void reset();

  // Of the row that `step` found.
  bool is_null(int column) const;
  std::int64_t number(int column) const;
  double real(int column) const;
  std::string_view text(int column) const;  // until the next step

 private:
  friend class SqliteDatabase;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  SqliteStatement(SqliteDatabase& database, sqlite3_stmt* statement)
      : database_(&database), statement_(statement) {}

  SqliteDatabase* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;  // null after an error
  int bound_ = 0;
};

class SqliteDatabase {
 public:
  // Makes the file if it does not exist. `patience`: how long a call waits for another process.
  SqliteDatabase(std::string path, std::chrono::milliseconds patience);
  SqliteDatabase(const SqliteDatabase&) = delete;
  SqliteDatabase& operator=(const SqliteDatabase&) = delete;
  ~SqliteDatabase() = default;

  SqliteStatement prepare(std::string_view sql);
  // One or more statements without parameters and results.
  void execute(const char* sql);
  // The first value of the first row.
  std::int64_t number(std::string_view sql);

  const std::string& path() const { return path_; }
  const std::optional<std::string>& error() const { return error_; }
  // Another process holds the file.
  bool busy() const { return busy_; }
  // Forgets an error, for what must be tried all the same (ROLLBACK).
  void forget_error() { error_.reset(); }

 private:
  friend class SqliteStatement;
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
  };
  void fail(int code);

  std::string path_;
  std::unique_ptr<sqlite3, Close> database_;
  std::optional<std::string> error_;
  bool busy_ = false;
};

}  // namespace faultline
