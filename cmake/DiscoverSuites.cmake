# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT, which CTest reads: a test PREFIX/SUITE for each suite of PROGRAM's tests, labelled LABEL; one test PREFIX/all of
# all suites if TOGETHER.
#
# The tests of a suite share one start of the program, because a start takes longer than many tests: PoCL loads its compiler
# (0.7 s), and OpenImageIO its libraries (0.1 s). CTest begins with the tests of the highest COST. These are suites on a
# device, where PoCL compiles and some take more than a minute, and then suites of many tests.
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
macro(add_suite)
  math(EXPR cost "${begins} + ${count}")
  string(APPEND text "add_test([=[${PREFIX}/${suite}]=] [=[${PROGRAM}]=] [=[--gtest_filter=${filter}]=])\n"
         "set_tests_properties([=[${PREFIX}/${suite}]=] PROPERTIES LABELS ${LABEL} COST ${cost})\n")
endmacro()
macro(finish_suite)
  if(count AND NOT TOGETHER)
    set(filter "${suite}.*")
    add_suite()
    set(count 0)
  endif()
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
if(TOGETHER)
  set(suite all)
  set(filter *)
  add_suite()
endif()
file(WRITE ${OUTPUT} "${text}")
