# cmake -D OUTPUT=FILE -D SOURCE_DIR=DIR -P engine_version.cmake FILE...
#
# Writes the definition of engine_version() (sim/lab/store/version.h). The fingerprint is the first 12 digits of a
# SHA-1 over the names and contents of the files.
set(all "")
math(EXPR last "${CMAKE_ARGC} - 1")
set(is_file OFF)
foreach(i RANGE ${last})
  if(is_file)
    file(SHA1 "${SOURCE_DIR}/${CMAKE_ARGV${i}}" sha1)
    string(APPEND all "${CMAKE_ARGV${i}} ${sha1}\n")
  elseif(CMAKE_ARGV${i} MATCHES "engine_version\\.cmake$")
    set(is_file ON)
  endif()
endforeach()
string(SHA1 sha1 "${all}")
string(SUBSTRING "${sha1}" 0 12 fingerprint)
file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT [[
#include "sim/lab/store/version.h"

namespace faultline {

std::string engine_version() { return std::string(kVersion) + "-@fingerprint@"; }

}  // namespace faultline
]])
