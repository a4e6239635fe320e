# faultline_module(PATH [FILES | RECURSE] [DEPENDS PATH...] [LINKS TARGET...])
#
# Makes the static library faultline_<path with _> from the folder's *.cc (an interface library where
# there is none; nothing at all where the folder is empty, so that a dependency that does not exist
# yet is skipped). main.cc is left out: it belongs to an executable.
#   RECURSE  takes the subfolders too.
#   FILES    PATH is no folder: the module is the files PATH*.h and PATH*.cc.
#
# The include rules are enforced here: the root of the project is never an include directory. Each
# module has a directory of its own in the build tree, in which a symbolic link stands at the module's
# path, and only those who depend on the module get that directory. A policy that includes
# models/faults does not compile.
function(faultline_module path)
  cmake_parse_arguments(PARSE_ARGV 1 arg "FILES;RECURSE" "" "DEPENDS;LINKS")
  string(REGEX REPLACE "[^a-zA-Z0-9]" "_" target "faultline_${path}")
  set(root "${CMAKE_SOURCE_DIR}")

  if(arg_FILES)
    set(patterns "${path}*")
  else()
    set(patterns "${path}/*")
  endif()
  set(glob GLOB)
  if(arg_RECURSE)
    set(glob GLOB_RECURSE)
  endif()
  file(${glob} headers CONFIGURE_DEPENDS RELATIVE "${root}" "${root}/${patterns}.h")
  file(${glob} sources CONFIGURE_DEPENDS "${root}/${patterns}.cc")
  list(FILTER sources EXCLUDE REGEX "/main\\.cc$")
  if(NOT headers AND NOT sources)
    return()
  endif()

  set(visible "${CMAKE_BINARY_DIR}/visible/${target}")
  if(arg_FILES)
    set(links ${headers})
  else()
    set(links "${path}")
  endif()
  foreach(link IN LISTS links)
    cmake_path(GET link PARENT_PATH parent)
    file(MAKE_DIRECTORY "${visible}/${parent}")
    file(CREATE_LINK "${root}/${link}" "${visible}/${link}" SYMBOLIC)
  endforeach()

  if(sources)
    add_library(${target} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope} "${visible}")
  target_compile_options(${target} ${scope} "-ffile-prefix-map=${visible}/=")
  foreach(dependency IN LISTS arg_DEPENDS)
    string(REGEX REPLACE "[^a-zA-Z0-9]" "_" dependency_target "faultline_${dependency}")
    if(TARGET ${dependency_target})
      target_link_libraries(${target} ${scope} ${dependency_target})
    endif()
  endforeach()
  target_link_libraries(${target} ${scope} ${arg_LINKS})
  set_property(GLOBAL APPEND PROPERTY FAULTLINE_MODULES ${target})
endfunction()
