// SPDX-License-Identifier: Apache-2.0
#include "codecs/file_transfer.h"

#include "base/light.h"
#include "base/lower_case.h"
#include "codecs/file_formats.h"
#include "formats/exif_block.h"
#include "formats/icc_curve.h"
#include "formats/png_colour.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <list>
#include <mutex>
#include <string_view>
#include <utility>

namespace clconv::oiio {
namespace {

using Tag = Transfer::Tag;
using Shape = Transfer::Shape;

/// As lower case.
std::string colour_space_of(const FileHeader& header)
{
    return lower_case(header.get_string_attribute("oiio:ColorSpace"));
}

/// A curve counts as sRGB if its codes differ by at most this, in codes of the type. It is the effect of rounding the
/// curve's parameters or tables to 16 bits.
double allowance(FileType type)
{
    switch (type) {
        case FileType::u8: return 0.1 / 255;
        case FileType::u16: return 1.0 / 65535;
        default: return 1e-5;
    }
}

Shape shape_of(const std::vector<ToneCurve>& curves, FileType type)
{
    constexpr int steps = 1024;
    constexpr double straight = 1e-6;
    double from_linear = 0;
    double from_srgb = 0;
    for (const ToneCurve& curve : curves)
        for (int step = 0; step <= steps; ++step) {
            const double code = static_cast<double>(step) / steps;
            const double light = curve.decoded(code);
            from_linear = std::max(from_linear, std::abs(light - code));
            from_srgb = std::max(from_srgb, std::abs(srgb_encoded(light) - code));
        }
    if (from_linear <= straight) return Shape::linear;
    return from_srgb <= allowance(type) ? Shape::srgb : Shape::other;
}

std::shared_ptr<const Transfer> gamma_transfer(double gamma)
{
    if (std::abs(gamma - 1) < 1e-3)
        return std::make_shared<Transfer>(Transfer{.name = "linear", .tag = Tag::gamma, .gamma = 1});
    return std::make_shared<Transfer>(Transfer{.name = fmt::format("gamma {:.4g}", gamma),
                                               .tag = Tag::gamma,
                                               .shape = Shape::other,
                                               .gamma = gamma,
                                               .curves = {ToneCurve::gamma(gamma)}});
}

/// Adobe RGB (1998) Color Image Encoding, 4.3.5.2: the exponent is 2 and 51/256.
std::shared_ptr<const Transfer> adobe_rgb_transfer()
{
    constexpr double gamma = 2 + 51.0 / 256;
    return std::make_shared<Transfer>(Transfer{.name = "AdobeRGB (Exif)",
                                               .tag = Tag::exif,
                                               .shape = Shape::other,
                                               .gamma = gamma,
                                               .curves = {ToneCurve::gamma(gamma)}});
}

struct ProfileUse {
    std::string bytes;
    int colours = 0;
    FileType type = FileType::u8;
    std::shared_ptr<const Transfer> transfer;
    std::string why_not;
};

ProfileUse use_of(std::string bytes, int colours, FileType type)
{
    IccCurves found = icc_curves(std::as_bytes(std::span(bytes)), colours);
    ProfileUse use{std::move(bytes), colours, type, nullptr, std::move(found.why_not)};
    const std::string name = found.name.empty() ? "ICC" : "ICC: " + found.name;
    if (found.curves.empty()) {
        use.transfer = srgb_transfer();
        return use;
    }
    const Shape shape = shape_of(found.curves, type);
    use.transfer = std::make_shared<Transfer>(
        Transfer{.name = name, .tag = Tag::icc, .shape = shape, .curves = std::move(found.curves)});
    return use;
}

/// The transfer function of a profile. Kept from one image to the next, because all images of a folder tend to have the
/// same profile.
std::pair<std::shared_ptr<const Transfer>, std::string> profile_transfer(std::string_view bytes, int colours,
                                                                         FileType type)
{
    constexpr std::size_t maximum = 8;
    static std::mutex mutex;
    static std::list<ProfileUse> known;
    const auto is_same = [&](const ProfileUse& use) {
        return use.colours == colours && use.type == type && use.bytes == bytes;
    };
    {
        const std::lock_guard lock(mutex);
        if (const auto found = std::ranges::find_if(known, is_same); found != known.end())
            return {found->transfer, found->why_not};
    }
    ProfileUse use = use_of(std::string(bytes), colours, type);
    std::pair result{use.transfer, use.why_not};
    const std::lock_guard lock(mutex);
    known.push_front(std::move(use));
    if (known.size() > maximum) known.pop_back();
    return result;
}

bool is_coded(FileType type) { return type == FileType::u8 || type == FileType::u16; }

bool is_float(FileType type)
{
    return type == FileType::half || type == FileType::float32 || type == FileType::float64;
}

std::shared_ptr<const Transfer> cicp_transfer(std::string name, ToneCurve curve, double white = 0)
{
    return std::make_shared<Transfer>(Transfer{.name = std::move(name),
                                               .tag = Tag::cicp,
                                               .shape = Shape::other,
                                               .white = white,
                                               .curves = {std::move(curve)}});
}

/// The inverse of V = alpha L^0.45 - (alpha - 1) from L = beta on, and V = slope L below.
ToneCurve camera_curve(double alpha, double beta, double slope)
{
    return ToneCurve(ToneCurve::Power{
        .g = 1 / 0.45, .a = 1 / alpha, .b = (alpha - 1) / alpha, .c = 1 / slope, .d = slope * beta, .e = 0, .f = 0});
}

std::shared_ptr<const Transfer> made_numbered_transfer(int number)
{
    switch (number) {
        case 1:
        case 6:
        case 11:  // differs for negative codes alone, which no integer has; so does 12
        case 12:
        case 14:
        case 15: return cicp_transfer("BT.709", camera_curve(1.099296826809442, 0.018053968510807, 4.5));
        case 4: return gamma_transfer(2.2);
        case 5: return gamma_transfer(2.8);
        case 7: return cicp_transfer("SMPTE 240M", camera_curve(1.111572195921731, 0.022821585529445, 4));
        case 8: return gamma_transfer(1);
        case 13: return srgb_transfer();
        case 16: return cicp_transfer("PQ", ToneCurve::pq(), kPqWhite);
        case 17:
            return cicp_transfer("SMPTE ST 428-1",
                                 ToneCurve(ToneCurve::Power{.g = 2.6, .a = std::pow(52.37 / 48, 1 / 2.6)}));
        case 18: return cicp_transfer("HLG", ToneCurve::hlg());
        default: return nullptr;
    }
}

/// ITU-T H.273 (07/2024), table 3, without the logarithms (9, 10). Null for others. Each is made once, so that its
/// tables are too.
std::shared_ptr<const Transfer> numbered_transfer(int number)
{
    constexpr int count = 19;
    static const auto kTransfers = [] {
        std::array<std::shared_ptr<const Transfer>, count> transfers;
        for (int i = 0; i < count; ++i) transfers[static_cast<std::size_t>(i)] = made_numbered_transfer(i);
        return transfers;
    }();
    return number < count ? kTransfers[static_cast<std::size_t>(number)] : nullptr;
}

FoundTransfer untagged(FileType type) { return {is_coded(type) ? srgb_transfer() : linear_transfer(), {}}; }

/// By the name that the library gives. For PNM, it is not from the file; those are sRGB.
FoundTransfer by_name(const std::filesystem::path& path, const FileHeader& header, const std::string& format,
                      FileType type)
{
    const std::string name = colour_space_of(header);
    if (name.empty() || format == "pnm") return untagged(type);
    if (name == "srgb") return {srgb_transfer(), {}};
    if (name == "linear") return {is_coded(type) ? gamma_transfer(1) : linear_transfer(), {}};
    if (name.starts_with("gamma")) {
        const float gamma = header.get_float_attribute("oiio:Gamma");
        if (gamma >= 0.1F && gamma <= 10) return {gamma_transfer(gamma), {}};
        return untagged(type);
    }
    return {nullptr, fmt::format("{}: its samples are {} codes, which --linear leaves as they are; convert it to "
                                 "OpenEXR first",
                                 path.string(), header.get_string_attribute("oiio:ColorSpace"))};
}

/// `tag`: where the number is.
FoundTransfer by_number(const std::filesystem::path& path, int number, const char* tag)
{
    if (auto transfer = numbered_transfer(number)) return {std::move(transfer), {}};
    return {srgb_transfer(), fmt::format("{}: has the transfer function {} of ITU-T H.273 ({}), which is not known "
                                         "here: its samples are taken for sRGB",
                                         path.string(), number, tag)};
}

FoundTransfer by_chunks(const std::filesystem::path& path, const PngColour& colour, const FileHeader& header,
                        FileType type)
{
    constexpr double unit = 100000;
    if (colour.is_srgb) return {srgb_transfer(), {}};
    if (colour.gamma && *colour.gamma >= unit / 10 && *colour.gamma <= unit * 10)
        return {gamma_transfer(unit / *colour.gamma), {}};
    return by_name(path, header, "png", type);
}

}  // namespace

bool says_linear(const FileHeader& header) { return colour_space_of(header) == "linear"; }

FoundTransfer transfer_of(const std::filesystem::path& path, const Metadata& metadata, const Image& image)
{
    const FileHeader& header = metadata.spec;
    const std::string& format = metadata.format;
    const FileType type = image.stored_type;
    if (!is_coded(type) && !is_float(type)) return {};
    if (is_cmyk(header)) return {nullptr, path.string() + ": --linear does not change CMYK inks, which are not light"};
    if (format_named(format).is_light) return {linear_transfer(), {}};

    const PngColour png = format == "png" ? png_colour(path) : PngColour{};
    if (png.transfer && png.is_full_range) return by_number(path, *png.transfer, "cICP");
    if (png.transfer)
        return {srgb_transfer(), fmt::format("{}: has codes of a narrow range of ITU-T H.273 (cICP), which are not "
                                             "known here: its samples are taken for sRGB",
                                             path.string())};
    if (const std::string_view profile = header.icc_profile(); !profile.empty()) {
        const int colours = image.channels - (image.alpha_channel >= 0 && image.channels > 1 ? 1 : 0);
        auto [transfer, why_not] = profile_transfer(profile, colours, type);
        if (why_not.empty()) return {std::move(transfer), {}};
        return {std::move(transfer), fmt::format("{}: its ICC profile cannot be used, because {}: its samples are "
                                                 "taken for sRGB",
                                                 path.string(), why_not)};
    }
    if (metadata.points && !is_shown_as_srgb(*metadata.points))
        return by_number(path, metadata.points->transfer, "nclx");
    if (is_coded(type) && !png.is_srgb && !png.gamma && says_adobe_rgb(metadata.blocks.exif))
        return {adobe_rgb_transfer(), {}};
    return format == "png" ? by_chunks(path, png, header, type) : by_name(path, header, format, type);
}

}  // namespace clconv::oiio
