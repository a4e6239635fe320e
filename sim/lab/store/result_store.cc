#include "sim/lab/store/result_store.h"

#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <utility>

#include "sim/lab/durations_text.h"
#include "sim/lab/store/result_database.h"
#include "sim/lab/store/result_schema.h"
#include "sim/lab/store/store_rows.h"
#include "sim/scenario/diagnostics.h"

namespace faultline {

ResultStore::ResultStore(std::unique_ptr<Database> database) : database_(std::move(database)) {}
ResultStore::ResultStore(ResultStore&&) noexcept = default;
ResultStore& ResultStore::operator=(ResultStore&&) noexcept = default;
ResultStore::~ResultStore() = default;

const std::string& ResultStore::path() const { return database_->sql().path(); }

tl::expected<ResultStore, std::string> ResultStore::open(const std::string& path,
                                                         std::chrono::milliseconds patience) {
  auto database = std::make_unique<Database>(path, patience);
  SqliteDatabase& sql = database->sql();
  // Exclusive: the lock is held until the end, and WAL needs no shared memory, so a store can be on a network
  // file system. NORMAL: a killed process loses nothing that was committed; a power cut may take the last
  // transactions, which are then run again, but leaves the file whole.
  sql.execute(
      "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; "
      "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON");
  if (const auto error = database->take_error()) return tl::unexpected(*error);
  const auto made = database->transaction([&] { return make_or_check_schema(sql); });
  if (!made) return tl::unexpected(made.error());
  return ResultStore(std::move(database));
}

tl::expected<ResultStore, std::string> ResultStore::open_existing(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::exists(path, none)) {
    return tl::unexpected(fmt::format("there is no file `{}`", printable(path, 200)));
  }
  if (std::filesystem::file_size(path, none) == 0) {
    return tl::unexpected(
        fmt::format("`{}` is empty, so it is no result store", printable(path, 200)));
  }
  return open(path);
}

tl::expected<void, std::string> ResultStore::remember(const Experiment& experiment, Shard share) {
  return database_->transaction([&]() -> std::optional<std::string> {
    const std::string words = database_->json_words(experiment);
    const auto seed = static_cast<std::int64_t>(experiment.seed);
    database_->sql()
        .prepare("INSERT OR IGNORE INTO experiment(words, seed) VALUES(?, ?)")
        .bind(words)
        .bind(seed)
        .step();
    database_->sql()
        .prepare(
            "INSERT OR IGNORE INTO share(experiment, count, number) "
            "SELECT id, ?, ? FROM experiment WHERE words = ? AND seed = ?")
        .bind(share.count)
        .bind(share.number)
        .bind(words)
        .bind(seed)
        .step();
    return std::nullopt;
  });
}

tl::expected<std::vector<Shard>, std::string> ResultStore::shares(
    const Experiment& experiment) const {
  std::vector<Shard> shares;
  SqliteStatement select = database_->sql().prepare(
      "SELECT number, count FROM share JOIN experiment ON experiment.id = share.experiment "
      "WHERE words = ? AND seed = ? ORDER BY count, number");
  select.bind(database_->json_words(experiment)).bind(static_cast<std::int64_t>(experiment.seed));
  while (select.step()) {
    shares.push_back({.number = static_cast<std::uint32_t>(select.number(0)),
                      .count = static_cast<std::uint32_t>(select.number(1))});
  }
  if (const auto error = database_->take_error()) return tl::unexpected(*error);
  return shares;
}

tl::expected<std::vector<ResultStore::Experiment>, std::string> ResultStore::experiments() const {
  std::vector<Experiment> experiments;
  std::int64_t last = 0;
  SqliteStatement select = database_->sql().prepare(
      "SELECT experiment.id, seed, word.value FROM experiment, json_each(words) AS word "
      "ORDER BY experiment.id, word.key");
  while (select.step()) {
    if (experiments.empty() || select.number(0) != last) {
      experiments.push_back({.words = {}, .seed = static_cast<std::uint64_t>(select.number(1))});
    }
    last = select.number(0);
    experiments.back().words.emplace_back(select.text(2));
  }
  if (const auto error = database_->take_error()) return tl::unexpected(*error);
  return experiments;
}

tl::expected<std::vector<std::string>, std::string> ResultStore::versions() const {
  std::vector<std::string> versions;
  SqliteStatement select =
      database_->sql().prepare("SELECT DISTINCT version FROM series ORDER BY version");
  while (select.step()) versions.emplace_back(select.text(0));
  if (const auto error = database_->take_error()) return tl::unexpected(*error);
  return versions;
}

tl::expected<Rows, std::string> ResultStore::rows(const Point& point, std::uint64_t seed,
                                                  std::uint32_t limit, std::uint32_t first,
                                                  PooledDurations* pooled) const {
  Rows rows;
  const auto series = database_->find_series(point, seed);
  SqliteStatement select = database_->sql().prepare(
      fmt::format("SELECT number, metrics{} WHERE series = ? AND number >= ? AND number < ? "
                  "AND metrics IS NOT NULL ORDER BY number",
                  pooled == nullptr ? " FROM replication"
                                    : ", durations.text FROM replication JOIN durations "
                                      "USING(series, number)"));
  select.bind(series.value_or(0)).bind(first).bind(limit);
  const auto damaged = [&](const char* what) {
    return tl::unexpected(fmt::format("`{}` is damaged: the {} of replication {} of {}",
                                      printable(path(), 200), what, select.number(0),
                                      point.scenario().name));
  };
  while (select.step()) {
    auto values = row_from_text(select.text(1));
    if (!values || values->size() != point.metrics().size()) return damaged("metrics");
    if (pooled != nullptr && !add_durations(*pooled, select.text(2))) return damaged("durations");
    rows.finished.push_back(static_cast<std::uint32_t>(select.number(0)));
    rows.values.push_back(std::move(*values));
  }
  if (const auto error = database_->take_error()) return tl::unexpected(*error);
  return rows;
}

tl::expected<void, std::string> ResultStore::add(const Point& point, std::uint64_t seed,
                                                 const Rows& rows,
                                                 const std::vector<std::string>& durations) {
  return database_->transaction([&]() -> std::optional<std::string> {
    const std::int64_t series = database_->series(point, seed);
    SqliteStatement insert = database_->sql().prepare(
        "INSERT INTO replication(series, number, metrics) VALUES(?, ?, ?) "
        "ON CONFLICT DO UPDATE SET metrics = excluded.metrics, failure = NULL "
        "WHERE metrics IS NULL");
    SqliteStatement insert_durations = database_->sql().prepare(
        "INSERT OR IGNORE INTO durations(series, number, text) VALUES(?, ?, ?)");
    for (std::size_t i = 0; i < rows.finished.size(); ++i) {
      insert.bind(series).bind(rows.finished[i]).bind(row_to_text(rows.values[i])).step();
      insert.reset();
      if (durations.empty()) continue;
      insert_durations.bind(series).bind(rows.finished[i]).bind(durations[i]).step();
      insert_durations.reset();
    }
    return std::nullopt;
  });
}

tl::expected<void, std::string> ResultStore::add_failure(const Point& point, std::uint64_t seed,
                                                         std::uint32_t replication,
                                                         const std::string& what) {
  return database_->transaction([&]() -> std::optional<std::string> {
    database_->sql()
        .prepare("INSERT OR IGNORE INTO replication(series, number, failure) VALUES(?, ?, ?)")
        .bind(database_->series(point, seed))
        .bind(replication)
        .bind(what)
        .step();
    return std::nullopt;
  });
}

tl::expected<void, std::string> ResultStore::merge(const std::string& other_path) {
  // Opened once for its checks, and for who holds it.
  if (auto other = open_existing(other_path); !other) return tl::unexpected(other.error());
  SqliteDatabase& sql = database_->sql();
  sql.prepare("ATTACH ? AS other").bind(other_path).step();
  auto merged = database_->transaction([&] { return add_attached_store(sql, other_path); });
  sql.execute("DETACH other");
  sql.forget_error();
  return merged;
}

tl::expected<void, std::string> ResultStore::for_each_value(
    const std::function<void(const Value& value)>& use) const {
  SqliteDatabase& sql = database_->sql();
  SqliteStatement series = sql.prepare(
      "SELECT series.id, name, settings, hash, version, seed, metrics "
      "FROM series JOIN scenario ON scenario.id = series.scenario "
      "ORDER BY scenario.id, version, seed");
  while (series.step()) {
    std::vector<std::string> metrics;
    SqliteStatement name = sql.prepare("SELECT value FROM json_each(?) ORDER BY key");
    name.bind(series.text(6));
    while (name.step()) metrics.emplace_back(name.text(0));
    Value value{.scenario = series.text(1),
                .settings = series.text(2),
                .hash = series.text(3),
                .version = series.text(4),
                .seed = static_cast<std::uint64_t>(series.number(5))};
    SqliteStatement row = sql.prepare(
        "SELECT number, metrics FROM replication WHERE series = ? AND metrics IS NOT NULL "
        "ORDER BY number");
    row.bind(series.number(0));
    while (row.step()) {
      value.replication = static_cast<std::uint32_t>(row.number(0));
      const auto values = row_from_text(row.text(1));
      if (!values || values->size() != metrics.size()) {
        return tl::unexpected(fmt::format("`{}` is damaged: the metrics of replication {} of {}",
                                          printable(path(), 200), value.replication,
                                          value.scenario));
      }
      for (std::size_t m = 0; m < metrics.size(); ++m) {
        value.metric = metrics[m];
        value.value = (*values)[m];
        use(value);
      }
    }
  }
  if (const auto error = database_->take_error()) return tl::unexpected(*error);
  return {};
}

}  // namespace faultline
