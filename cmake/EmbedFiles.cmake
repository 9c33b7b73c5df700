# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT, a C++ source that defines clconv::FUNCTION(): file name -> text of each of FILES.
set(text "// Made by cmake/EmbedFiles.cmake.\n#include <map>\n#include <string>\n
namespace clconv {\nstd::map<std::string, std::string> ${FUNCTION}();\n
std::map<std::string, std::string> ${FUNCTION}()\n{\n    return {\n")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  file(READ ${file} content)
  # Compilers need not take literals of more than 65536 characters.
  string(SUBSTRING "${content}" 0 60000 part)
  set(pieces "std::string(R\"embedded(${part})embedded\")")
  string(LENGTH "${content}" length)
  set(at 60000)
  while(at LESS length)
    string(SUBSTRING "${content}" ${at} 60000 part)
    string(APPEND pieces " +\n            R\"embedded(${part})embedded\"")
    math(EXPR at "${at} + 60000")
  endwhile()
  string(APPEND text "        {\"${name}\", ${pieces}},\n")
endforeach()
string(APPEND text "    };\n}\n}  // namespace clconv\n")
file(WRITE ${OUTPUT} "${text}")
