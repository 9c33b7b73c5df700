# SPDX-License-Identifier: Apache-2.0
# How the folders become targets. Source lists are globbed: adding a file needs no edit here.

# Warnings, sanitizers and the include root, for every target of the project.
add_library(clconv_options INTERFACE)
target_include_directories(clconv_options INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(clconv_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
if(CLCONV_WERROR)
  target_compile_options(clconv_options INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 wrongly warns of overlaps in "text" + std::string, and GCC 13 of references to temporaries in views.
  target_compile_options(clconv_options INTERFACE -Wno-restrict -Wno-dangling-reference -Wno-unknown-warning-option)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(clconv_options INTERFACE -Wreserved-identifier) # GCC has none; the sanitizers' build is Clang's
endif()
if(CLCONV_SANITIZE)
  target_compile_options(clconv_options INTERFACE -fsanitize=${CLCONV_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all)
  # With the sanitizers' code around it, GCC wrongly warns that the automata of <regex> are uninitialized.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(clconv_options INTERFACE -Wno-maybe-uninitialized)
  elseif(CLCONV_SANITIZE MATCHES "undefined")
    # Clang compares types of functions by address, and the module of image files has its own copies.
    target_compile_options(clconv_options INTERFACE -fno-sanitize=function)
  endif()
  target_link_options(clconv_options INTERFACE -fsanitize=${CLCONV_SANITIZE})
  target_compile_definitions(clconv_options INTERFACE CLCONV_RUNS_DESTRUCTORS)
endif()

# clconv_library(NAME LINKS target...): the library clconv_NAME from src/NAME/*.cpp, without main.cpp and *_main.cpp.
function(clconv_library name)
  cmake_parse_arguments(arg "" "" "LINKS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "[/_]main\\.cpp$")
  if(sources)
    add_library(clconv_${name} STATIC ${sources})
    target_link_libraries(clconv_${name} PUBLIC clconv_options ${arg_LINKS})
  else()
    add_library(clconv_${name} INTERFACE)
    target_link_libraries(clconv_${name} INTERFACE clconv_options ${arg_LINKS})
  endif()
endfunction()

# clconv_embed(TARGET FUNCTION PATTERN): compiles the text of the files that match PATTERN into TARGET, where
# clconv::FUNCTION() returns it.
function(clconv_embed target function pattern)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${pattern})
  set(output ${PROJECT_BINARY_DIR}/${function}.cpp)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DFUNCTION=${function} "-DFILES=${files}" -P
            ${PROJECT_SOURCE_DIR}/cmake/EmbedFiles.cmake
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/EmbedFiles.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()

# clconv_module(TARGET NAME FOLDERS name... LINKS library...): the code of these folders as libclconv_NAME.so, which a program
# loads when it runs, and which exports what cmake/NAME_module.map says. It has no code of other folders: what it calls there,
# it finds in the program. See clconv_uses_module().
function(clconv_module target module)
  cmake_parse_arguments(arg "" "" "FOLDERS;LINKS" ${ARGN})
  add_library(${target} MODULE)
  clconv_contains(${target} ${arg_FOLDERS})
  foreach(name ${arg_FOLDERS})
    # Calls within a file stay calls within it, as in a program.
    set_target_properties(clconv_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(clconv_${name} PRIVATE -fno-semantic-interposition)
  endforeach()
  set_target_properties(${target} PROPERTIES OUTPUT_NAME clconv_${module} LINKER_LANGUAGE CXX)
  target_link_libraries(${target} PRIVATE clconv_options ${arg_LINKS})
  # Names of its own are found at once, and names of others when they are first called.
  set(exports ${PROJECT_SOURCE_DIR}/cmake/${module}_module.map)
  target_link_options(${target} PRIVATE LINKER:--version-script=${exports} LINKER:-z,lazy)
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${exports})
  install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/clconv)
endfunction()

# clconv_uses_module(PROGRAM MODULE FOLDERS name...): PROGRAM contains all code of these folders, whether it calls it or not, and
# offers it to MODULE.
function(clconv_uses_module program module)
  cmake_parse_arguments(arg "" "" "FOLDERS" ${ARGN})
  clconv_contains(${program} ${arg_FOLDERS})
  target_link_options(${program} PRIVATE "LINKER:--export-dynamic-symbol=_Z*6clconv*")
  file(RELATIVE_PATH folder ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/clconv)
  target_compile_definitions(clconv_image_options PRIVATE CLCONV_MODULE_FOLDER="${folder}")
  add_dependencies(${program} ${module})
endfunction()

# clconv_contains(TARGET NAME...): all object files of the folders NAME... become part of TARGET.
function(clconv_contains target)
  foreach(name ${ARGN})
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:clconv_${name}>)
  endforeach()
endfunction()

# clconv_test(NAME LABEL [TOGETHER] LINKS target...): the program NAME_tests from tests/NAME/*.cpp. Each of its suites is a test
# of CTest with the label LABEL (cmake/DiscoverSuites.cmake). TOGETHER: all suites are one, because the program's start takes
# longer than most of them. The target unit_tests builds all programs with the label unit.
function(clconv_test name label)
  cmake_parse_arguments(arg "TOGETHER" "" "LINKS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${name}/*.cpp)
  if(sources)
    add_executable(${name}_tests ${sources})
    target_include_directories(${name}_tests PRIVATE ${PROJECT_SOURCE_DIR}/tests)
    target_link_libraries(${name}_tests PRIVATE ${arg_LINKS} GTest::gmock GTest::gtest_main)
    # Tests compare what others have computed. Without optimisation they compile in three quarters of the time, and take no
    # longer.
    clconv_compile_fast(${name}_tests)
    target_compile_options(${name}_tests PRIVATE $<$<CONFIG:Release>:-O0>)
    clconv_discover_suites(${name} ${label} ${arg_TOGETHER})
    if(label STREQUAL "unit")
      add_dependencies(unit_tests ${name}_tests)
    endif()
  endif()
endfunction()

# Compiles a target with less optimisation, because its code takes no time when it runs, and so compiles faster: options,
# reports. What computes keeps its optimisation.
function(clconv_compile_fast target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  # At -O1, GCC 12 wrongly warns of a copy out of bounds within std::string.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds -Wno-stringop-overflow>)
  clconv_sanitize_fast(${target})
endfunction()

# With sanitizers, compiles a target without optimisation: that takes half the time, and tests of what reads and writes files,
# or leaves the computing to a device, hardly take longer. Not for what computes (plans, PSFs, transforms), whose tests would
# take two to three times as long, nor for what fuzzers call (tests/hostile), which would try less.
function(clconv_sanitize_fast target)
  if(CLCONV_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()

# Like gtest_discover_tests(), but with one test for each suite, or for all of them.
function(clconv_discover_suites name label together)
  set(suites ${CMAKE_CURRENT_BINARY_DIR}/${name}_suites.cmake)
  if(NOT EXISTS ${suites})
    file(WRITE ${suites} "add_test(${name}_tests_NOT_BUILT ${name}_tests_NOT_BUILT)\n")
  endif()
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${suites})
  add_custom_command(
    TARGET ${name}_tests
    POST_BUILD
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:${name}_tests> -DPREFIX=${name} -DLABEL=${label} -DTOGETHER=${together}
            -DOUTPUT=${suites} -P ${PROJECT_SOURCE_DIR}/cmake/DiscoverSuites.cmake
    VERBATIM)
endfunction()

# clconv_commit(FILE): writes the source FILE at every build: cmake/WriteCommit.cmake.
function(clconv_commit file)
  add_custom_target(
    commit
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUTPUT=${file} -P ${PROJECT_SOURCE_DIR}/cmake/WriteCommit.cmake
    BYPRODUCTS ${file}
    VERBATIM)
endfunction()

# clconv_completion(SHELL FOLDER NAME): installs what `clconv completion SHELL` prints as NAME in FOLDER of the data folder.
function(clconv_completion shell folder name)
  set(script ${CMAKE_CURRENT_BINARY_DIR}/completions/${shell}/${name})
  add_custom_command(
    OUTPUT ${script}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/completions/${shell}
    COMMAND clconv completion ${shell} > ${script}
    DEPENDS clconv
    VERBATIM)
  add_custom_target(completion_${shell} ALL DEPENDS ${script})
  install(FILES ${script} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder})
endfunction()
