# Writes OUTPUT, which CTest reads: a test PREFIX/SUITE for each suite of PROGRAM's tests, labelled LABEL.
# A program's start costs some tests more than they take by themselves: PoCL loads its compiler (0.7 s a test), OpenImageIO
# what it reads files with (0.25 s). So the tests of a suite share one. COST is what CTest begins with: the suites of most tests,
# and before them those on a device, where PoCL compiles what they run and some take a minute and more.
execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE " *#[^\n]*" "" lines "${lines}") # parameters
string(REGEX REPLACE "\n" ";" lines "${lines}")
set(text "")
set(suite "")
set(count 0)
set(begins 0)
if(LABEL STREQUAL "device")
  set(begins 100)
endif()
macro(finish_suite)
  if(count)
    math(EXPR cost "${begins} + ${count}")
    string(APPEND text "add_test([=[${PREFIX}/${suite}]=] [=[${PROGRAM}]=] [=[--gtest_filter=${suite}.*]=])\n"
           "set_tests_properties([=[${PREFIX}/${suite}]=] PROPERTIES LABELS ${LABEL} COST ${cost})\n")
  endif()
  set(count 0)
endmacro()
foreach(line ${lines})
  if(line MATCHES "^  [^ ]")
    math(EXPR count "${count} + 1")
  elseif(line MATCHES "^([A-Za-z0-9_/]+)\\.$")
    finish_suite()
    set(suite ${CMAKE_MATCH_1})
  elseif(NOT line MATCHES "^Running main")
    message(FATAL_ERROR "DiscoverSuites: ${PROGRAM} --gtest_list_tests says '${line}'")
  endif()
endforeach()
finish_suite()
file(WRITE ${OUTPUT} "${text}")
