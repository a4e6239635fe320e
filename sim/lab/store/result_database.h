// The inside of a ResultStore: its connection, transactions, and the keys of its series.
//
// Thread rule: one thread at a time. Included by result_store.cc alone.
#pragma once

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "sim/lab/store/lock_holder.h"
#include "sim/lab/store/result_store.h"
#include "sim/lab/store/sqlite.h"
#include "sim/lab/store/version.h"
#include "sim/scenario/diagnostics.h"

namespace faultline {

class ResultStore::Database {
 public:
  Database(const std::string& path, std::chrono::milliseconds patience) : sql_(path, patience) {}

  SqliteDatabase& sql() { return sql_; }
  const SqliteDatabase& sql() const { return sql_; }

  // Does `work` in one transaction; its error, or SQLite's.
  template <class Work>
  tl::expected<void, std::string> transaction(Work work) {
    sql_.execute("BEGIN IMMEDIATE");
    std::optional<std::string> problem = work();
    if (!problem) sql_.execute("COMMIT");
    if (!problem) problem = take_error();
    if (!problem) return {};
    series_.clear();  // some may be gone with the transaction
    sql_.execute("ROLLBACK");
    sql_.forget_error();
    return tl::unexpected(*problem);
  }

  std::optional<std::string> take_error() {
    std::optional<std::string> error = sql_.error();
    sql_.forget_error();
    if (error && sql_.busy()) {
      return fmt::format("`{}` is in use by {}", printable(sql_.path(), 200),
                         lock_holder(sql_.path()));
    }
    return error;
  }

  // The replications of a point with this seed by this version of the engine; nothing if there are none.
  std::optional<std::int64_t> find_series(const Point& point, std::uint64_t seed) {
    SqliteStatement find = sql_.prepare(
        "SELECT series.id FROM series JOIN scenario ON scenario.id = series.scenario "
        "WHERE scenario.hash = ? AND series.version = ? AND series.seed = ?");
    find.bind(point.hash()).bind(engine_version()).bind(static_cast<std::int64_t>(seed));
    if (!find.step()) return std::nullopt;
    return find.number(0);
  }

  std::int64_t series(const Point& point, std::uint64_t seed) {
    const auto [known, is_new] = series_.try_emplace({point.hash(), seed}, 0);
    if (is_new) known->second = find_series(point, seed).value_or(0);
    if (known->second == 0) known->second = make_series(point, seed);
    return known->second;
  }

  std::string json_words(const Experiment& experiment) {
    return json_array(experiment.words, [](const std::string& word) { return word; });
  }

  // A JSON array of texts.
  template <class Texts, class TextOf>
  std::string json_array(const Texts& texts, TextOf text_of) {
    std::string array = "[]";
    SqliteStatement insert = sql_.prepare("SELECT json_insert(?, '$[#]', ?)");
    for (const auto& text : texts) {
      insert.bind(array).bind(text_of(text));
      if (insert.step()) array = insert.text(0);
      insert.reset();
    }
    return array;
  }

 private:
  std::int64_t make_series(const Point& point, std::uint64_t seed) {
    sql_.prepare("INSERT OR IGNORE INTO scenario(hash, name, settings, text) VALUES(?, ?, ?, ?)")
        .bind(point.hash())
        .bind(point.scenario().name)
        .bind(point.settings())
        .bind(point.text())
        .step();
    const std::string metrics =
        json_array(point.metrics(), [](const MetricName& name) { return name.text(); });
    sql_.prepare(
            "INSERT INTO series(scenario, version, seed, metrics) "
            "SELECT id, ?, ?, ? FROM scenario WHERE hash = ?")
        .bind(engine_version())
        .bind(static_cast<std::int64_t>(seed))
        .bind(metrics)
        .bind(point.hash())
        .step();
    return sql_.number("SELECT last_insert_rowid()");
  }

  SqliteDatabase sql_;
  std::map<std::pair<std::string, std::uint64_t>, std::int64_t> series_;
};

}  // namespace faultline
