// What makes light of a file's codes, and codes of light: tone curves, and which of them a file has.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace clconv {

/// One channel's curve: rises from black to white, may be level in places. Codes and light go from 0 to 1; what lies
/// beyond is continued.
class ToneCurve {
public:
    /// light = (a code + b)^g + e from code d on, c code + f below it: type 4 of ICC.1:2022, 10.18, which the others
    /// are cases of.
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
    /// Lights of evenly spaced codes from 0 to 1, at least two; straight lines between them, and beyond the last ones.
    [[nodiscard]] static ToneCurve table(std::vector<double> lights);
    /// light = code^g, mirrored for negative codes.
    [[nodiscard]] static ToneCurve gamma(double g);

    [[nodiscard]] double decoded(double code) const;
    /// The way back. Where many codes have one light: the end that is black's or white's, else the first of them.
    [[nodiscard]] double encoded(double light) const;

    bool operator==(const ToneCurve&) const = default;

    /// Whether it can be used: rising, its lights neither far below black nor far above white.
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
    [[nodiscard]] static double decoded_by(const Power& curve, double code);
    [[nodiscard]] static double decoded_by(const Sampled& curve, double code);
    [[nodiscard]] static double decoded_by(const Mirrored& curve, double code);
    [[nodiscard]] static double encoded_by(const Power& curve, double light);
    [[nodiscard]] static double encoded_by(const Sampled& curve, double light);
    [[nodiscard]] static double encoded_by(const Mirrored& curve, double light);

    std::variant<Mirrored, Power, Sampled> curve_;
};

/// The transfer function of a file's colours.
struct Transfer {
    /// What in the file says so.
    enum class Tag : std::uint8_t {
        none,   ///< nothing, or that it is sRGB: readers take integers for sRGB and floats for light
        icc,    ///< its ICC profile
        gamma,  ///< PNG's gAMA, or what other formats have like it
        exif,   ///< its Exif block: AdobeRGB
    };
    /// What it costs.
    enum class Shape : std::uint8_t {
        linear,  ///< the samples are light
        srgb,    ///< as near to the curve of base/light.h as the samples' type can tell
        other,
    };

    std::string name;  ///< "sRGB", "gamma 2.2", "ICC: ProPhoto RGB", "linear"
    Tag tag = Tag::none;
    Shape shape = Shape::linear;
    double gamma = 1;                    ///< of Tag::gamma
    std::vector<ToneCurve> curves = {};  ///< of Shape::other: one for all colours, or one a colour

    /// `colour`: which of the colours, counted without alpha.
    [[nodiscard]] double decoded(double code, std::size_t colour) const;
    [[nodiscard]] double encoded(double light, std::size_t colour) const;
};

/// Light as it is, and sRGB, which nothing in the file needs to say.
[[nodiscard]] std::shared_ptr<const Transfer> linear_transfer();
[[nodiscard]] std::shared_ptr<const Transfer> srgb_transfer();

}  // namespace clconv
