// SPDX-License-Identifier: Apache-2.0
#include "batch/item_errors.h"

#include "base/errors.h"

#include <fmt/format.h>

#include <new>

namespace clconv {

std::string message_for_item(const std::exception_ptr& error, const Item& item)
{
    try {
        std::rethrow_exception(error);
    } catch (const BuildError&) {
        throw;
    } catch (const InternalError&) {
        throw;
    } catch (const Error& known) {
        const std::string text = known.what();
        // In a log of a thousand images, every message must name its image.
        const bool names_item = text.find(item.info.input.string()) != std::string::npos ||
                                text.find(item.info.output.string()) != std::string::npos;
        return names_item ? text : item.info.input.string() + ": " + text;
    } catch (const std::bad_alloc&) {
        return item.info.input.string() + ": not enough memory; try --jobs 1 or a smaller image";
    } catch (const std::exception& other) {
        // An exception of a library that reads or writes one file (std::length_error for an absurd size) says nothing
        // about other files.
        return fmt::format("{}: cannot be made: {}; {}", item.info.input.string(), other.what(), kBadFileAdvice);
    } catch (...) {
        return fmt::format("{}: cannot be made: a library failed without giving a reason; {}", item.info.input.string(),
                           kBadFileAdvice);
    }
}

bool is_output_exists(const std::exception_ptr& error)
{
    try {
        std::rethrow_exception(error);
    } catch (const OutputExists&) {
        return true;
    } catch (...) {
        return false;
    }
}

}  // namespace clconv
