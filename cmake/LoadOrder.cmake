# OpenImageIO depends on some 260 libraries. At each start, the loader searches one library after the other for 150,000 symbols, which
# takes two thirds of the time. Most symbols are in a few libraries at the far end, a third of them in OpenVDB. Linking those first
# makes a start about a third shorter (docs/decisions/038-order-of-libraries.md). All of them are loaded anyway.

# clconv_load_first(TARGET LIBRARY NAME...): programs that link TARGET link the libraries NAME... before all others, as far as the
# file LIBRARY depends on them.
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
