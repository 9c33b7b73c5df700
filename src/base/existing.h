// SPDX-License-Identifier: Apache-2.0
// What to do with an output that exists already.
#pragma once

namespace clconv {

enum class Existing { refuse, overwrite, skip };

}  // namespace clconv
