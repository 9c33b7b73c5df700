# SPDX-License-Identifier: Apache-2.0
# Debian's OpenImageIO depends on some 260 libraries. When they are loaded, the loader searches one after the other for 150,000
# symbols (docs/decisions/043-module-of-image-files.md, 052-shorter-starts.md).

# clconv_loaded_first(VARIABLE LIBRARY NAME...): the file names of the libraries NAME... as far as the file LIBRARY depends on them,
# in this order, as a list in C++: "liba.so.1", "libb.so.2",
function(clconv_loaded_first variable library)
  set(${variable} "" PARENT_SCOPE)
  if(CMAKE_CROSSCOMPILING OR NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
    return()
  endif()
  execute_process(COMMAND ldd ${library} OUTPUT_VARIABLE loaded ERROR_QUIET)
  set(first "")
  foreach(name ${ARGN})
    if(loaded MATCHES "(lib${name}[-.0-9]*\\.so[.0-9]*) => /")
      string(APPEND first "\"${CMAKE_MATCH_1}\",")
    endif()
  endforeach()
  set(${variable} ${first} PARENT_SCOPE)
endfunction()

# clconv_formats_of_library(TARGET): compiles the list of OpenImageIO's formats into TARGET (src/codecs/library_formats.h).
function(clconv_formats_of_library target)
  add_executable(list_formats ${PROJECT_SOURCE_DIR}/src/openimageio/list_formats_main.cpp)
  target_link_libraries(list_formats PRIVATE clconv_options OpenImageIO::OpenImageIO fmt::fmt)
  set(output ${PROJECT_BINARY_DIR}/library_formats.cpp)
  add_custom_command(OUTPUT ${output} COMMAND list_formats ${output} DEPENDS list_formats VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
