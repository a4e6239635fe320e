#include "sim/lab/store/result_schema.h"

#include <fmt/format.h>

#include <cstdint>

#include "sim/scenario/diagnostics.h"

namespace faultline {
namespace {

constexpr std::int64_t kApplicationId = 0x464C544E;  // "FLTN"
constexpr std::int64_t kSchema = 2;

// Of schema 1; each further one adds to it, so that an older file is brought up to date.
constexpr const char* kSchema1 = R"(
CREATE TABLE scenario(
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  settings TEXT NOT NULL,
  text TEXT NOT NULL);
CREATE TABLE experiment(
  id INTEGER PRIMARY KEY,
  words TEXT NOT NULL,
  seed INTEGER NOT NULL,
  UNIQUE(words, seed));
CREATE TABLE share(
  experiment INTEGER NOT NULL REFERENCES experiment,
  count INTEGER NOT NULL,
  number INTEGER NOT NULL,
  PRIMARY KEY(experiment, count, number)) WITHOUT ROWID;
CREATE TABLE series(
  id INTEGER PRIMARY KEY,
  scenario INTEGER NOT NULL REFERENCES scenario,
  version TEXT NOT NULL,
  seed INTEGER NOT NULL,
  metrics TEXT NOT NULL,
  UNIQUE(scenario, version, seed));
CREATE TABLE replication(
  series INTEGER NOT NULL REFERENCES series,
  number INTEGER NOT NULL,
  metrics TEXT,
  failure TEXT,
  PRIMARY KEY(series, number),
  CHECK((metrics IS NULL) <> (failure IS NULL))) WITHOUT ROWID;
CREATE VIEW metric AS
SELECT scenario.name AS scenario, scenario.settings, scenario.hash, series.version, series.seed,
       replication.number AS replication, name.value AS metric,
       json_extract(replication.metrics, '$[' || name.key || ']') AS value
FROM scenario JOIN series ON series.scenario = scenario.id
     JOIN replication ON replication.series = series.id, json_each(series.metrics) AS name
WHERE replication.metrics IS NOT NULL;
)";
constexpr const char* kSchema2 = R"(
CREATE TABLE durations(
  series INTEGER NOT NULL REFERENCES series,
  number INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY(series, number));
)";

// An application id and a version of the schema say what a file is.
std::optional<std::string> wrong_kind(SqliteDatabase& database) {
  const std::int64_t id = database.number("PRAGMA application_id");
  const std::int64_t version = database.number("PRAGMA user_version");
  if (database.error()) return std::nullopt;
  if (id != kApplicationId) {
    return fmt::format("`{}` is a database, but no result store of faultline",
                       printable(database.path(), 200));
  }
  if (version > kSchema) {
    return fmt::format("`{}` is of a newer faultline (schema {}; this one knows {})",
                       printable(database.path(), 200), version, kSchema);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> make_or_check_schema(SqliteDatabase& database) {
  const bool is_new = database.number("SELECT count(*) FROM sqlite_schema") == 0 &&
                      database.number("PRAGMA application_id") == 0;
  if (is_new && !database.error()) {
    database.execute(kSchema1);
    database.execute(fmt::format("PRAGMA application_id = {}", kApplicationId).c_str());
  }
  if (auto wrong = wrong_kind(database)) return wrong;
  if (database.number("PRAGMA user_version") < kSchema) {
    database.execute(kSchema2);
    database.execute(fmt::format("PRAGMA user_version = {}", kSchema).c_str());
  }
  return std::nullopt;
}

std::optional<std::string> add_attached_store(SqliteDatabase& database,
                                              const std::string& other_path) {
  database.execute(R"(
INSERT OR IGNORE INTO scenario(hash, name, settings, text)
  SELECT hash, name, settings, text FROM other.scenario ORDER BY id;
INSERT OR IGNORE INTO experiment(words, seed)
  SELECT words, seed FROM other.experiment ORDER BY id;
INSERT OR IGNORE INTO share(experiment, count, number)
  SELECT mine.id, count, number
  FROM other.share JOIN other.experiment AS theirs ON theirs.id = share.experiment
       JOIN main.experiment AS mine USING(words, seed);
INSERT OR IGNORE INTO series(scenario, version, seed, metrics)
  SELECT mine.id, version, seed, metrics
  FROM other.series JOIN other.scenario AS theirs ON theirs.id = series.scenario
       JOIN main.scenario AS mine ON mine.hash = theirs.hash
  ORDER BY series.id;
CREATE TEMP TABLE incoming AS
  SELECT mine.id AS series, number, replication.metrics, failure, durations.text AS durations,
         scenario.name
  FROM other.replication LEFT JOIN other.durations USING(series, number)
       JOIN other.series AS theirs ON theirs.id = replication.series
       JOIN other.scenario ON scenario.id = theirs.scenario
       JOIN main.scenario AS same ON same.hash = scenario.hash
       JOIN main.series AS mine ON mine.scenario = same.id AND mine.version = theirs.version
                                   AND mine.seed = theirs.seed;)");
  for (const char* query : {"SELECT number, name FROM incoming JOIN main.replication "
                            "USING(series, number) WHERE incoming.metrics <> replication.metrics",
                            "SELECT number, name FROM incoming JOIN main.durations "
                            "USING(series, number) WHERE incoming.durations <> durations.text"}) {
    SqliteStatement differs = database.prepare(query);
    if (!differs.step()) continue;
    return fmt::format("replication {} of {} is not the same in `{}` and in what was merged before",
                       differs.number(0), differs.text(1), printable(other_path, 200));
  }
  database.execute(R"(
INSERT INTO main.replication(series, number, metrics, failure)
  SELECT series, number, metrics, failure FROM incoming WHERE true ORDER BY series, number
  ON CONFLICT DO UPDATE SET metrics = excluded.metrics, failure = NULL
  WHERE replication.metrics IS NULL AND excluded.metrics IS NOT NULL;
INSERT OR IGNORE INTO main.durations(series, number, text)
  SELECT series, number, durations FROM incoming WHERE durations IS NOT NULL
  ORDER BY series, number;
DROP TABLE incoming;)");
  return std::nullopt;
}

}  // namespace faultline
