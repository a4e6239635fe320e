// What another program sees in an SQLite file.
#pragma once

#include <sqlite3.h>

#include <string>
#include <vector>

namespace faultline::test {

// The first column of the rows; in the end, "error: ..." if there was one.
inline std::vector<std::string> query_sql(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  sqlite3_open(path.c_str(), &database);
  std::vector<std::string> found;
  char* error = nullptr;
  sqlite3_exec(
      database, sql.c_str(),
      [](void* into, int, char** values, char**) {
        static_cast<std::vector<std::string>*>(into)->emplace_back(values[0] ? values[0] : "NULL");
        return 0;
      },
      &found, &error);
  if (error != nullptr) found.push_back(std::string("error: ") + error);
  sqlite3_free(error);
  sqlite3_close(database);
  return found;
}

}  // namespace faultline::test
