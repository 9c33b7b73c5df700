// SPDX-License-Identifier: Apache-2.0
// Expands the inputs of the user (files, folders, patterns) to the sorted list of images.
#pragma once

#include "base/messages.h"

#include <atomic>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace clconv {

struct InputRequest {
    std::vector<std::string> inputs;    ///< files, folders, glob patterns, frame patterns
    bool recursive = false;             ///< also list subfolders
    std::vector<std::string> include;   ///< if not empty, one of them must match
    std::vector<std::string> exclude;   ///< none of them may match
    std::filesystem::path skip_folder;  ///< not listed if it is below a folder: the output folder
    std::set<int> frames;               ///< of frame patterns; empty: all that exist
    std::set<std::string> no_output;    ///< extensions of images that are listed only if they are named
    bool whole = false;  ///< folders that cannot be listed, and links to them, are InputErrors, not warnings
};

struct InputFile {
    std::filesystem::path path;
    std::filesystem::path folder;  ///< relative to the INPUT through which it was found; empty for a named file
    std::string order = {};        ///< the sort key of frames, instead of the path
};

/// The images of the request, sorted by the bytes of their paths. Each name is listed once, however it is spelled; the
/// first INPUT that leads to it decides its folder. Links are separate names, so held frames, which are links to
/// another one, are all made. Frames of a sequence (files/frames.h) are sorted by number.
///
/// A named file is always listed, even if it does not exist, so that reading it fails alone. In folders and patterns, a
/// file is an image if its extension is one of `extensions`. With `recursive`, links to folders are left out with a
/// warning. Hidden files are left out, as in shells. FIFOs, sockets
/// and devices, also behind links, are left out with a warning, and extensions of `no_output` with one warning each.
/// The folder of a file that a pattern matches is relative to the pattern's leading components without wildcards, so
/// that equal names in several folders do not collide. If a frame pattern is not a file's name itself, it means the
/// requested frames, as if each was named, or all that exist. Patterns of include and exclude match the name or, if
/// they have a slash, the path below the INPUT. Throws NoInput with a list of all places if no image is found,
/// InvalidProblem for an empty name, and for frames without a frame pattern, and InputError (see InputRequest::whole).
[[nodiscard]] std::vector<InputFile> list_inputs(const InputRequest& request, const std::set<std::string>& extensions,
                                                 Messages& messages);

/// The lines of a file of inputs, or of standard input for "-", without empty lines and carriage returns at line ends.
/// If it holds a NUL, these end its names instead. Throws NoInput if it cannot be read, and InputError if `stop` is not
/// 0 before its end: it may be a pipe or a FIFO.
[[nodiscard]] std::vector<std::string> lines_of(const std::string& file, const std::atomic<int>& stop);

}  // namespace clconv
