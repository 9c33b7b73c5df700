# SPDX-License-Identifier: Apache-2.0
# What is installed besides programs, and the packages: `cpack` makes clconv, and `cpack --config CPackNAME.cmake`, NAME being
# Library, Development or Python, makes libclconv0, libclconv-dev or python3-clconv.

# Debian's Python has pybind11 and NumPy, which cmake/Python.cmake needs. One that is found earlier on PATH may have neither.
if(NOT Python3_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python3_EXECUTABLE /usr/bin/python3)
endif()

# Manual pages, made of --help by the built program.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND AND NOT CMAKE_CROSSCOMPILING AND NOT CLCONV_SANITIZE)
  set(pages ${PROJECT_BINARY_DIR}/man)
  add_custom_command(
    OUTPUT ${pages}/clconv.1.gz
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/make-man $<TARGET_FILE:clconv> ${pages}
    DEPENDS clconv ${PROJECT_SOURCE_DIR}/scripts/make-man
    VERBATIM)
  add_custom_target(man_pages ALL DEPENDS ${pages}/clconv.1.gz)
  install(DIRECTORY ${pages}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()

# Debian's names of the licence and of the list of changes.
find_program(CLCONV_GZIP gzip)
if(CLCONV_GZIP)
  add_custom_command(
    OUTPUT ${PROJECT_BINARY_DIR}/changelog.gz
    COMMAND ${CLCONV_GZIP} -9nc ${PROJECT_SOURCE_DIR}/CHANGELOG.md > ${PROJECT_BINARY_DIR}/changelog.gz
    DEPENDS ${PROJECT_SOURCE_DIR}/CHANGELOG.md
    VERBATIM)
  add_custom_target(changelog ALL DEPENDS ${PROJECT_BINARY_DIR}/changelog.gz)
  add_dependencies(libclconv changelog) # so that whoever builds it alone can install its component, as setup.py does
  install(FILES ${PROJECT_BINARY_DIR}/changelog.gz DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()
install(FILES ${PROJECT_SOURCE_DIR}/debian/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})

# clconv_package(NAME COMPONENT package): what `cpack --config CPackNAME.cmake` reads, from cmake/CPackNAME.cmake.in. The package's
# copyright and changelog come with the component.
function(clconv_package name component package)
  set(documents ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package})
  install(FILES ${PROJECT_SOURCE_DIR}/debian/copyright DESTINATION ${documents} COMPONENT ${component})
  if(CLCONV_GZIP)
    install(FILES ${PROJECT_BINARY_DIR}/changelog.gz DESTINATION ${documents} COMPONENT ${component})
  endif()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/CPack${name}.cmake.in ${PROJECT_BINARY_DIR}/CPack${name}.cmake @ONLY)
endfunction()

set(CLCONV_LIBRARY_PACKAGE libclconv${PROJECT_VERSION_MAJOR}) # Debian's name has the soname's number
clconv_package(Library library ${CLCONV_LIBRARY_PACKAGE})
clconv_package(Development development libclconv-dev)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME clconv)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "${CLCONV_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "convolve batches of images on OpenCL devices")
set(CPACK_PACKAGE_DESCRIPTION
    "clconv convolves photographs, frames and measurements with point-spread
functions of any size, by FFT, on GPUs and CPUs. It also makes bright parts
glow, undoes a known blur, and tells how much images differ.")
# Without the components of the library and of Python.
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};clconv;Unspecified;/")
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "pocl-opencl-icd | opencl-icd")
if(PROJECT_IS_TOP_LEVEL) # another project's packages are its own
  include(CPack)
endif()
