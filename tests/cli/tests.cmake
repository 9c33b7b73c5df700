# The real binary, called from Python (pytest): one CTest test a file. Labels: cli, and oracle where SciPy judges.
set(CLCONV_PYTHON /usr/bin/python3 CACHE FILEPATH "A Python with pytest, NumPy, SciPy and OpenImageIO: Debian's")

file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/test_*.py)
foreach(file ${files})
  get_filename_component(name ${file} NAME_WE)
  string(REGEX REPLACE "^test_" "" name ${name})
  add_test(NAME cli/${name} COMMAND ${CLCONV_PYTHON} -m pytest -q -p no:cacheprovider --tb=short ${file})
  # The programs that PoCL builds are kept below the build folder, so that the files' tests share them.
  set_tests_properties(
    cli/${name}
    PROPERTIES LABELS cli
               TIMEOUT 900
               ENVIRONMENT
               "CLCONV=$<TARGET_FILE:clconv>;CLCONV_KERNELS=${PROJECT_SOURCE_DIR}/kernels;PYTHONDONTWRITEBYTECODE=1;POCL_CACHE_DIR=${PROJECT_BINARY_DIR}/pocl-cache"
  )
endforeach()
set_tests_properties(cli/oracle PROPERTIES LABELS oracle)
