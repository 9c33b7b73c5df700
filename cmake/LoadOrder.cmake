# SPDX-License-Identifier: Apache-2.0
# Debian's OpenImageIO depends on some 260 libraries. At each start, the loader would search one after the other for 150,000 symbols,
# which takes two thirds of the time (docs/decisions/038-order-of-libraries.md).

# clconv_load_first(TARGET LIBRARY NAME...): programs that link TARGET link the libraries NAME... before all others, as far as the
# file LIBRARY depends on them. For those that hold most symbols, a third of them OpenVDB. All of them are loaded anyway.
function(clconv_load_first target library)
  if(CMAKE_CROSSCOMPILING OR NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
    return()
  endif()
  execute_process(COMMAND ldd ${library} OUTPUT_VARIABLE loaded ERROR_QUIET)
  set(first "")
  foreach(name ${ARGN})
    if(loaded MATCHES "=> ([^ \n]*/lib${name}[-.0-9]*\\.so[.0-9]*) ")
      list(APPEND first ${CMAKE_MATCH_1})
    endif()
  endforeach()
  if(first)
    target_link_options(${target} INTERFACE LINKER:--push-state,--no-as-needed ${first} LINKER:--pop-state)
  endif()
endfunction()
