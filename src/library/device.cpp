// SPDX-License-Identifier: Apache-2.0
#include "base/byte_count.h"
#include "library/errors.h"
#include "library/inside.h"
#include "library/part_options.h"
#include "opencl/device_choice.h"
#include "opencl/given_context.h"
#include "opencl/host_memory.h"
#include "settings/cache_option.h"

#include <chrono>
#include <utility>

namespace clconv::v0 {
namespace {

/// At the end, a driver's binaries of new programs are kept for the next start, in this time.
constexpr std::chrono::seconds kKeepingBudget{2};

DeviceInfo public_info(const clconv::DeviceInfo& info)
{
    return {info.index,
            info.name,
            info.platform,
            info.vendor,
            info.driver,
            info.version,
            info.type,
            info.traits.global_memory,
            info.traits.has_double};
}

}  // namespace

Device::Inside::Inside(const clconv::DeviceInfo& chosen, CacheFolder folder)
    : caches(std::move(folder)),
      device(std::make_shared<clconv::Device>(chosen, ProgramCache{caches.below("programs"), {}})),
      info(public_info(chosen)),
      blocks(kNoLimit, huge_pages)
{
    if (!chosen.traits.is_cpu) blocks.pin_with(pin_for(device));
}

Device::Inside::Inside(const clconv::DeviceInfo& chosen, const GivenContext& given, CacheFolder folder)
    : caches(std::move(folder)),
      device(opened_in(given, chosen, ProgramCache{caches.below("programs"), {}})),
      info(public_info(chosen)),
      blocks(kNoLimit, huge_pages)
{
    if (!chosen.traits.is_cpu) blocks.pin_with(pin_for(device));
}

Device::Inside::~Inside() { device->keep_programs(kKeepingBudget); }

Device::Device(const Options& options)
    : inside_(translated([&] {
          PartOptions read(Part::device);
          read.read(options);
          const ProblemOptions& wanted = read.problem();
          KeptWarnings ignored;
          clconv::DeviceInfo chosen = chosen_devices(wanted.device, ignored).back();
          chosen.traits = with_memory(chosen.traits, device_memory(wanted));
          return std::make_shared<Inside>(chosen, cache_folder(wanted.no_cache));
      }))
{
}

const DeviceInfo& Device::info() const { return inside_->info; }

std::vector<DeviceInfo> devices()
{
    return translated([] {
        std::vector<DeviceInfo> infos;
        for (const clconv::DeviceInfo& info : list_devices()) infos.push_back(public_info(info));
        return infos;
    });
}

std::string version() { return CLCONV_VERSION; }

}  // namespace clconv::v0
