// SPDX-License-Identifier: Apache-2.0
#include "batch/recorded_steps.h"

#include "files/digest.h"
#include "files/temporary_folder.h"

#include <gtest/gtest.h>

namespace clconv {
namespace {

class Silent final : public Sink {
public:
    void message(Level /*level*/, std::string_view /*said*/) override {}
};

using RecordedSteps = InATemporaryFolder;

TEST_F(RecordedSteps, ProveWhatTheyHaveWritten)
{
    Silent sink;
    const std::atomic<int> never = 0;
    const ManifestContext context{at("out"), {digest_of_file(file("psf", "1"))}, "options"};
    std::vector<Item> items(1);
    items[0].info.input = file("in/a.png", "image");
    items[0].info.output = at("out/a.png");
    Steps steps;
    steps.read = [](const Item&, const AllocateSamples&) { return Image{}; };
    steps.write = [this](const Image&, const Item& item) {
        (void)file("out/" + item.info.output.filename().string(), "new");
    };
    skip_what_is_done(items, {}, context, 1, never, sink);
    EXPECT_FALSE(items[0].skip);
    {
        Manifest manifest(at("m.ndjson"));
        const Steps recorded =
            recorded_steps(steps, context, [&](const ManifestRecord& record) { manifest.append(record, sink); });
        recorded.write(recorded.read(items[0], allocate_samples), items[0]);
    }
    skip_what_is_done(items, load_manifests({at("m.ndjson")}), context, 1, never, sink);
    EXPECT_TRUE(items[0].skip);
}

}  // namespace
}  // namespace clconv
