// SPDX-License-Identifier: Apache-2.0
// Convolves images in memory with point-spread functions of any size, on OpenCL devices: libclconv's interface.
//
//     clconv::Device device;
//     clconv::Convolver blur(device, clconv::Psf("gaussian:2.5"), {{"border", "mirror"}});
//     blur.run(clconv::interleaved(image.data(), 1920, 1080, 3), clconv::interleaved(result.data(), 1920, 1080, 3));
//
// It computes what the program clconv computes, with the same options, and needs neither the program nor image files.
// docs/library.md describes all of it; docs/conventions.md has the formulas. C++17 is enough for this header.
//
// Threads. Everything may be called from any thread. Calls on the Convolvers of one Device run one after another, and
// so do those of its copies; calls on different Devices run at the same time. A Psf, an Options and a view are values:
// reading one from several threads is safe. Nothing calls back, prints, or ends the process. devices() and Device may
// set the variable POCL_CACHE_DIR, so let no other thread read the environment meanwhile.
//
// Errors are the exceptions below. Messages name options as the command line spells them: --border is "border" here.
// After an exception, results are unspecified, and all objects can still be used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__GNUC__)
#define CLCONV_API __attribute__((visibility("default")))
#else
#define CLCONV_API
#endif

// Names are clconv::Name. The version below is part of the symbols, so that programs cannot be linked to another one.
// The library's own sources have inner types of the same names, and name the version.
namespace clconv {
// clang-format off
#ifndef CLCONV_OWN_SOURCE
inline
#endif
namespace v0 {
// clang-format on

//
// Errors
//

/// What all functions of the library throw, besides std::bad_alloc.
class CLCONV_API Error : public std::runtime_error {
public:
    explicit Error(const std::string& message);
    ~Error() override;
};

/// The request makes no sense: an option that does not exist, a PSF without a sum, views that do not fit together.
class CLCONV_API InvalidProblem : public Error {
public:
    using Error::Error;
    ~InvalidProblem() override;
};

/// The samples are at fault: some are not finite, or the sums of finite ones overflow.
class CLCONV_API InputError : public Error {
public:
    using Error::Error;
    ~InputError() override;
};

/// No usable device, or it is out of memory or lost.
class CLCONV_API DeviceError : public Error {
public:
    using Error::Error;
    ~DeviceError() override;
};

/// The driver does not build a program, whose log is in the message, or builds programs that compute wrongly.
class CLCONV_API BuildError : public DeviceError {
public:
    using DeviceError::DeviceError;
    ~BuildError() override;
};

/// A fault of the library.
class CLCONV_API InternalError : public Error {
public:
    using Error::Error;
    ~InternalError() override;
};

//
// Images in memory
//

/// u8 and u16 stand for [0, 1], i8 and i16 for [-1, 1]: the largest code is 1. Integers of 32 bits and floats stand
/// for their own values. Options such as a border's value are in these units. Halves are their bits, std::uint16_t.
enum class SampleType { u8, u16, half, float32, i8, i16, i32, u32, float64 };

/// Where the samples of an image are. Sample (x, y, c) is at data + x * x_step + y * y_step + c * channel_step.
///
/// Steps are in bytes, and may be negative; those of an axis of length 1 do not matter. Interleaved samples without
/// gaps, at an address that is a multiple of 16, are used in place by a CPU. Other samples are copied first.
template <class Data>
struct BasicView {
    Data* data = nullptr;
    SampleType type = SampleType::float32;
    int width = 0;
    int height = 0;
    int channels = 1;
    std::ptrdiff_t x_step = 0;
    std::ptrdiff_t y_step = 0;
    std::ptrdiff_t channel_step = 0;
    /// The number of the channel that is alpha; -1: none. Colours are multiplied by alpha already. A PSF of several
    /// channels applies to the colours, and alpha gets the mean of its channels. Bloom leaves alpha as it is.
    int alpha = -1;

    /// A view to write to can be read, too.
    operator BasicView<const Data>() const  // NOLINT(google-explicit-constructor)
    {
        return {data, type, width, height, channels, x_step, y_step, channel_step, alpha};
    }
};
using ConstView = BasicView<const void>;
using View = BasicView<void>;

/// The sample type of T; std::uint16_t is u16. There is none for other types.
template <class T>
constexpr SampleType sample_type_of()
{
    using Value = std::remove_cv_t<T>;
    static_assert(std::is_same_v<Value, float> || std::is_same_v<Value, double> ||
                      std::is_same_v<Value, std::uint8_t> || std::is_same_v<Value, std::int8_t> ||
                      std::is_same_v<Value, std::uint16_t> || std::is_same_v<Value, std::int16_t> ||
                      std::is_same_v<Value, std::uint32_t> || std::is_same_v<Value, std::int32_t>,
                  "no sample type has these values");
    if (std::is_same_v<Value, double>) return SampleType::float64;
    if (std::is_same_v<Value, std::uint8_t>) return SampleType::u8;
    if (std::is_same_v<Value, std::int8_t>) return SampleType::i8;
    if (std::is_same_v<Value, std::uint16_t>) return SampleType::u16;
    if (std::is_same_v<Value, std::int16_t>) return SampleType::i16;
    if (std::is_same_v<Value, std::uint32_t>) return SampleType::u32;
    if (std::is_same_v<Value, std::int32_t>) return SampleType::i32;
    return SampleType::float32;
}

template <class T>
using DataOf = std::conditional_t<std::is_const_v<T>, const void, void>;

/// A view of samples in the order [y][x][channel], without gaps.
template <class T>
BasicView<DataOf<T>> interleaved(T* data, int width, int height, int channels = 1)
{
    const auto size = static_cast<std::ptrdiff_t>(sizeof(T));
    return {data, sample_type_of<T>(), width, height, channels, size * channels, size * channels * width, size, -1};
}

/// A view of samples in the order [channel][y][x], without gaps.
template <class T>
BasicView<DataOf<T>> planar(T* data, int width, int height, int channels)
{
    const auto size = static_cast<std::ptrdiff_t>(sizeof(T));
    return {data, sample_type_of<T>(), width, height, channels, size, size * width, size * width * height, -1};
}

//
// Options
//

/// An option's value: a word, a number, or whether a flag is set.
class CLCONV_API OptionValue {
public:
    OptionValue(const char* text);         // NOLINT(google-explicit-constructor)
    OptionValue(const std::string& text);  // NOLINT(google-explicit-constructor)
    OptionValue(double number);            // NOLINT(google-explicit-constructor)
    OptionValue(int number);               // NOLINT(google-explicit-constructor)
    OptionValue(bool is_set);              // NOLINT(google-explicit-constructor)

    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::string text_;
};

/// Options of the command line without their dashes, and their values: {{"border", "mirror"}, {"mix", 0.4}}.
///
/// Names may have _ instead of -. They are read where they are used: a constructor throws InvalidProblem for an
/// option that it does not have, or a value that the option does not take. Of several values, the last one counts.
class CLCONV_API Options {
public:
    Options() = default;
    Options(std::initializer_list<std::pair<const char*, OptionValue>> options);

    Options& set(std::string_view name, const OptionValue& value);

    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& values() const { return values_; }

private:
    std::vector<std::pair<std::string, std::string>> values_;
};

/// What has options.
enum class Part {
    device,      ///< Device
    psf,         ///< Psf
    convolve,    ///< Convolver, with Operation::convolve
    deconvolve,  ///< with Operation::deconvolve
    bloom,       ///< with Operation::bloom
};

struct OptionInfo {
    std::string name;           ///< "border"
    std::string value;          ///< what it takes: "MODE"; empty: a flag
    std::string default_value;  ///< the default, if one can be written
    std::string help;
};

/// The options of a part, from the table that `clconv --help` shows.
[[nodiscard]] CLCONV_API std::vector<OptionInfo> options(Part part);

//
// Devices
//

struct DeviceInfo {
    std::string index;  ///< "P:D": platform and device numbers as the OpenCL loader lists them
    std::string name;
    std::string platform;
    std::string vendor;
    std::string driver;
    std::string version;
    std::string type;          ///< "gpu", "cpu", "accelerator" or "other"
    std::uint64_t memory = 0;  ///< bytes
    bool has_doubles = false;  ///< whether {"precision", "double"} works there
};

/// All OpenCL devices, in the loader's order. Empty if there are none.
[[nodiscard]] CLCONV_API std::vector<DeviceInfo> devices();

/// The library's version: "0.1.0".
[[nodiscard]] CLCONV_API std::string version();

/// An open OpenCL device, with its programs. Copies share it. Opening one takes up to two seconds, so keep it.
class CLCONV_API Device {
public:
    /// The options of Part::device; "device" selects it, else $CLCONV_DEVICE does, else it is the best one.
    /// Programs and measured plans are kept between runs, where the program clconv keeps them, unless "no-cache" is
    /// set; programs of PoCL are in its own cache. Throws InvalidProblem, DeviceError.
    explicit Device(const Options& options = {});

    [[nodiscard]] const DeviceInfo& info() const;

    struct Inside;

private:
    friend struct Access;
    explicit Device(std::shared_ptr<Inside> inside) : inside_(std::move(inside)) {}
    std::shared_ptr<Inside> inside_;
};

//
// PSFs
//

/// A point-spread function: samples, scaled as "normalize" says (by default each channel's sum is 1), and its
/// origin, the sample that lands on the output pixel. Copies share samples.
class CLCONV_API Psf {
public:
    /// From words: "gaussian:2.5", "disc:15.5,size=63", "gaussian:2*0.9+glow:400*0.1"; docs/psfs.md has all kinds.
    /// `options` are those of Part::psf. Throws InvalidProblem, also for words that name a file.
    explicit Psf(std::string_view words, const Options& options = {});
    explicit Psf(const char* words, const Options& options = {}) : Psf(std::string_view(words), options) {}

    /// From samples: one channel for all channels of an image, or one for each of its colours. Integers are read as
    /// those of images. Throws InvalidProblem: a sum of nearly 0 where "normalize" divides by it, an origin outside.
    explicit Psf(const ConstView& samples, const Options& options = {});

    [[nodiscard]] int width() const;
    [[nodiscard]] int height() const;
    [[nodiscard]] int channels() const;
    [[nodiscard]] int origin_x() const;
    [[nodiscard]] int origin_y() const;
    /// In the order [channel][y][x].
    [[nodiscard]] const std::vector<double>& samples() const;
    /// What a user should know: that the centre of mass is more than a pixel from the origin, so images move.
    [[nodiscard]] const std::vector<std::string>& warnings() const;

    struct Inside;

private:
    friend struct Access;
    std::shared_ptr<const Inside> inside_;
};

//
// Work
//

enum class Operation {
    convolve,    ///< as clconv run
    deconvolve,  ///< as clconv deconvolve
    bloom,       ///< as clconv bloom
};

struct Size {
    int width = 0;
    int height = 0;
};

/// How a result was made.
struct Report {
    std::string plan;                   ///< the text of Convolver::plan()
    std::string check;                  ///< of the plan's first result: "passed", "passed before", "undecided", "off"
    std::vector<std::string> warnings;  ///< for users
    std::size_t clamped = 0;            ///< results that u8 and u16 clamp by more than a code
    std::vector<double> residuals;      ///< of Richardson-Lucy, before each of its iterations
    double seconds = 0;                 ///< of run() or finish(), from call to return
};

/// An operation with its PSF and options on a device. It keeps plans, programs, transfers and memory, so that a
/// second image of the same size and types needs only computing. Copies share all of that.
class CLCONV_API Convolver {
public:
    /// `options`: those of the operation. Throws InvalidProblem. Computes nothing yet.
    Convolver(const Device& device, const Psf& psf, const Options& options = {},
              Operation operation = Operation::convolve);

    /// The size of the result for an image of this size: other than the image's with "mode" full or valid. Throws
    /// InvalidProblem if there is none.
    [[nodiscard]] Size result_size(int width, int height) const;

    /// Makes `result`, of result_size() and as many channels as `image`, and of any type. Integers are rounded to
    /// nearest and clamped. Both may be in the same memory. Returns when the result is complete.
    ///
    /// Samples that are NaN or infinite are treated as "nonfinite" says: error (the default), zero, interpolate
    /// (they are missing, as nan_treatment="interpolate" of astropy) or propagate. Throws InvalidProblem,
    /// InputError, DeviceError, BuildError.
    Report run(const ConstView& image, const View& result);

    /// The same in two steps, for several images: while the device works on one, the next is looked at and copied.
    /// start() returns before the image is done; its samples must not change, and its result not be read, until
    /// finish() returns. finish() completes the oldest started image. capacity() images may be started at a time; while
    /// small ones are started on a GPU, where they share launches, it grows.
    void start(const ConstView& image, const View& result);
    Report finish();
    [[nodiscard]] std::size_t capacity() const;

    /// The plan for such an image and result type, in words; their samples are not read. Throws InvalidProblem.
    [[nodiscard]] std::string plan(const ConstView& image, SampleType result) const;

    struct Inside;

private:
    friend struct Access;
    std::shared_ptr<Inside> inside_;
};

/// One image with one PSF: a Convolver that is used once.
CLCONV_API Report convolve(const Device& device, const ConstView& image, const View& result, const Psf& psf,
                           const Options& options = {});
CLCONV_API Report deconvolve(const Device& device, const ConstView& image, const View& result, const Psf& psf,
                             const Options& options = {});
CLCONV_API Report bloom(const Device& device, const ConstView& image, const View& result, const Psf& psf,
                        const Options& options = {});
}  // namespace v0
}  // namespace clconv
