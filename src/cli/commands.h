// The subcommands. Each takes the words after its name, and returns the process's exit code or throws.
#pragma once

#include <string>
#include <vector>

namespace clconv {

int run_command(const std::vector<std::string>& arguments);
int bloom_command(const std::vector<std::string>& arguments);
int merge_reports_command(const std::vector<std::string>& arguments);
int plan_command(const std::vector<std::string>& arguments);
int psf_command(const std::vector<std::string>& arguments);
int tune_command(const std::vector<std::string>& arguments);
int selftest_command(const std::vector<std::string>& arguments);
int bench_command(const std::vector<std::string>& arguments);
int warm_command(const std::vector<std::string>& arguments);
int devices_command(const std::vector<std::string>& arguments);

}  // namespace clconv
