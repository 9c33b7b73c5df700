# Writes OUTPUT, a C++ source that defines clconv::embedded_kernels(): file name -> text of each file of KERNELS.
set(text "// Made by cmake/EmbedKernels.cmake from kernels/*.cl.\n#include <map>\n#include <string>\n
namespace clconv {\nstd::map<std::string, std::string> embedded_kernels();\n
std::map<std::string, std::string> embedded_kernels()\n{\n    return {\n")
foreach(kernel ${KERNELS})
  get_filename_component(name ${kernel} NAME)
  file(READ ${kernel} source)
  string(APPEND text "        {\"${name}\", R\"kernel(${source})kernel\"},\n")
endforeach()
string(APPEND text "    };\n}\n}  // namespace clconv\n")
file(WRITE ${OUTPUT} "${text}")
