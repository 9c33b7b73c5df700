# SPDX-License-Identifier: Apache-2.0
# The package clconv of the build tree, called from Python (pytest): one CTest test a file. Labels: device, and oracle where
# SciPy and astropy judge.
if(CLCONV_PYTHON_MODULE)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/test_*.py)
  foreach(file ${files})
    get_filename_component(name ${file} NAME_WE)
    string(REGEX REPLACE "^test_" "" name ${name})
    add_test(NAME python/${name} COMMAND ${CLCONV_PYTHON} -m pytest -q -p no:cacheprovider --tb=short ${file})
    set_tests_properties(
      python/${name}
      PROPERTIES LABELS device
                 TIMEOUT 900
                 COST 20
                 ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1;PYTEST_DISABLE_PLUGIN_AUTOLOAD=1"
                 ENVIRONMENT_MODIFICATION "PYTHONPATH=path_list_prepend:${PROJECT_BINARY_DIR}/python")
  endforeach()
  set_tests_properties(python/oracles python/psf_words PROPERTIES LABELS oracle)
endif()
