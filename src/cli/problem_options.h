// The options for what is computed and how, shared by `run` and `plan`.
#pragma once

#include "engine/convolver.h"
#include "psf/background.h"
#include "psf/normalize.h"
#include "psf/origin.h"

#include "cli/option_list.h"

#include <optional>
#include <string>
#include <vector>

namespace clconv {

/// As typed.
struct ProblemOptions {
    std::string border = "clamp";
    std::string mode = "same";
    bool correlate = false;
    std::string psf_origin = "center";
    std::string psf_orientation = "viewed";
    std::string normalize = "sum";
    bool psf_gray = false;
    bool psf_linear = false;
    std::string psf_background;
    std::optional<double> psf_clamp;
    std::optional<double> psf_power;
    std::optional<double> psf_crop;
    bool linear = false;
    std::string precision = "float";
    std::string method = "auto";
    std::string radix = "auto";
    std::string radix_x;
    std::string radix_y;
    std::vector<std::string> decisions;
    std::string device_memory;        ///< empty: all
    std::vector<std::string> device;  ///< selectors; empty: the best one
    bool no_cache = false;
    std::string tuning = "auto";
};

/// How PSFs are prepared.
struct PsfSettings {
    std::string option = "--psf";  ///< the option that named the PSF, for errors
    bool linear = false;           ///< images are convolved in linear light
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

/// The options for reading a PSF's file, of `run`, `plan` and `psf`.
void add_psf_options(OptionList& list, ProblemOptions& options, const std::string& group);
void add_problem_options(OptionList& list, ProblemOptions& options);

/// They throw InvalidProblem with the option, the value found and the value wanted.
[[nodiscard]] ConvolveSettings convolve_settings(const ProblemOptions& options);
/// Bytes of each device's memory that may be used.
[[nodiscard]] std::uint64_t device_memory(const ProblemOptions& options);
[[nodiscard]] PsfSettings psf_settings(const ProblemOptions& options);

}  // namespace clconv
