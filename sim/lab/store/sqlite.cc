#include "sim/lab/store/sqlite.h"

#include <fmt/format.h>

#include <cstring>

#include "models/base/check.h"
#include "sim/scenario/diagnostics.h"

namespace faultline {

SqliteStatement& SqliteStatement::bind(std::string_view text) {
  if (statement_ != nullptr) {
    sqlite3_bind_text64(statement_.get(), ++bound_, text.data(), text.size(), SQLITE_TRANSIENT,
                        SQLITE_UTF8);
  }
  return *this;
}

SqliteStatement& SqliteStatement::bind(std::int64_t number) {
  if (statement_ != nullptr) sqlite3_bind_int64(statement_.get(), ++bound_, number);
  return *this;
}

bool SqliteStatement::step() {
  if (statement_ == nullptr || database_->error_) return false;
  const int code = sqlite3_step(statement_.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE) database_->fail(code);
  return code == SQLITE_ROW;
}

void SqliteStatement::reset() {
  if (statement_ != nullptr) sqlite3_reset(statement_.get());
  bound_ = 0;
}

bool SqliteStatement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

std::int64_t SqliteStatement::number(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

double SqliteStatement::real(int column) const {
  return sqlite3_column_double(statement_.get(), column);
}

std::string_view SqliteStatement::text(int column) const {
  const auto* const text =
      reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  if (text == nullptr) return {};
  return {text, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

SqliteDatabase::SqliteDatabase(std::string path, std::chrono::milliseconds patience)
    : path_(std::move(path)) {
  sqlite3* database = nullptr;
  const int code = sqlite3_open_v2(path_.c_str(), &database,
                                   SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  database_.reset(database);
  if (code != SQLITE_OK) fail(code);
  sqlite3_extended_result_codes(database, 1);
  sqlite3_busy_timeout(database, static_cast<int>(patience.count()));
}

SqliteStatement SqliteDatabase::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  if (!error_) {
    const int code = sqlite3_prepare_v2(database_.get(), sql.data(), static_cast<int>(sql.size()),
                                        &statement, nullptr);
    if (code != SQLITE_OK) fail(code);
  }
  return {*this, statement};
}

void SqliteDatabase::execute(const char* sql) {
  if (error_) return;
  const int code = sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

std::int64_t SqliteDatabase::number(std::string_view sql) {
  SqliteStatement statement = prepare(sql);
  return statement.step() ? statement.number(0) : 0;
}

void SqliteDatabase::fail(int code) {
  const int kind = code & 0xFF;
  FAULTLINE_CHECK(kind != SQLITE_MISUSE, "SQLite: {}", sqlite3_errmsg(database_.get()));
  const int system = sqlite3_system_errno(database_.get());
  const bool has_reason = system != 0 && (kind == SQLITE_CANTOPEN || kind == SQLITE_IOERR);
  busy_ = kind == SQLITE_BUSY;
  error_ =
      fmt::format("cannot use `{}`: {}{}", printable(path_, 200), sqlite3_errmsg(database_.get()),
                  has_reason ? fmt::format(" ({})", std::strerror(system)) : "");
}

}  // namespace faultline
