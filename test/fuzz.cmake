# Each test/fuzz/NAME_fuzz.cc is a libFuzzer target. Its seeds are the files in test/fuzz/NAME/ (if
# that folder exists) and the project's own YAML files.
get_property(modules GLOBAL PROPERTY FAULTLINE_MODULES)
set(FAULTLINE_FUZZ_SECONDS 60 CACHE STRING "How long each fuzz target runs")
file(GLOB sources CONFIGURE_DEPENDS "fuzz/*_fuzz.cc")
foreach(source IN LISTS sources)
  cmake_path(GET source STEM stem)
  string(REGEX REPLACE "_fuzz$" "" name "${stem}")
  add_executable(${stem} ${source})
  target_link_libraries(${stem} PRIVATE ${modules})
  target_link_options(${stem} PRIVATE -fsanitize=fuzzer)
  set(corpus "${CMAKE_CURRENT_BINARY_DIR}/${stem}.corpus")
  file(MAKE_DIRECTORY "${corpus}")
  set(seeds "${CMAKE_SOURCE_DIR}/traces" "${CMAKE_SOURCE_DIR}/policies")
  if(IS_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/fuzz/${name}")
    list(APPEND seeds "${CMAKE_CURRENT_SOURCE_DIR}/fuzz/${name}")
  endif()
  add_test(NAME fuzz/${name} COMMAND ${stem} -max_total_time=${FAULTLINE_FUZZ_SECONDS} -timeout=10
           -rss_limit_mb=2048 -max_len=8192 -verbosity=0 -print_final_stats=1
           "-artifact_prefix=${CMAKE_CURRENT_BINARY_DIR}/" "${corpus}" ${seeds})
  set_tests_properties(fuzz/${name} PROPERTIES LABELS slow ENVIRONMENT
                       "FAULTLINE_HOME=${CMAKE_SOURCE_DIR}")
endforeach()
