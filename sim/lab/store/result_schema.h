// The tables of a result store, and what is done to all of them at once. The schema is documented in
// sim/lab/MODEL.md.
//
// Both functions run inside a transaction of the caller and answer the sentence of what is wrong, or
// nothing; SQLite's own errors stay with the database.
//
// Thread rule: one thread at a time.
#pragma once

#include <optional>
#include <string>

#include "sim/lab/store/sqlite.h"

namespace faultline {

// Makes the tables in a file that is new; of another one, checks that it is a store that this version reads.
std::optional<std::string> make_or_check_schema(SqliteDatabase& database);

// Adds everything of the store that is attached as `other` and came from `other_path`. The same row twice is
// one row; two different results of one replication are an error.
std::optional<std::string> add_attached_store(SqliteDatabase& database,
                                              const std::string& other_path);

}  // namespace faultline
