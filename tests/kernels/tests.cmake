# SPDX-License-Identifier: Apache-2.0
# Kernels watched by Oclgrind, and the program that writes the kernels' texts for scripts/check-kernels.
add_executable(kernel_races ${CMAKE_CURRENT_LIST_DIR}/races_test.cpp)
target_include_directories(kernel_races PRIVATE ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(kernel_races PRIVATE clconv_engine GTest::gtest_main)
set(watched ${CMAKE_CURRENT_LIST_DIR}/under-oclgrind $<TARGET_FILE:kernel_races>)
add_test(NAME kernels/races COMMAND ${watched})
add_test(NAME kernels/a_race_is_found COMMAND ${watched} --gtest_filter=*ARaceIsFound --gtest_also_run_disabled_tests)
if(TARGET clconv)
  add_test(NAME kernels/selftest COMMAND ${CMAKE_CURRENT_LIST_DIR}/under-oclgrind $<TARGET_FILE:clconv> selftest --quick)
  set_tests_properties(kernels/selftest PROPERTIES LABELS device SKIP_RETURN_CODE 77 COST 50)
endif()
set_tests_properties(kernels/races kernels/a_race_is_found PROPERTIES LABELS device SKIP_RETURN_CODE 77)
# The longest of all, one thread: begun last, it would run when the others have ended.
set_tests_properties(kernels/races PROPERTIES COST 1000)
set_tests_properties(kernels/a_race_is_found PROPERTIES PASS_REGULAR_EXPRESSION "data race")

add_executable(write_programs ${CMAKE_CURRENT_LIST_DIR}/write_programs.cpp)
target_include_directories(write_programs PRIVATE ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(write_programs PRIVATE clconv_engine ${CMAKE_DL_LIBS})
