// SPDX-License-Identifier: Apache-2.0
// What the peers share: the work, the way to time it, the check of the result, the line that is printed.
//
// The work is that of `clconv bench --type float --layout planar --border zero --mode same`, with the same random
// numbers: one PSF for all channels, its origin in the centre. A peer may prepare as long as it likes; only
// Convolution::start is timed. Only standard types here: CUDA's compiler reads this too.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace clconv::peers {

struct Options {
    int width = 0;
    int height = 0;
    int channels = 1;
    int psf = 0;
    int repeat = 9;                         ///< series that are timed
    int threads = 0;                        ///< of peers that run on the CPU
    std::string device;                     ///< of OpenCL peers, as clconv takes it
    std::string wisdom;                     ///< file that FFTW's plans are kept in; none if empty
    std::vector<std::string> arrangements;  ///< those wanted; all if empty
};

/// Reads the command line; `about` is the help's first line. Ends the process on --help or a wrong option.
[[nodiscard]] Options parse_options(int argc, char** argv, const std::string& about);

/// True if the arrangement was asked for.
[[nodiscard]] bool wants(const Options& options, const std::string& arrangement);

struct Work {
    int width = 0;
    int height = 0;
    int channels = 1;
    int psf = 0;                      ///< side of the square PSF
    int origin = 0;                   ///< of the PSF, along either axis
    std::vector<float> image;         ///< [channel][y][x]
    std::vector<double> psf_weights;  ///< [y][x]

    [[nodiscard]] std::size_t plane() const
    {
        return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    }
};
[[nodiscard]] Work make_work(const Options& options);

/// Smallest even length >= `needed` whose factors are 2, 3, 5 and 7: fast in every library here.
[[nodiscard]] int good_size(int needed);

/// Padded length of an axis of `image` samples: the least that lets no sample wrap around into the kept ones, made
/// good.
[[nodiscard]] int padded_size(const Work& work, int image);

/// The PSF on a plane of `width` x `height` zeros, its origin at (0, 0), samples left of and above it wrapped around;
/// times `scale`. The plane must not be smaller than the PSF.
[[nodiscard]] std::vector<float> wrapped_psf(const Work& work, int width, int height, double scale);

/// A way of convolving, with everything prepared.
class Convolution {
public:
    Convolution() = default;
    virtual ~Convolution() = default;
    Convolution(const Convolution&) = delete;
    Convolution& operator=(const Convolution&) = delete;

    /// Starts the convolution of the image; may return before it is done.
    virtual void start() = 0;
    /// Waits for all that was started.
    virtual void finish() {}
    /// The output of one convolution of the work's image, [channel][y][x].
    virtual std::vector<float> result() = 0;
};

/// The least time of an image among a few, in ms: to choose among candidates.
[[nodiscard]] double quick_ms(Convolution& convolution);

/// What is printed of an arrangement.
struct Label {
    std::string peer;
    std::string arrangement;
    std::string detail;  ///< padded sizes, tiles and the like
};

/// Checks, times and prints one line of JSON.
void report(const Label& label, const Options& options, const Work& work, Convolution& convolution);

/// The same with an error that another check has found.
void report_checked(const Label& label, const Options& options, Convolution& convolution, double relative_error);

/// Calls `body`; an exception becomes a message and the exit code 1.
int guarded_main(const char* name, void (*body)(int, char**), int argc, char** argv);

}  // namespace clconv::peers
