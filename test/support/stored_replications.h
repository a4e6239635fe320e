// What a result store holds while a program is writing to it, or after that was killed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "test/support/query_sql.h"
#include "test/support/temporary_folder.h"

namespace faultline::test {

// SQLite's log of a file begins with these bytes, which change whenever it is written from its start again.
inline std::string log_header(const std::string& store) {
  std::string header(32, '\0');
  std::ifstream(store + "-wal", std::ios::binary).read(header.data(), 32);
  return header;
}

// The replications below `limit` that are finished and committed, of all points.
//
// Who writes to a store has it alone, so a copy is asked: the file, and then its log. Whatever was moved from the
// log into the file meanwhile is still in the log, unless that was begun anew: then the two do not belong together,
// and nothing is known (0), as it is of a store that does not exist yet.
inline int stored_replications(const std::string& store,
                               std::int64_t limit = std::numeric_limits<std::int64_t>::max()) {
  const TemporaryFolder folder;
  const std::string copy = folder.file("copy.db");
  const std::string header = log_header(store);
  std::error_code missing;
  std::filesystem::copy_file(store, copy, missing);
  std::filesystem::copy_file(store + "-wal", copy + "-wal", missing);
  if (log_header(copy) != header) return 0;
  const auto count =
      query_sql(copy, "SELECT count(*) FROM replication WHERE metrics IS NOT NULL AND number < " +
                          std::to_string(limit));
  return count.empty() || count.front().starts_with("error") ? 0 : std::stoi(count.front());
}

}  // namespace faultline::test
