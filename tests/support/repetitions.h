// SPDX-License-Identifier: Apache-2.0
// How often tests repeat what is random.
#pragma once

namespace clconv::test {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kIsSanitized = true;
#elif defined(__has_feature)
inline constexpr bool kIsSanitized = __has_feature(address_sanitizer);
#else
inline constexpr bool kIsSanitized = false;
#endif

/// `count`, or a fifth of it under AddressSanitizer, where a plan takes six times as long.
constexpr int repetitions(int count) { return kIsSanitized ? (count + 4) / 5 : count; }

}  // namespace clconv::test
