#include "engine/first_use.h"

#include "base/fingerprint.h"

#include <fmt/format.h>

#include <chrono>

namespace clconv {
namespace {

std::string file_name(const std::string& key) { return fmt::format("{:016x}.txt", fingerprint(key)); }

/// As for programs: what no run has used for so long goes when a new one comes.
constexpr std::chrono::hours kUnusedFor{90 * 24};

}  // namespace

std::string first_use_key(const DeviceInfo& device, const KernelSource& kernels, const Plan& plan)
{
    const std::string text = describe(plan);
    return fmt::format("clconv plan that computed right, 1\n{}\n{}\n{}\n{}\nkernels {}\n{}", device.platform,
                       device.name, device.driver, device.version, kernels.fingerprint(),
                       text.substr(0, text.find("  because")));
}

bool has_passed(const FirstUse& first_use, const std::string& key)
{
    const std::string name = file_name(key);
    if (first_use.passed.read(name) != key) return false;
    first_use.passed.touch(name);
    return true;
}

void remember_passed(const FirstUse& first_use, const std::string& key)
{
    if (first_use.passed.write(file_name(key), key)) first_use.passed.remove_unused(kUnusedFor);
}

}  // namespace clconv
