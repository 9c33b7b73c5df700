// SPDX-License-Identifier: Apache-2.0
// Which devices of a list a word of --device names. No driver is asked.
#pragma once

#include "opencl/device.h"

#include <string>
#include <string_view>
#include <vector>

namespace clconv {

/// The message for a machine without any device.
[[nodiscard]] std::string no_device_message();

/// As select_devices(), among `all`, which list_devices() found now or before.
[[nodiscard]] std::vector<DeviceInfo> select_among(const std::vector<DeviceInfo>& all, std::string_view selector);

/// Whether `word` is in `text`, in upper or lower case.
[[nodiscard]] bool contains_text(std::string_view text, std::string_view word);

}  // namespace clconv
