// SPDX-License-Identifier: Apache-2.0
// A folder for one test, gone when the test ends.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace clconv {

class InATemporaryFolder : public testing::Test {
protected:
    InATemporaryFolder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "clconv-batch-XXXXXX").string();
        folder_ = mkdtemp(name.data());
    }
    ~InATemporaryFolder() override
    {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }

    /// Makes a file, and the folders it is in. Returns its path.
    std::string file(const std::string& relative, std::string_view text = "x") const
    {
        const std::filesystem::path path = folder_ / relative;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
        return path.string();
    }
    [[nodiscard]] std::string at(const std::string& relative) const { return (folder_ / relative).string(); }

    std::filesystem::path folder_;
};

/// The message of the Wanted that `work` throws; a failed test and "" if it throws none.
template <class Wanted, class Work>
std::string message_of(const Work& work)
{
    try {
        work();
    } catch (const Wanted& error) {
        return error.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
}

}  // namespace clconv
