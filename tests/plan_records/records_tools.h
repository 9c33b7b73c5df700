// SPDX-License-Identifier: Apache-2.0
// An imaginary device, problems, a record of one of them, and a folder for records that is removed after the test.
#pragma once

#include "base/cache_folder.h"
#include "plan/plan.h"
#include "plan_records/record.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <ostream>

namespace clconv {

inline void PrintTo(const Record& record, std::ostream* out) { *out << record_text(record); }

namespace test {

inline const DeviceInfo kDevice{
    .index = "0:0",
    .platform = "Maker",
    .name = "A GPU",
    .vendor = "Maker",
    .driver = "1.0",
    .version = "OpenCL 1.2",
    .type = "gpu",
    .compute_units = 8,
    .clock_mhz = 1000,
    .traits = {
        .local_memory = 49152, .max_work_group = 1024, .global_memory = 8ull << 30, .max_allocation = 2ull << 30}};

inline Problem rgb_problem(Extent image)
{
    Problem problem;
    problem.image = image;
    problem.channels = 3;
    problem.input = problem.output = SampleType::u8;
    problem.psf = {63, 63};
    problem.origin = {31, 31};
    return problem;
}
inline const Problem kPhoto = rgb_problem({640, 480});
inline const Problem kVideo = rgb_problem({1920, 1080});

inline constexpr const char* kKernels = "0123456789abcdef";

/// The record that `decisions` were measured to be best for `problem` on kDevice.
inline Record a_record(const Problem& problem, std::vector<std::string> decisions = {"method=fft"})
{
    const Plan heuristic = make_plan(problem, kDevice.traits);
    return {.key = record_key(kDevice, kKernels, problem, {}),
            .similar = similar_token(problem, padded_extent(heuristic)),
            .decisions = std::move(decisions),
            .plan = "a plan",
            .ms = 1,
            .heuristic_ms = 1.25};
}

class InARecordFolder : public testing::Test {
protected:
    InARecordFolder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "clconv-records-XXXXXX").string();
        folder_ = CacheFolder(mkdtemp(name.data()));
    }
    ~InARecordFolder() override
    {
        std::error_code ignored;
        std::filesystem::remove_all(folder_.path(), ignored);
    }
    CacheFolder folder_;
};

}  // namespace test
}  // namespace clconv
