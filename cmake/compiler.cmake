# How every file of the project is compiled. Results must be bit-identical for g++ and clang++, Debug
# and Release: no contraction to fused multiply-add, no fast math, no -march.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_compile_options(
  -ffp-contract=off
  "-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=" # no path of this machine in the binary
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow
  -Wno-missing-field-initializers # what a braced list leaves out has its default
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized> # false alarms on std::optional, std::variant
  $<$<BOOL:${FAULTLINE_WERROR}>:-Werror>)

if(FAULTLINE_SANITIZE)
  add_compile_options(-fsanitize=${FAULTLINE_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${FAULTLINE_SANITIZE})
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE}")
endif()
