// SPDX-License-Identifier: Apache-2.0
#include "fits/fits_header.h"

#include "base/errors.h"

#include <fitsio.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>

namespace clconv::fits {
namespace {

/// Keywords about how pixels are stored, or about their values.
constexpr std::string_view kStructure[] = {"SIMPLE",  "XTENSION", "BITPIX",  "NAXIS", "PCOUNT", "GCOUNT",
                                           "GROUPS",  "EXTEND",   "BSCALE",  "BZERO", "BLANK",  "DATAMIN",
                                           "DATAMAX", "CHECKSUM", "DATASUM", "END"};

/// Keywords of an axis, followed by its number: CTYPE3, or CD3_1 and PC1_3, which concern both axes.
constexpr std::string_view kOfAxis[] = {"CTYPE", "CUNIT", "CRVAL", "CDELT", "CRPIX",
                                        "CROTA", "CNAME", "CRDER", "CSYER"};

std::string_view name_of_card(std::string_view card)
{
    const std::string_view name = card.substr(0, 8);
    return name.substr(0, name.find_last_not_of(' ') + 1);
}

/// The number between `prefix` and the end, or a letter there that names an alternate description: "CRPIX2A".
std::optional<int> number_after(std::string_view prefix, std::string_view name)
{
    if (!name.starts_with(prefix)) return std::nullopt;
    name.remove_prefix(prefix.size());
    int number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    const auto left = name.data() + name.size() - end;
    if (error != std::errc() || left > 1 || (left == 1 && (*end < 'A' || *end > 'Z'))) return std::nullopt;
    return number;
}

bool is_structure(std::string_view name)
{
    return std::ranges::find(kStructure, name) != std::end(kStructure) || number_after("NAXIS", name).has_value();
}

/// Whether the card concerns an axis above `maximum`.
bool is_of_higher_axis(std::string_view name, int maximum)
{
    for (const std::string_view prefix : kOfAxis)
        if (number_after(prefix, name).value_or(0) > maximum) return true;
    if (!name.starts_with("CD") && !name.starts_with("PC")) return false;
    const std::size_t line = name.find('_');
    if (line == std::string_view::npos) return false;
    return number_after(name.substr(0, 2), name.substr(0, line)).value_or(0) > maximum ||
           number_after(name.substr(0, line + 1), name).value_or(0) > maximum;
}

std::string card(std::string text)
{
    for (char& letter : text)
        if (letter < ' ' || letter > '~') letter = '?';
    text.resize(kCard, ' ');
    return text;
}

std::string value_card(std::string_view name, const std::string& value, std::string_view comment)
{
    return card(fmt::format("{:<8}= {:>20} / {}", name, value, comment));
}

std::string real(double value)
{
    std::string text = fmt::format("{:#}", value);
    std::ranges::replace(text, 'e', 'E');
    return text;
}

/// The card of a pixel's coordinate, moved; unchanged if its value is not a number.
std::string shifted(const std::string& old, double shift)
{
    std::array<char, FLEN_VALUE> value{};
    std::array<char, FLEN_COMMENT> comment{};
    int status = 0;
    fits_parse_value(const_cast<char*>(old.c_str()), value.data(), comment.data(), &status);
    std::string number(value.data());
    std::ranges::replace(number, 'D', 'E');
    char* end = nullptr;
    const double coordinate = std::strtod(number.c_str(), &end);
    if (status != 0 || number.empty() || *end != '\0') return old;
    return value_card(name_of_card(old), real(coordinate + shift), comment.data());
}

/// CRPIXn of the World Coordinate System, and LTVn of IRAF's.
std::optional<int> axis_of_coordinate(std::string_view name)
{
    const std::optional<int> axis = number_after("CRPIX", name);
    return axis ? axis : number_after("LTV", name);
}

std::string kept_cards(const NewHeader& header)
{
    std::string kept;
    std::map<int, double> missing;  // axes with coordinates but without CRPIX, which is then 0
    for (const auto& [axis, shift] : header.shifts)
        if (shift != 0) missing[axis] = shift;
    const auto has = [&](const std::string& name) {
        for (std::size_t at = 0; at + kCard <= header.cards.size(); at += kCard)
            if (name_of_card(std::string_view(header.cards).substr(at, kCard)) == name) return true;
        return false;
    };
    std::erase_if(missing, [&](const auto& entry) {
        return has(fmt::format("CRPIX{}", entry.first)) || !has(fmt::format("CRVAL{}", entry.first));
    });
    for (std::size_t at = 0; at + kCard <= header.cards.size(); at += kCard) {
        const std::string old = header.cards.substr(at, kCard);
        const std::string_view name = name_of_card(old);
        if (is_structure(name)) continue;
        if (header.meaningful_axes > 0 && is_of_higher_axis(name, header.meaningful_axes)) continue;
        const std::optional<int> axis = axis_of_coordinate(name);
        const auto shift = axis ? header.shifts.find(*axis) : header.shifts.end();
        kept += shift == header.shifts.end() || shift->second == 0 ? old : shifted(old, shift->second);
    }
    for (const auto& [axis, shift] : missing)
        kept += value_card(fmt::format("CRPIX{}", axis), real(shift), "moved with the image");
    return kept;
}

int bitpix_of(FileType type)
{
    switch (type) {
        case FileType::u8:
        case FileType::i8: return 8;
        case FileType::u16:
        case FileType::i16: return 16;
        case FileType::i32:
        case FileType::u32: return 32;
        case FileType::float32: return -32;
        case FileType::float64: return -64;
        case FileType::half: break;
    }
    throw InternalError("FITS files of halves are not written");
}

const char* zero_of(FileType type)
{
    if (type == FileType::i8) return "-128";
    return type == FileType::u16 ? "32768" : "2147483648";
}

std::string structure(const NewHeader& header)
{
    std::string cards = header.is_extension ? card("XTENSION= 'IMAGE   '           / IMAGE extension")
                                            : value_card("SIMPLE", "T", "conforms to the FITS standard");
    cards += value_card("BITPIX", std::to_string(bitpix_of(header.type)), "bits of a sample");
    cards += value_card("NAXIS", std::to_string(header.axes.size()), "number of axes");
    for (std::size_t axis = 0; axis < header.axes.size(); ++axis)
        cards += value_card(fmt::format("NAXIS{}", axis + 1), std::to_string(header.axes[axis]), "");
    if (header.is_extension) {
        cards += value_card("PCOUNT", "0", "") + value_card("GCOUNT", "1", "");
    } else {
        cards += value_card("EXTEND", "T", "there may be extensions");
    }
    if (has_flipped_sign(header.type))
        cards += value_card("BSCALE", "1", "") + value_card("BZERO", zero_of(header.type), "offset of the integers");
    return cards;
}

std::string history_cards(const std::string& history)
{
    constexpr std::size_t room = 72;
    std::string cards;
    for (std::size_t at = 0; at < history.size(); at += room) cards += card("HISTORY " + history.substr(at, room));
    return cards;
}

/// The cards, with the end of a header.
std::string in_blocks(std::string cards)
{
    cards += card("END");
    cards.resize(static_cast<std::size_t>(up_to_block(static_cast<std::int64_t>(cards.size()))), ' ');
    return cards;
}

std::string checksum_card(const std::string& text)
{
    return card(fmt::format("CHECKSUM= '{}'   / HDU checksum", text));
}

}  // namespace

bool has_flipped_sign(FileType type) { return type == FileType::i8 || type == FileType::u16 || type == FileType::u32; }

bool has_checksums(std::string_view cards)
{
    for (; cards.size() >= kCard; cards.remove_prefix(kCard))
        if (const std::string_view name = name_of_card(cards); name == "CHECKSUM" || name == "DATASUM") return true;
    return false;
}

void Checksum::add(std::int64_t offset, const void* bytes, std::size_t count)
{
    const auto* const values = static_cast<const unsigned char*>(bytes);
    for (std::size_t i = 0; i < count; ++i) lanes_[(static_cast<std::size_t>(offset) + i) % 4] += values[i];
}

std::uint32_t Checksum::value() const
{
    constexpr std::uint64_t maximum = 0xFFFFFFFF;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < lanes_.size(); ++i) sum += lanes_[i] % maximum << 8 * (3 - i);
    sum %= maximum;
    // Ones' complement has two zeros. Sums of anything except zeros give the other one.
    const bool nothing = std::ranges::all_of(lanes_, [](std::uint64_t lane) { return lane == 0; });
    return static_cast<std::uint32_t>(sum == 0 && !nothing ? maximum : sum);
}

std::string header_text(const NewHeader& header, const std::uint32_t* data)
{
    const std::string cards = structure(header) + kept_cards(header) + history_cards(header.history);
    if (data == nullptr) return in_blocks(cards);
    const std::string with_sum = cards + card(fmt::format("DATASUM = '{:<10}'         / data unit checksum", *data));
    Checksum sum;
    const std::string blank = in_blocks(with_sum + checksum_card(std::string(16, '0')));
    sum.add(0, blank.data(), blank.size());
    std::uint64_t total = std::uint64_t{sum.value()} + *data;
    total = (total & 0xFFFFFFFF) + (total >> 32U);
    std::array<char, 17> ascii{};
    fits_encode_chksum(static_cast<unsigned long>(total), 1, ascii.data());
    return in_blocks(with_sum + checksum_card(ascii.data()));
}

}  // namespace clconv::fits
