// From what the user names (files, folders, patterns) to the sorted list of images.
#pragma once

#include "report/events.h"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace clconv {

struct InputRequest {
    std::vector<std::string> inputs;    ///< files, folders, glob patterns, frame patterns
    bool recursive = false;             ///< look into folders below a folder, too
    std::vector<std::string> include;   ///< if there are any, one of them must match
    std::vector<std::string> exclude;   ///< none of them may match
    std::filesystem::path skip_folder;  ///< not looked into when found below a folder: the output folder
    std::set<int> frames;               ///< of frame patterns; empty: all that exist
    std::set<std::string> no_output;    ///< extensions of images that are only listed if they are named
};

struct InputFile {
    std::filesystem::path path;
    std::filesystem::path folder;  ///< relative, below the INPUT that it was found through; empty for a named file
    std::string order = {};        ///< what frames are sorted by, instead of the path
};

/// The images that the request means, sorted by the bytes of their paths, each name once, however it is spelled (the
/// first INPUT that leads to it decides its folder). Links are names of their own: frames that are held as links to
/// another one are all made. Frames of a sequence (files/frames.h) are sorted by number.
///
/// A named file is always listed, even if it does not exist, so that reading it fails alone. In folders, and among
/// what a pattern matches, a file is an image if its extension is one of `extensions`; hidden files are left out as
/// shells do; FIFOs, sockets and devices, also behind links, with a warning; those of `no_output` with one for each
/// extension. What a pattern matches lies below the pattern's leading components without wildcards, so that equal names
/// in several folders do not meet. A frame pattern that is no file's name itself means the frames that are asked for,
/// as if each was named, or all that exist. Patterns of include and exclude match the name, or, if they hold a slash,
/// the path below the INPUT. Throws NoInput, naming what was looked for, if nothing that exists is left; InvalidProblem
/// for frames without a frame pattern.
[[nodiscard]] std::vector<InputFile> list_inputs(const InputRequest& request, const std::set<std::string>& extensions,
                                                 Sink& sink);

/// The lines of a file of inputs, "-" for standard input; empty lines are left out, as is a carriage return at a
/// line's end. Throws NoInput if it cannot be read.
[[nodiscard]] std::vector<std::string> lines_of(const std::string& file);

}  // namespace clconv
