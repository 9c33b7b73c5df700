# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT, a C++ source in which clconv::commit() returns the commit of SOURCE; not if that is what it says already, so that
# nothing is linked again.
get_filename_component(above ${SOURCE} DIRECTORY)
set(ENV{GIT_CEILING_DIRECTORIES} ${above}) # an archive's files may lie in a repository of somebody else
execute_process(
  COMMAND git describe --always --dirty=-changed --abbrev=12 --exclude=*
  WORKING_DIRECTORY ${SOURCE}
  OUTPUT_VARIABLE commit
  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT commit)
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "// Made by cmake/WriteCommit.cmake.
#include \"cli/version.h\"

std::string_view clconv::commit() { return \"${commit}\"; }
")
