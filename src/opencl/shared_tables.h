// SPDX-License-Identifier: Apache-2.0
// Tables on a device that plans share: those that depend on a line's length and radices, and not on an image.
//
// Images of many sizes have lines of few lengths, and a table takes longer to compute than to use.
#pragma once

#include "opencl/api.h"

#include <cstddef>
#include <functional>
#include <list>
#include <mutex>
#include <string>

namespace clconv {

/// Keeps the tables that were used last. Thread-safe.
class SharedTables {
public:
    /// Kernels only read the buffer. `key` names everything that its content depends on; `make` uploads it if it is
    /// not known. Throws what `make` throws.
    [[nodiscard]] cl::Buffer of(const std::string& key, const std::function<cl::Buffer()>& make);

    /// A table of a long line has some hundred KiB.
    static constexpr std::size_t kMax = 256;

private:
    struct Table {
        std::string key;
        cl::Buffer values;
    };
    [[nodiscard]] cl::Buffer known(const std::string& key);

    std::mutex mutex_;
    std::list<Table> tables_;  ///< the last used one first
};

}  // namespace clconv
