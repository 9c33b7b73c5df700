// SPDX-License-Identifier: Apache-2.0
#include "encoders/file_changes.h"

#include "codecs/file_formats.h"
#include "codecs/openimageio.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>

namespace clconv {

using oiio::kUnspecifiedAlpha;
using oiio::Numbers;
using oiio::StoredForm;

namespace {

/// There is alpha, and the reader leaves it out.
constexpr const char* kUnreadAlpha = "unread";

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
        {"gray", "RGB"}, {"palette", "RGB"}, {"YCbCr", "RGB"}};
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
        if (from.empty() || to.empty() || from == to) return;
        if (is_same_format_ || !is_shown_the_same(from, to))
            add(WarningKind::photometric, from, to,
                fmt::format("{}: its colours are stored as {}, and those of {} as {}", input_, from, output_, to));
    }

    void compare_alpha()
    {
        const std::string& from = before_.alpha;
        const std::string& to = after_.alpha;
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
        const bool requested_by_format = !is_same_format_ && format_named(after_.format).is_always_lossy;
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
                fmt::format("{}: holds several images, and {} one", input_, output_));
    }

    void compare_tags()
    {
        constexpr std::string_view everywhere[] = {"Exif", "XMP"};
        if (before_.has_profile && !after_.has_profile)
            add(WarningKind::colour, "an ICC profile", "none",
                fmt::format("{}: has an ICC profile, and {} has none", input_, output_));
        std::vector<std::string> lost;
        for (const std::string& tag : before_.tags)
            if (!after_.tags.contains(tag) &&
                (is_same_format_ || std::ranges::find(everywhere, tag) != std::end(everywhere)))
                lost.push_back(tag);
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
std::string alpha_of(AlphaStorage storage, bool is_straight)
{
    switch (storage) {
        case AlphaStorage::none: return "";
        case AlphaStorage::associated: return "associated";
        case AlphaStorage::straight: return "straight";
        case AlphaStorage::either: break;
    }
    return is_straight ? "straight" : "associated";
}

/// Whether the input has colours and alpha.
bool has_alpha(const Image& result)
{
    if (!result.metadata) return result.alpha_channel >= 0 && result.channels > 1;
    const Metadata& metadata = *result.metadata;
    if (metadata.format == "gif" && !metadata.has_clear_pixels) return false;  // which the library makes
    const OIIO::ImageSpec& spec = metadata.spec;
    return spec.nchannels > 1 && spec.alpha_channel >= 0 && spec.alpha_channel < spec.nchannels;
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
    changes.compare_order();
    changes.compare_parts();
    if (!requested.strips_metadata) changes.compare_tags();
    return changes.found();
}

std::vector<StoredForms> stored_forms(const std::filesystem::path& input, const std::filesystem::path& output,
                                      const Image& result)
{
    const FileFormat& format = file_format_of(output);
    constexpr std::size_t max_parts = 32;  // finding a page takes longer the more there are before it
    std::vector<StoredForms> all;
    const bool has_parts = format.name == "tiff" || format.name == "openexr";
    const std::size_t count = has_parts ? std::min(result.parts.size(), max_parts) : 1;
    for (std::size_t i = 0; i < count; ++i) {
        StoredForms forms;
        if (i < result.parts.size()) forms.part = result.parts[i];
        if (result.metadata) forms.before = oiio::stored_form(input, result.metadata->format, forms.part);
        forms.after = oiio::stored_form(output, format.name, static_cast<int>(i));
        all.push_back(std::move(forms));
    }
    const bool is_straight = result.split ? result.split->is_straight : result.straight_alpha;
    const bool alpha = has_alpha(result);
    // The first part's header says what it is; the others are what their files say.
    StoredForms& first = all.front();
    // What Exif says of other formats than those that are known.
    if (first.before.format != first.after.format && first.before.orientation == 1)
        first.before.orientation = result.orientation;
    const bool is_of_pictures =
        result.metadata && (result.metadata->spec.nchannels == 2 || result.metadata->spec.nchannels == 4);
    const bool is_unspecified = is_of_pictures && first.before.alpha == kUnspecifiedAlpha &&
                                first.after.alpha != kUnspecifiedAlpha && format.alpha == AlphaStorage::straight;
    // The library reads no alpha beside a palette, and no channels of PSD behind the colours.
    const bool is_unread =
        !alpha && !first.before.alpha.empty() && (first.before.colours == "palette" || first.before.format == "psd");
    if (is_unread)
        first.before.alpha = kUnreadAlpha;
    else if (!is_unspecified)
        first.before.alpha = alpha ? alpha_of(AlphaStorage::either, is_straight) : "";
    first.after.alpha = alpha || is_unspecified ? alpha_of(format.alpha, is_straight) : "";
    return all;
}

FileType true_type(const StoredForm& form, FileType believed)
{
    if (form.numbers != Numbers::unsigned_integers || form.bits == 0) return believed;
    return believed == FileType::u16 && form.bits <= 8 ? FileType::u8 : believed;
}

}  // namespace clconv
