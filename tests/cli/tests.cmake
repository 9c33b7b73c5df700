# SPDX-License-Identifier: Apache-2.0
# The real binary, called from Python (pytest): one CTest test a file. Labels: cli, and oracle where SciPy judges. Cases with
# the mark full are tests of their own, full/cli/NAME, which run in CTest's configuration full alone (scripts/test --full).
file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/test_*.py)
foreach(file ${files})
  get_filename_component(name ${file} NAME_WE)
  string(REGEX REPLACE "^test_" "" name ${name})
  set(pytest ${CLCONV_PYTHON} -m pytest -q -p no:cacheprovider --tb=short)
  add_test(NAME cli/${name} COMMAND ${pytest} -m "not full" ${file})
  set_tests_properties(cli/${name} PROPERTIES LABELS cli)
  set(tests cli/${name})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(STRINGS ${file} marks REGEX "^from support.full import")
  if(marks)
    add_test(NAME full/cli/${name} COMMAND ${pytest} -m full ${file} CONFIGURATIONS full)
    set_tests_properties(full/cli/${name} PROPERTIES LABELS full)
    list(APPEND tests full/cli/${name})
  endif()
  set_tests_properties(
    ${tests}
    PROPERTIES TIMEOUT 1800
               COST 50 # begun before what is short, so that no core waits for the last one
               # Plugins of other packages take a third of a short test's time.
               ENVIRONMENT "CLCONV=$<TARGET_FILE:clconv>;PYTHONDONTWRITEBYTECODE=1;PYTEST_DISABLE_PLUGIN_AUTOLOAD=1"
  )
endforeach()
set_tests_properties(cli/oracle cli/deconvolve cli/skimage PROPERTIES LABELS oracle)
# Each takes a minute of processor time or more from empty caches. Begun last, one of them would run beside an idle core.
set_tests_properties(cli/batch cli/blend cli/bloom cli/borders cli/cache cli/channels cli/linear cli/matrix cli/pieces
                     cli/radix cli/resolution cli/tune cli/zeros PROPERTIES COST 100)

# An OpenCL that fails, or is a GPU that opens slowly, on request (test_device_faults.py, test_slow_gpu.py).
add_library(faulty_opencl MODULE ${CMAKE_CURRENT_LIST_DIR}/faulty_opencl.cpp)
target_link_libraries(faulty_opencl PRIVATE ${CMAKE_DL_LIBS})
set_property(
  TEST cli/device_faults cli/slow_gpu APPEND PROPERTY ENVIRONMENT "FAULTY_OPENCL_LIBRARY=$<TARGET_FILE:faulty_opencl>"
)

# Codecs that crash, hang or take all memory (test_isolation.py).
add_library(faulty_codec MODULE ${CMAKE_CURRENT_LIST_DIR}/faulty_codec.cpp)
target_link_libraries(faulty_codec PRIVATE ${CMAKE_DL_LIBS})
set_property(TEST cli/isolation APPEND PROPERTY ENVIRONMENT "FAULTY_CODEC_LIBRARY=$<TARGET_FILE:faulty_codec>")
