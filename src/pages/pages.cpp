// SPDX-License-Identifier: Apache-2.0
#include "pages/pages.h"

#include "base/errors.h"

#include <fmt/format.h>

#include <map>

namespace clconv {

std::map<std::string, std::string> embedded_pages();  // made by cmake/EmbedFiles.cmake

namespace {

/// `frame` with each @NAME@ replaced by the text of that name. Marks within these texts stay as they are.
std::string filled(std::string_view frame, const std::map<std::string_view, std::string>& texts)
{
    std::string result;
    while (true) {
        const std::size_t begin = frame.find('@');
        const std::size_t end = begin == std::string_view::npos ? begin : frame.find('@', begin + 1);
        if (end == std::string_view::npos) return result.append(frame);
        const auto text = texts.find(frame.substr(begin + 1, end - begin - 1));
        if (text == texts.end()) throw InternalError("the frame of pages has a mark without a text");
        result.append(frame.substr(0, begin)).append(text->second);
        frame.remove_prefix(end + 1);
    }
}

}  // namespace

std::string escaped(std::string_view text)
{
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&': result += "&amp;"; break;
            case '<': result += "&lt;"; break;
            case '>': result += "&gt;"; break;
            case '"': result += "&quot;"; break;
            default: result += c;
        }
    }
    return result;
}

std::string embedded_json(std::string_view id, std::string_view json)
{
    // In JSON, this character occurs only within strings. Without it, no string ends the element or begins a comment.
    std::string text;
    text.reserve(json.size());
    for (const char c : json)
        if (c == '<')
            text += "\\u003c";
        else
            text += c;
    return fmt::format("<script type=\"application/json\" id=\"{}\">{}</script>\n", escaped(id), text);
}

std::string page_text(const Page& page)
{
    const auto files = embedded_pages();
    const auto file = [&](std::string_view name) -> const std::string& {
        const auto found = files.find(std::string(name));
        if (found == files.end()) throw InternalError(fmt::format("{} is not among the files of pages", name));
        return found->second;
    };
    std::string styles = file("page.css");
    for (const std::string_view name : page.styles) styles += file(name);
    std::string scripts;
    for (const std::string_view name : page.scripts) scripts += file(name);
    return filled(
        file("frame.html"),
        {{"TITLE", escaped(page.title)}, {"STYLES", styles}, {"CONTENT", page.content}, {"SCRIPTS", scripts}});
}

}  // namespace clconv
