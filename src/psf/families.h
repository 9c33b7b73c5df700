// SPDX-License-Identifier: Apache-2.0
// The formulas of the kinds: each function makes the profile of its arguments. docs/psfs.md describes them.
#pragma once

#include "psf/kinds.h"

namespace clconv::families {

[[nodiscard]] ProfilePtr gaussian(const KindArguments& arguments, const ReadPsfFile& read);
[[nodiscard]] ProfilePtr box(const KindArguments& arguments, const ReadPsfFile& read);
[[nodiscard]] ProfilePtr disc(const KindArguments& arguments, const ReadPsfFile& read);
[[nodiscard]] ProfilePtr polygon(const KindArguments& arguments, const ReadPsfFile& read);
[[nodiscard]] ProfilePtr motion(const KindArguments& arguments, const ReadPsfFile& read);
[[nodiscard]] ProfilePtr airy(const KindArguments& arguments, const ReadPsfFile& read);
[[nodiscard]] ProfilePtr moffat(const KindArguments& arguments, const ReadPsfFile& read);
[[nodiscard]] ProfilePtr lorentzian(const KindArguments& arguments, const ReadPsfFile& read);
[[nodiscard]] ProfilePtr glow(const KindArguments& arguments, const ReadPsfFile& read);
[[nodiscard]] ProfilePtr halo(const KindArguments& arguments, const ReadPsfFile& read);
[[nodiscard]] ProfilePtr star(const KindArguments& arguments, const ReadPsfFile& read);
[[nodiscard]] ProfilePtr streak(const KindArguments& arguments, const ReadPsfFile& read);
[[nodiscard]] ProfilePtr diffraction(const KindArguments& arguments, const ReadPsfFile& read);

}  // namespace clconv::families
