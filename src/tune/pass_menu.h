// SPDX-License-Identifier: Apache-2.0
// A device's menu of passes: which plans are measured so that their passes serve problems of any size.
//
// Pure. Three passes are measured at once, because a plan has three. Long rows go with short columns, so that all plans
// move about as much memory; on GPUs, such columns come once more beside shorter rows, in more planes. Each plan is
// timed with all of its lines and with parts of them. Lengths are those that the model takes for the best of their
// size, and on GPUs those of the menu (plan/gpu_menu.h). Those of common images come first, then every second, fourth,
// ... of the others, so that a search that ends early has all sizes.
#pragma once

#include "plan/plan.h"

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

namespace clconv {

struct MenuRequest {
    int channels = 3;
    SampleType type = SampleType::u8;  ///< in and out
    Layout layout = Layout::interleaved;
    Precision precision = Precision::float32;
};

/// Plans of one problem.
struct MenuItem {
    Problem problem;
    std::vector<Decisions> plans;
    std::vector<double> shares;  ///< of the lines: for each of them a time is measured
};

/// The plan of an item's decisions, if the device can run it and records of passes can speak for it.
[[nodiscard]] std::optional<Plan> menu_plan(const Problem& problem, const DeviceTraits& traits,
                                            const Decisions& decisions);

/// The most useful first.
[[nodiscard]] std::vector<MenuItem> pass_menu(const DeviceTraits& traits, const MenuRequest& request);

/// Of the lengths in `costs`, those that are the cheapest of at least some length, from `shortest` on in steps of 3 %.
[[nodiscard]] std::vector<int> good_lengths(const std::map<int, double>& costs, int shortest, int longest);

/// The same values: the middle first, then those of the quarters, and so on.
[[nodiscard]] std::vector<int> coarse_to_fine(const std::vector<int>& values);

}  // namespace clconv
