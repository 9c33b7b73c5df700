// SPDX-License-Identifier: Apache-2.0
// What the classes of the library's interface hold.
#pragma once

#include "base/block_pool.h"
#include "base/cache_folder.h"
#include "base/messages.h"
#include "clconv/clconv.hpp"
#include "opencl/device.h"
#include "opencl/kernel_source.h"
#include "psf/psf.h"

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clconv {
struct GivenContext;
}

namespace clconv::v0 {

/// Lets the classes of the interface look into each other.
struct Access {
    static Device device(std::shared_ptr<Device::Inside> inside) { return Device(std::move(inside)); }

    template <class Object>
    static const auto& held(const Object& object)
    {
        return object.inside_;
    }
};

struct Device::Inside {
    Inside(const clconv::DeviceInfo& chosen, CacheFolder folder);
    /// In a context that is there.
    Inside(const clconv::DeviceInfo& chosen, const GivenContext& given, CacheFolder folder);
    ~Inside();
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

    CacheFolder caches;
    KernelSource kernels = KernelSource::embedded();
    std::shared_ptr<clconv::Device> device;
    DeviceInfo info;
    BlockPool blocks;  ///< for copies of samples
    std::mutex mutex;  ///< held while the device computes
};

struct Psf::Inside {
    std::shared_ptr<const clconv::Psf> psf;
    std::vector<std::string> warnings;
};

}  // namespace clconv::v0

namespace clconv {

/// Keeps warnings, and forgets what is less important.
class KeptWarnings final : public Messages {
public:
    void message(Level level, std::string_view text) override
    {
        if (level >= Level::warning) warnings.emplace_back(text);
    }
    std::vector<std::string> warnings;
};

}  // namespace clconv
