# SPDX-License-Identifier: Apache-2.0
# libclconv, for other programs: include/clconv/clconv.hpp, and what find_package(clconv) and pkg-config need.
include(CMakePackageConfigHelpers)

# The rooms that it holds. Nothing replaces their functions, so these may be inlined as in a program.
foreach(room base fft conv psf plan image opencl passes engine plan_records settings)
  set_target_properties(clconv_${room} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(clconv_${room} PRIVATE -fno-semantic-interposition)
endforeach()

# It has neither the tool's commands nor image files. Only names of clconv.hpp are visible.
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/library/*.cpp)
set(exports ${PROJECT_SOURCE_DIR}/cmake/libclconv.map)
add_library(libclconv SHARED ${sources})
add_library(clconv::clconv ALIAS libclconv)
set_target_properties(
  libclconv
  PROPERTIES OUTPUT_NAME clconv
             EXPORT_NAME clconv
             VERSION ${PROJECT_VERSION}
             SOVERSION ${PROJECT_VERSION_MAJOR}
             LINK_DEPENDS ${exports})
target_include_directories(
  libclconv PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(libclconv INTERFACE cxx_std_17)
target_compile_definitions(libclconv PRIVATE CLCONV_OWN_SOURCE CLCONV_VERSION="${PROJECT_VERSION}")
target_link_libraries(libclconv PRIVATE clconv_settings)
target_link_options(libclconv PRIVATE -Wl,--version-script=${exports} -Wl,--gc-sections)

set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/clconv)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/clconvConfig.cmake.in ${PROJECT_BINARY_DIR}/clconvConfig.cmake
                              INSTALL_DESTINATION ${folder})
# Before 1.0, minor versions may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/clconvConfigVersion.cmake COMPATIBILITY SameMinorVersion)
file(RELATIVE_PATH prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${PROJECT_SOURCE_DIR}/cmake/clconv.pc.in ${PROJECT_BINARY_DIR}/clconv.pc @ONLY)

# Two components of their own, which the package of the program leaves out: what programs need that were built with it, and what
# it takes to build one. cmake/Packaging.cmake makes a package of each.
install(TARGETS libclconv EXPORT clconv LIBRARY COMPONENT library NAMELINK_COMPONENT development)
install(EXPORT clconv NAMESPACE clconv:: FILE clconvTargets.cmake DESTINATION ${folder} COMPONENT development)
install(FILES ${PROJECT_BINARY_DIR}/clconvConfig.cmake ${PROJECT_BINARY_DIR}/clconvConfigVersion.cmake
        DESTINATION ${folder} COMPONENT development)
install(FILES ${PROJECT_BINARY_DIR}/clconv.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/clconv DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
