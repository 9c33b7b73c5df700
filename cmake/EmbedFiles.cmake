# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT, a C++ source that defines clconv::FUNCTION(): file name -> text of each of FILES.
set(text "// Made by cmake/EmbedFiles.cmake.\n#include <map>\n#include <string>\n
namespace clconv {\nstd::map<std::string, std::string> ${FUNCTION}();\n
std::map<std::string, std::string> ${FUNCTION}()\n{\n    return {\n")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  file(READ ${file} content)
  string(APPEND text "        {\"${name}\", R\"embedded(${content})embedded\"},\n")
endforeach()
string(APPEND text "    };\n}\n}  // namespace clconv\n")
file(WRITE ${OUTPUT} "${text}")
