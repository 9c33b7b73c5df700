# SPDX-License-Identifier: Apache-2.0
# CLCONV_PRECOMPILE: headers that most sources include are read once for all targets with the same options, and once more for
# tests. It saves a fifth of a build. As in a unity build, a source may lack an include and nobody sees it: scripts/check-includes
# does, and scripts/check-sources. Included at the end of a folder's CMakeLists.txt.
#
# GCC must get the same address for them as when they were made. Where it does not, as in QEMU, it says that it "had to relocate
# PCH": -DCLCONV_PRECOMPILE=OFF. The Containerfile has that, because images for other processors are built in QEMU.
set(common_headers
    <algorithm> <array> <charconv> <chrono> <cmath> <complex> <condition_variable> <cstdint> <cstdlib> <cstring> <filesystem>
    <fstream> <functional> <future> <map> <memory> <mutex> <numeric> <optional> <random> <set> <span> <stdexcept> <string>
    <string_view> <thread> <tuple> <utility> <variant> <vector> <fmt/format.h>)

# The precompiled headers for a target's options are in a target of their own, made for the first one that needs it.
function(clconv_precompile target)
  get_target_property(type ${target} TYPE)
  get_target_property(options ${target} COMPILE_OPTIONS)
  get_target_property(is_shared ${target} POSITION_INDEPENDENT_CODE)
  get_target_property(libraries ${target} LINK_LIBRARIES)
  set(is_test FALSE)
  if("GTest::gmock" IN_LIST libraries)
    set(is_test TRUE)
  endif()
  if(type MATCHES "SHARED|MODULE")
    set(is_shared TRUE)
  elseif(NOT is_shared)
    set(is_shared FALSE)
  endif()
  string(MD5 owner "${options} ${is_shared} ${is_test}")
  string(PREPEND owner headers_)
  if(NOT TARGET ${owner})
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/no_code.cpp CONTENT "")
    add_library(${owner} OBJECT ${PROJECT_BINARY_DIR}/no_code.cpp)
    set_target_properties(${owner} PROPERTIES POSITION_INDEPENDENT_CODE ${is_shared} UNITY_BUILD OFF)
    target_link_libraries(${owner} PRIVATE clconv_options fmt::fmt)
    target_precompile_headers(${owner} PRIVATE ${common_headers})
    if(options)
      target_compile_options(${owner} PRIVATE ${options})
    endif()
    if(is_test)
      target_link_libraries(${owner} PRIVATE GTest::gmock)
      target_precompile_headers(${owner} PRIVATE <gmock/gmock.h> <gtest/gtest.h>)
    endif()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${owner})
endfunction()

# All targets of this folder with code and the project's options. pybind11 adds options of its own.
get_property(targets DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
foreach(target ${targets})
  get_target_property(type ${target} TYPE)
  get_target_property(sources ${target} SOURCES)
  get_target_property(libraries ${target} LINK_LIBRARIES)
  if(type MATCHES "LIBRARY|EXECUTABLE"
     AND "${sources}" MATCHES "\\.cpp"
     AND "${libraries}" MATCHES "clconv_"
     AND NOT target MATCHES "^headers_|^clconv_python$")
    clconv_precompile(${target})
  endif()
endforeach()
