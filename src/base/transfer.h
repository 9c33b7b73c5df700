// SPDX-License-Identifier: Apache-2.0
// How codes become light and light becomes codes: tone curves, and the transfer function of a file.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace clconv {

/// The light of PQ's reference white, in cd/m2. ITU-R BT.2408-7, table 1.
inline constexpr double kPqWhite = 203;

/// One channel's curve. It rises from black to white, and may be level in places. Codes range from 0 to 1, and light
/// too except for a high dynamic range; the curve continues beyond.
class ToneCurve {
public:
    /// light = (a code + b)^g + e from code d on, c code + f below it: type 4 of ICC.1:2022, 10.18. The other types are
    /// special cases.
    struct Power {
        double g = 1;
        double a = 1;
        double b = 0;
        double c = 0;
        double d = 0;
        double e = 0;
        double f = 0;

        bool operator==(const Power&) const = default;
    };

    explicit ToneCurve(const Power& power);
    /// Lights of evenly spaced codes from 0 to 1, at least two, with straight lines between and beyond them.
    [[nodiscard]] static ToneCurve table(std::vector<double> lights);
    /// light = code^g, mirrored for negative codes.
    [[nodiscard]] static ToneCurve gamma(double g);
    /// The two curves of ITU-R BT.2100-3 for a high dynamic range, mirrored for negative codes. Light 1 is the
    /// reference white of ITU-R BT.2408: the code 0.75 of HLG, and kPqWhite cd/m2 of PQ. Code 1 is 3.77 in HLG and 49.3
    /// in PQ.
    [[nodiscard]] static ToneCurve pq();
    /// The light of the scene: the inverse of HLG's OETF. Its OOTF, which depends on the display, is left out.
    [[nodiscard]] static ToneCurve hlg();

    [[nodiscard]] double decoded(double code) const;
    /// The inverse. Where several codes have the same light, it returns the outermost one at black and white, else the
    /// first.
    [[nodiscard]] double encoded(double light) const;

    bool operator==(const ToneCurve&) const = default;

    /// The curve as a power; none of the others.
    [[nodiscard]] std::optional<Power> as_power() const;

    /// Whether it can be used: it rises, and its lights are neither far below black nor far above white.
    [[nodiscard]] bool is_sound() const;

private:
    struct Sampled {
        std::vector<double> lights;
        bool operator==(const Sampled&) const = default;
    };
    struct Mirrored {
        double g = 1;
        bool operator==(const Mirrored&) const = default;
    };
    struct Pq {
        bool operator==(const Pq&) const = default;
    };
    struct Hlg {
        bool operator==(const Hlg&) const = default;
    };
    [[nodiscard]] static double decoded_by(const Power& curve, double code);
    [[nodiscard]] static double decoded_by(const Sampled& curve, double code);
    [[nodiscard]] static double decoded_by(const Mirrored& curve, double code);
    [[nodiscard]] static double decoded_by(const Pq& curve, double code);
    [[nodiscard]] static double decoded_by(const Hlg& curve, double code);
    [[nodiscard]] static double encoded_by(const Power& curve, double light);
    [[nodiscard]] static double encoded_by(const Sampled& curve, double light);
    [[nodiscard]] static double encoded_by(const Mirrored& curve, double light);
    [[nodiscard]] static double encoded_by(const Pq& curve, double light);
    [[nodiscard]] static double encoded_by(const Hlg& curve, double light);

    std::variant<Mirrored, Power, Sampled, Pq, Hlg> curve_;
};

/// The transfer function of a file's colours.
struct Transfer {
    /// Which part of the file names the function.
    enum class Tag : std::uint8_t {
        none,   ///< nothing, or sRGB: readers treat integers as sRGB and floats as light
        icc,    ///< its ICC profile
        gamma,  ///< PNG's gAMA, or the same in other formats
        exif,   ///< its Exif block: AdobeRGB
        cicp,   ///< PNG's cICP, where no other tag can say it
    };
    /// How it is computed.
    enum class Shape : std::uint8_t {
        linear,  ///< the samples are light
        srgb,    ///< equal to the curve of base/light.h within the precision of the samples' type
        other,
    };

    std::string name;  ///< "sRGB", "gamma 2.2", "ICC: ProPhoto RGB", "linear"
    Tag tag = Tag::none;
    Shape shape = Shape::linear;
    double gamma = 1;                    ///< of Tag::gamma
    double white = 0;                    ///< the luminance of light 1 in cd/m2, where the function states one
    std::vector<ToneCurve> curves = {};  ///< of Shape::other: one for all colours, or one a colour

    /// `colour`: which of the colours, counted without alpha.
    [[nodiscard]] double decoded(double code, std::size_t colour) const;
    [[nodiscard]] double encoded(double light, std::size_t colour) const;
};

/// Light as it is, and sRGB, which nothing in the file needs to say.
[[nodiscard]] std::shared_ptr<const Transfer> linear_transfer();
[[nodiscard]] std::shared_ptr<const Transfer> srgb_transfer();

}  // namespace clconv
