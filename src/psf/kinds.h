// SPDX-License-Identifier: Apache-2.0
// The kinds of PSF that can be made from words, each with its arguments: one table that the parser, errors, --help and
// the test of docs/psfs.md read. Formulas are in one file for each family: gaussian, shapes, airy, tails, needles,
// diffraction.
#pragma once

#include "psf/profile.h"
#include "psf/psf.h"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace clconv {

/// The largest width of a generated PSF in pixels. It carries light from one edge of a UHD image to the other. In
/// double, it takes 0.5 GB a channel.
inline constexpr int kMaxPsfSize = 8193;

enum class ArgumentType {
    number,
    whole,  ///< a number without a fraction
    text,   ///< a file's name, or a word
};

struct KindArgument {
    std::string_view name;
    std::string_view unit;  ///< "px", "degrees", "um", or nothing
    double minimum = 0;
    double maximum = 0;
    std::optional<double> default_value;  ///< none: must be given, or `help` names what replaces it
    std::string_view help;
    ArgumentType type = ArgumentType::number;
    std::string_view default_text = {};  ///< the default of a text
};

/// The arguments that a PSF in words gives to its kind, and their defaults.
class KindArguments {
public:
    explicit KindArguments(std::span<const KindArgument> known) : known_(known) {}

    void set(std::string_view name, double value) { numbers_.insert_or_assign(std::string(name), value); }
    void set(std::string_view name, std::string value) { texts_.insert_or_assign(std::string(name), std::move(value)); }

    [[nodiscard]] bool is_given(std::string_view name) const;
    /// The given value, else the default. Throws InvalidProblem if there is neither.
    [[nodiscard]] double number(std::string_view name) const;
    [[nodiscard]] std::string text(std::string_view name) const;

private:
    std::span<const KindArgument> known_;
    std::map<std::string, double, std::less<>> numbers_;
    std::map<std::string, std::string, std::less<>> texts_;
};

/// Reads the file that an argument names, because src/psf knows no files. Returns samples as they are stored.
using ReadPsfFile = std::function<Psf(const std::string& name)>;

struct PsfKind {
    std::string_view name;
    std::string_view what;  ///< one line
    /// The first one may be given without its name.
    std::span<const KindArgument> arguments;
    /// The share of the light that the extent `auto` holds; 1 is all of it.
    double default_share = 1;
    /// Throws InvalidProblem if arguments are missing or contradict each other, and what the reader throws.
    ProfilePtr (*profile)(const KindArguments& arguments, const ReadPsfFile& read);

    [[nodiscard]] const KindArgument* argument(std::string_view argument_name) const;
};

[[nodiscard]] std::span<const PsfKind> psf_kinds();

/// Arguments that every kind has: `size` and `share`.
[[nodiscard]] std::span<const KindArgument> common_arguments();

/// Null if there is no such kind.
[[nodiscard]] const PsfKind* psf_kind_named(std::string_view name);

/// "radius (px, 0.05 to 4096), blades (3 to 64, default 6)": for errors and help.
[[nodiscard]] std::string described(const KindArgument& argument);

/// All kinds with their arguments, for --help.
[[nodiscard]] std::string psf_kinds_help();

}  // namespace clconv
