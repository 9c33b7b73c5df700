// SPDX-License-Identifier: Apache-2.0
#include "encoders/file_changes.h"

#include "codecs/decoding.h"
#include "codecs/file_formats.h"
#include "codecs/full_header.h"
#include "codecs/image_file.h"
#include "encoders/shared_tags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

namespace clconv {

using oiio::kUnspecifiedAlpha;
using oiio::Numbers;
using oiio::StoredForm;

namespace {

/// There is alpha, and the reader leaves it out.
constexpr const char* kUnreadAlpha = "unread";
/// There is alpha, and readers take it for another plane of the picture.
constexpr const char* kPlaneOfAlpha = "a plane";

/// What formats of light and others call it.
constexpr const char* kLight = "light";
constexpr const char* kLinear = "linear";

/// Whether samples are fractions of the largest; wider integers are values.
bool holds_codes(const StoredForm& form) { return form.numbers == Numbers::unsigned_integers && form.bits <= 16; }

/// Bits of a float's mantissa, the hidden one included.
int mantissa(int bits)
{
    constexpr int of_half = 11;
    constexpr int of_float = 24;
    constexpr int of_double = 53;
    return bits == 16 ? of_half : bits == 32 ? of_float : of_double;
}

/// Whether each sample of the one form is also a sample of the other.
bool holds_samples(const StoredForm& form, const StoredForm& other)
{
    if (form.shares_exponents || other.shares_exponents)
        return form.shares_exponents == other.shares_exponents ||
               (other.shares_exponents && form.numbers == Numbers::floats && form.bits >= 32);
    if (form.numbers == Numbers::floats)
        return other.numbers == Numbers::floats ? form.bits >= other.bits : mantissa(form.bits) >= other.bits;
    return form.numbers == other.numbers && form.bits >= other.bits;
}

/// Whether colours look the same when they are stored in the other way.
bool is_shown_the_same(const std::string& before, const std::string& after)
{
    constexpr std::pair<std::string_view, std::string_view> harmless[] = {
        {"gray", "RGB"}, {"palette", "RGB"}, {"YCbCr", "RGB"}, {"planes", "gray"}, {"planes", "RGB"}};
    const std::pair<std::string_view, std::string_view> change(before, after);
    return std::ranges::find(harmless, change) != std::end(harmless);
}

std::uint64_t largest_code(const StoredForm& form)
{
    return form.largest > 0 ? form.largest : (std::uint64_t{1} << std::min(form.bits, 32)) - 1;
}

/// Collects the changes of one file.
class Changes {
public:
    Changes(const std::filesystem::path& input, const StoredForm& before, const std::filesystem::path& output,
            const StoredForm& after)
        : input_(input.string()),
          output_(output.string()),
          before_(before),
          after_(after),
          is_same_format_(!before.format.empty() && before.format == after.format)
    {
    }

    void compare_samples()
    {
        const std::string from = samples_in_words(before_);
        const std::string to = samples_in_words(after_);
        const bool are_held = holds_samples(after_, before_);
        if (from == to || (are_held && !is_same_format_)) return;
        add(before_.numbers == after_.numbers ? WarningKind::bits : WarningKind::type, from, to,
            fmt::format("{}: stores {}, and {} {}{}", input_, from, output_, to,
                        are_held ? "" : "; see --format and --depth"));
    }

    void compare_range()
    {
        if (before_.bits != after_.bits || before_.numbers != Numbers::unsigned_integers ||
            after_.numbers != Numbers::unsigned_integers)
            return;
        const bool is_stated = before_.largest > 0 || after_.largest > 0;
        const std::uint64_t from = largest_code(before_);
        const std::uint64_t to = largest_code(after_);
        if (is_stated && (is_same_format_ ? to != from : to < from))
            add(WarningKind::range, std::to_string(from), std::to_string(to),
                fmt::format("{}: its largest code is {}, and that of {} {}", input_, from, output_, to));
    }

    void compare_colours()
    {
        const std::string& from = before_.colours;
        const std::string& to = after_.colours;
        const bool are_cubes = is_same_format_ && after_.format == "fits";  // of fewer planes, perhaps
        if (from.empty() || to.empty() || from == to || are_cubes) return;
        if (is_same_format_ || !is_shown_the_same(from, to))
            add(WarningKind::photometric, from, to,
                fmt::format("{}: its colours are stored as {}, and those of {} as {}", input_, from, output_, to));
    }

    void compare_alpha()
    {
        const std::string& from = before_.alpha;
        const std::string& to = after_.alpha;
        if (from.empty() && to == kPlaneOfAlpha)
            add(WarningKind::alpha, "none", to,
                fmt::format("{}: has no alpha, and the last plane of {} is one of alpha that is 1 everywhere", input_,
                            output_));
        if (from == to || from.empty() || (from == "associated" && to == "straight")) return;
        if (from == kUnreadAlpha) {
            add(WarningKind::alpha, "a channel", "none",
                fmt::format("{}: has a channel beside its colours that is not read, such as alpha, and {} has none",
                            input_, output_));
            return;
        }
        if (from == kUnspecifiedAlpha && to == "associated") return;  // which it is taken for
        if (from == kUnspecifiedAlpha && to == "straight")
            add(WarningKind::alpha, from, to,
                fmt::format(
                    "{}: does not say whether its colours are multiplied by alpha. They are taken so, and those "
                    "of {} are divided by it",
                    input_, output_));
        else if (to == kPlaneOfAlpha)
            add(WarningKind::alpha, from, to,
                fmt::format("{}: has alpha, which is the last plane of {} and is not marked there as alpha; colours "
                            "are multiplied by it",
                            input_, output_));
        else if (to.empty())
            add(WarningKind::alpha, from, "none",
                fmt::format("{}: has alpha, and {} has none: its colours are those over black", input_, output_));
        else
            add(WarningKind::alpha, from, to,
                fmt::format("{}: its colours are not multiplied by alpha, and those of {} are: where alpha is 0, they "
                            "are lost",
                            input_, output_));
    }

    void compare_codecs()
    {
        if (!after_.is_lossy) return;
        // A PNG that is named .jpg becomes a JPEG, though nobody asked for one.
        const bool is_of_name = can_be_written(input_) && file_format_of(input_).name == after_.format;
        const bool requested_by_format = !is_same_format_ && !is_of_name && format_named(after_.format).is_always_lossy;
        const bool is_known = !before_.format.empty();
        if (!before_.is_lossy && !requested_by_format)
            add(WarningKind::compression, is_known ? "lossless" : "", after_.codec,
                fmt::format("{}: {} stored without a loss, and {} with one ({}); see --format and --compression",
                            input_, is_known ? "is" : "may be", output_, after_.codec));
        else if (before_.is_lossy && after_.chroma < before_.chroma)
            add(WarningKind::compression, fmt::format("chroma {}", before_.chroma),
                fmt::format("chroma {}", after_.chroma),
                fmt::format("{}: stores {} samples of chroma a pixel, and {} {}", input_, before_.chroma, output_,
                            after_.chroma));
    }

    void compare_order()
    {
        if (is_same_format_ && before_.order != after_.order)
            add(WarningKind::order, before_.order, after_.order,
                fmt::format("{}: its rows and columns are stored as {}, and those of {} as {}", input_, before_.order,
                            output_, after_.order));
        if (before_.orientation != after_.orientation)
            add(WarningKind::order, fmt::format("orientation {}", before_.orientation),
                fmt::format("orientation {}", after_.orientation),
                fmt::format("{}: viewers rotate or mirror it (Exif's orientation {}), and {} by orientation {}", input_,
                            before_.orientation, output_, after_.orientation));
    }

    void compare_parts()
    {
        if (before_.images > 1 && after_.images < before_.images)
            add(WarningKind::parts, std::to_string(before_.images), std::to_string(after_.images),
                fmt::format("{}: holds further images, which {} does not", input_, output_));
    }

    /// What codes mean, in files that say it without a profile.
    void compare_curves()
    {
        const std::string& from = before_.curve;
        const std::string& to = after_.curve;
        if (is_same_format_ || from == to || !holds_codes(after_)) return;
        if (from == kLight && to != kLinear)
            add(WarningKind::colour, from, "codes",
                fmt::format("{}: its samples are light, and those of {} are taken for codes: they look dark without "
                            "--linear",
                            input_, output_));
        else if (holds_codes(before_) && !from.empty() && from != "sRGB" && !before_.has_profile && !after_.has_profile)
            add(WarningKind::colour, from, to,
                fmt::format("{}: says that its samples are {}, and {} does not", input_, from, output_));
    }

    void compare_pixels()
    {
        constexpr double rounding = 0.002;
        if (is_same_format_) return;
        if (!before_.window.empty() && after_.window.empty())
            add(WarningKind::window, before_.window, "",
                fmt::format("{}: its pixels are a window of a frame ({}), and {} does not say so", input_,
                            before_.window, output_));
        else if (before_.has_frame && !before_.window.empty() && !after_.has_frame)
            add(WarningKind::window, before_.window, after_.window,
                fmt::format(
                    "{}: its pixels are a window of a frame ({}), and {} says where they lie, but not how large "
                    "the frame is",
                    input_, before_.window, output_));
        if (before_.aspect > 0 && std::abs(after_.aspect / before_.aspect - 1) > rounding)
            add(WarningKind::tags, fmt::format("pixel aspect {:.4g}", before_.aspect),
                fmt::format("pixel aspect {:.4g}", after_.aspect),
                fmt::format("{}: its pixels are {:.4g} times as wide as high, and those of {} {:.4g} times", input_,
                            before_.aspect, output_, after_.aspect));
    }

    void compare_tags()
    {
        if (before_.has_profile && !after_.has_profile)
            add(WarningKind::colour, "an ICC profile", "none",
                fmt::format("{}: has an ICC profile, and {} has none", input_, output_));
        std::vector<std::string> lost;
        if (is_same_format_)
            std::ranges::set_difference(before_.tags, after_.tags, std::back_inserter(lost));
        else
            lost = lost_tags(before_, after_);
        if (lost.empty()) return;
        const std::string list = fmt::format("{}", fmt::join(lost, ", "));
        add(WarningKind::tags, list, "", fmt::format("{}: has metadata that {} has not: {}", input_, output_, list));
    }

    [[nodiscard]] std::vector<Warning> found() { return std::move(found_); }

private:
    void add(WarningKind kind, std::string from, std::string to, std::string message)
    {
        found_.emplace_back(kind, std::move(message), std::move(from), std::move(to));
    }

    std::string input_;
    std::string output_;
    const StoredForm& before_;
    const StoredForm& after_;
    bool is_same_format_;
    std::vector<Warning> found_;
};

/// The alpha of a file, from its header and from what its format can hold.
std::string alpha_of(const FileFormat& format, bool is_straight)
{
    if (!format.marks_alpha) return kPlaneOfAlpha;
    switch (format.alpha) {
        case AlphaStorage::none: return "";
        case AlphaStorage::associated: return "associated";
        case AlphaStorage::straight: return "straight";
        case AlphaStorage::either: break;
    }
    return is_straight ? "straight" : "associated";
}

/// Whether there are colours and a channel of alpha, as the library read the input.
bool has_alpha_channel(const Image& result)
{
    if (!result.metadata) return result.alpha_channel >= 0 && result.channels > 1;
    const oiio::FileHeader& spec = result.metadata->spec;
    // Some readers (GIF) name a channel that does not exist.
    const int alpha = spec.alpha_channel < spec.nchannels ? spec.alpha_channel : spec.channelindex("A");
    return spec.nchannels > 1 && alpha >= 0 && alpha < spec.nchannels;
}

/// Whether the input has colours and alpha. Of GIF, the library makes alpha where there is none.
bool has_alpha(const Image& result)
{
    const bool is_made = result.metadata && result.metadata->format == "gif" && !result.metadata->has_clear_pixels;
    return has_alpha_channel(result) && !is_made;
}

}  // namespace

std::vector<Warning> form_changes(const std::filesystem::path& input, const StoredForm& before,
                                  const std::filesystem::path& output, const StoredForm& after,
                                  const FormRequest& requested)
{
    Changes changes(input, before, output, after);
    changes.compare_alpha();
    if (!requested.compression) changes.compare_codecs();
    if (before.format.empty() || after.format.empty()) return changes.found();
    if (!requested.depth) {
        changes.compare_samples();
        changes.compare_range();
    }
    changes.compare_colours();
    if (!requested.light) changes.compare_curves();
    changes.compare_order();
    changes.compare_pixels();
    changes.compare_parts();
    if (!requested.strips_metadata) changes.compare_tags();
    return changes.found();
}

std::vector<StoredForms> stored_forms(const std::filesystem::path& input, const std::filesystem::path& output,
                                      const Image& result)
{
    const FileFormat& format = file_format_of(output);
    const bool has_parts = format.name == "tiff" || format.name == "openexr";
    std::vector<int> before = result.parts;
    if (!has_parts) before.resize(std::min<std::size_t>(before.size(), 1));
    if (before.empty()) before = {0};
    std::vector<int> after(before.size());
    std::iota(after.begin(), after.end(), 0);
    std::vector<oiio::StoredForm> of_input(before.size());
    if (result.metadata) of_input = oiio::stored_forms(input, result.metadata->format, before);
    std::vector<oiio::StoredForm> of_output = oiio::stored_forms(output, format.name, after);
    std::vector<StoredForms> all;
    for (std::size_t i = 0; i < before.size(); ++i)
        all.push_back({before[i], std::move(of_input[i]), std::move(of_output[i])});
    const bool is_straight = result.split ? result.split->is_straight : result.straight_alpha;
    const bool alpha = has_alpha(result);
    // The first part's header says what it is; the others are what their files say.
    StoredForms& first = all.front();
    // What Exif says of other formats than those that are known.
    if (first.before.format != first.after.format && first.before.orientation == 1)
        first.before.orientation = result.orientation;
    if (first.before.format != first.after.format) {
        if (result.metadata) add_read_tags(oiio::full_header(*result.metadata), format.name, first.before.tags);
        add_frame_times(input, first.before);
        add_frame_times(output, first.after);
    }
    const bool is_of_pictures =
        result.metadata && (result.metadata->spec.nchannels == 2 || result.metadata->spec.nchannels == 4);
    const bool is_unspecified = is_of_pictures && first.before.alpha == kUnspecifiedAlpha &&
                                first.after.alpha != kUnspecifiedAlpha && format.alpha == AlphaStorage::straight;
    // The library reads no alpha beside a palette, none of a TGA of 16 bits, and no channels of PSD behind the colours.
    const std::string& kind = first.before.format;
    const bool is_unread = !alpha && !first.before.alpha.empty() &&
                           (first.before.colours == "palette" || kind == "psd" || kind == "targa");
    if (is_unread)
        first.before.alpha = kUnreadAlpha;
    else if (!is_unspecified)
        first.before.alpha = !alpha ? "" : is_straight ? "straight" : "associated";
    const bool has_plane = !format.marks_alpha && has_alpha_channel(result);
    first.after.alpha = alpha || is_unspecified || has_plane ? alpha_of(format, is_straight) : "";
    return all;
}

FileType true_type(const StoredForm& form, FileType believed)
{
    if (form.numbers != Numbers::unsigned_integers || form.bits == 0) return believed;
    return believed == FileType::u16 && form.bits <= 8 ? FileType::u8 : believed;
}

}  // namespace clconv
