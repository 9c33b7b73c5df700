// SPDX-License-Identifier: Apache-2.0
// The options for what is computed and how, shared by `run` and `plan`.
#pragma once

#include "engine/convolver.h"
#include "image/nonfinite_rule.h"
#include "plan_records/tuned_plans.h"
#include "psf/background.h"
#include "psf/normalize.h"
#include "psf/orient.h"
#include "psf/origin.h"

#include "settings/option_list.h"

#include <optional>
#include <string>
#include <vector>

namespace clconv {

/// `--method`.
struct MethodOption {
    std::optional<Method> method = {};  ///< "auto": the planner chooses
    bool copies = false;                ///< "none": outputs are copies of the inputs
};

/// Words are read when they are parsed; text that needs more than a table is as typed.
struct ProblemOptions {
    std::string border = "clamp";
    Mode mode = Mode::same;
    bool correlate = false;
    std::string psf_part;  ///< empty: the only image of its file
    std::string psf_origin = "center";
    PsfGiven psf_orientation = PsfGiven::viewed;
    Normalization normalize = Normalization::sum;
    bool psf_gray = false;
    bool psf_linear = false;
    std::string psf_background;
    std::optional<double> psf_clamp;
    std::optional<double> psf_power;
    std::optional<double> psf_crop;
    bool linear = false;
    Precision precision = Precision::float32;
    MethodOption method;
    std::string radix = "auto";
    std::string radix_x;
    std::string radix_y;
    std::vector<std::string> decisions;
    std::string device_memory;        ///< empty: all
    std::vector<std::string> device;  ///< selectors; empty: the best one
    bool no_cache = false;
    Tuning tuning = Tuning::automatic;
};

/// How PSFs are prepared.
struct PsfSettings {
    std::string option = "--psf";  ///< the option that named the PSF, for errors
    std::string part = {};         ///< PsfReading::part
    bool linear = false;           ///< images of integers are decoded from sRGB
    std::optional<Background> background;
    std::optional<double> clamp;  ///< the largest value that counts
    std::optional<double> power;
    std::optional<double> crop;  ///< the share of the light to keep
    bool gray = false;
    Normalization normalization = Normalization::sum;
    OriginRule origin;
};

/// `--channels LIST`, of images.
void add_channels_option(OptionList& list, std::string& channels, const std::string& group);

/// `--nonfinite` of `run`.
void add_nonfinite_option(OptionList& list, NonFiniteRule& rule, const std::string& group);

/// `--nonfinite` of commands that cannot work around missing samples: interpolate is not offered. It is parsed, so that
/// they can say what to do instead.
void add_nonfinite_option_without_gaps(OptionList& list, NonFiniteRule& rule, const std::string& group);

/// The options for reading a PSF's file, of `run`, `plan` and `psf`.
void add_psf_options(OptionList& list, ProblemOptions& options, const std::string& group);
void add_problem_options(OptionList& list, ProblemOptions& options);

/// They throw InvalidProblem with the option, the value found and the value wanted. convolve_settings() refuses copies,
/// which `clconv run` makes without it.
[[nodiscard]] ConvolveSettings convolve_settings(const ProblemOptions& options);
/// Bytes of each device's memory that may be used.
[[nodiscard]] std::uint64_t device_memory(const ProblemOptions& options);
[[nodiscard]] PsfSettings psf_settings(const ProblemOptions& options);

}  // namespace clconv
