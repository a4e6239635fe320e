#include "sim/lab/store/result_store.h"

#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <utility>

#include "sim/lab/store/lock_holder.h"
#include "sim/lab/store/result_schema.h"
#include "sim/lab/store/sqlite.h"
#include "sim/lab/store/store_rows.h"
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
                                                  std::uint32_t limit, std::uint32_t first) const {
  Rows rows;
  const auto series = database_->find_series(point, seed);
  SqliteStatement select = database_->sql().prepare(
      "SELECT number, metrics FROM replication "
      "WHERE series = ? AND number >= ? AND number < ? AND metrics IS NOT NULL ORDER BY number");
  select.bind(series.value_or(0)).bind(first).bind(limit);
  while (select.step()) {
    auto values = row_from_text(select.text(1));
    if (!values || values->size() != point.metrics().size()) {
      return tl::unexpected(fmt::format("`{}` is damaged: the metrics of replication {} of {}",
                                        printable(path(), 200), select.number(0),
                                        point.scenario().name));
    }
    rows.finished.push_back(static_cast<std::uint32_t>(select.number(0)));
    rows.values.push_back(std::move(*values));
  }
  if (const auto error = database_->take_error()) return tl::unexpected(*error);
  return rows;
}

tl::expected<void, std::string> ResultStore::add(const Point& point, std::uint64_t seed,
                                                 const Rows& rows) {
  return database_->transaction([&]() -> std::optional<std::string> {
    const std::int64_t series = database_->series(point, seed);
    SqliteStatement insert = database_->sql().prepare(
        "INSERT INTO replication(series, number, metrics) VALUES(?, ?, ?) "
        "ON CONFLICT DO UPDATE SET metrics = excluded.metrics, failure = NULL "
        "WHERE metrics IS NULL");
    for (std::size_t i = 0; i < rows.finished.size(); ++i) {
      insert.bind(series).bind(rows.finished[i]).bind(row_to_text(rows.values[i])).step();
      insert.reset();
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
  std::error_code ignored;
  if (!std::filesystem::exists(other_path, ignored)) {
    return tl::unexpected(fmt::format("there is no file `{}`", printable(other_path, 200)));
  }
  // Opened once for its checks, and for who holds it.
  if (auto other = open(other_path); !other) return tl::unexpected(other.error());
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
