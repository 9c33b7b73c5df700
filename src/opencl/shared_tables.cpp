// SPDX-License-Identifier: Apache-2.0
#include "opencl/shared_tables.h"

#include <algorithm>

namespace clconv {

cl::Buffer SharedTables::of(const std::string& key, const std::function<cl::Buffer()>& make)
{
    if (cl::Buffer table = known(key); table()) return table;
    cl::Buffer made = make();  // without the lock: other threads need other tables
    const std::lock_guard lock(mutex_);
    tables_.push_front({key, made});
    if (tables_.size() > kMax) tables_.pop_back();
    return made;
}

cl::Buffer SharedTables::known(const std::string& key)
{
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(tables_, key, &Table::key);
    if (found == tables_.end()) return {};
    tables_.splice(tables_.begin(), tables_, found);
    return found->values;
}

}  // namespace clconv
