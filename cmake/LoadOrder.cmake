# OpenImageIO brings some 260 libraries along, and the loader looks for each of their 150,000 symbols in one library after the
# other until it finds it. Two thirds of the time in which clconv starts go by with that. Most symbols are found in a few libraries
# that stand far behind, among them OpenVDB's with a third. Those are linked first, which makes each start about a quarter
# shorter (docs/decisions/038-order-of-libraries.md). Nothing else changes: only libraries that are loaded anyway are named.

# clconv_load_first(TARGET LIBRARY NAME...): what links TARGET also links those of NAME... that LIBRARY, a file, depends on,
# before anything else.
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
