# SPDX-License-Identifier: Apache-2.0
# The package clconv for Python: python/clconv and its module _core, which is libclconv's interface. In the build tree it is
# below python/, ready for PYTHONPATH. The component python installs it, and setup.py makes a wheel of that.
# `cpack --config CPackPython.cmake` makes the package python3-clconv.

# The same Python as cmake/Packaging.cmake finds.
find_package(Python3 COMPONENTS Interpreter Development.Module)
find_package(pybind11 2.10 CONFIG QUIET)
# A Python without sanitizers cannot load a module with them.
if(Python3_Development.Module_FOUND AND pybind11_FOUND AND NOT CLCONV_SANITIZE)
  set(can_be_built ON)
else()
  set(can_be_built OFF)
endif()
option(CLCONV_PYTHON_MODULE "Build the package clconv for Python, which needs pybind11 and Python's headers" ${can_be_built})
if(NOT CLCONV_PYTHON_MODULE)
  return()
endif()
if(NOT can_be_built)
  message(FATAL_ERROR "CLCONV_PYTHON_MODULE needs pybind11 and Python's headers (pybind11-dev and python3-dev in Debian), "
                      "and no sanitizers")
endif()
set(CLCONV_PYTHON_FOLDER lib/python3/dist-packages CACHE STRING "Where Python looks for packages, below the prefix")

set(package ${PROJECT_BINARY_DIR}/python/clconv)
pybind11_add_module(clconv_python MODULE NO_EXTRAS ${PROJECT_SOURCE_DIR}/python/core.cpp)
target_link_libraries(clconv_python PRIVATE clconv::clconv clconv_options)
target_compile_features(clconv_python PRIVATE cxx_std_17)
target_compile_definitions(clconv_python PRIVATE CL_TARGET_OPENCL_VERSION=120) # its headers ask
set_target_properties(clconv_python PROPERTIES OUTPUT_NAME _core LIBRARY_OUTPUT_DIRECTORY ${package} INSTALL_RPATH "$ORIGIN")

file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/clconv/*.py ${PROJECT_SOURCE_DIR}/python/clconv/*.pyi
     ${PROJECT_SOURCE_DIR}/python/clconv/py.typed)
set(copies)
foreach(file ${files})
  get_filename_component(name ${file} NAME)
  add_custom_command(
    OUTPUT ${package}/${name}
    COMMAND ${CMAKE_COMMAND} -E copy ${file} ${package}/${name}
    DEPENDS ${file}
    VERBATIM)
  list(APPEND copies ${package}/${name})
endforeach()
add_custom_target(clconv_python_files ALL DEPENDS ${copies})
add_dependencies(clconv_python clconv_python_files)

# The library is installed beside the module, so that both are of one version wherever the package is copied to.
install(TARGETS clconv_python LIBRARY DESTINATION ${CLCONV_PYTHON_FOLDER}/clconv COMPONENT python)
install(TARGETS libclconv LIBRARY DESTINATION ${CLCONV_PYTHON_FOLDER}/clconv COMPONENT python NAMELINK_SKIP)
install(FILES ${files} DESTINATION ${CLCONV_PYTHON_FOLDER}/clconv COMPONENT python)
math(EXPR next_minor "${Python3_VERSION_MINOR} + 1")
clconv_package(Python python python3-clconv)
