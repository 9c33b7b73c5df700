// SPDX-License-Identifier: Apache-2.0
#include "batch/copying_worker.h"

#include "base/errors.h"

#include <utility>

namespace clconv {
namespace {

class CopyingWorker final : public ImageWorker {
public:
    CopyingWorker(const ImageWork& work, const BlockPool& memory, const Streaming& streaming)
        : work_(work), memory_(memory), streaming_(streaming)
    {
    }

    [[nodiscard]] std::size_t capacity() const override { return 1; }
    void expect(const Image& /*image*/, const Item& /*item*/) noexcept override {}
    void start(const std::shared_ptr<const Image>& image, const Item& item, const ReportProgress& /*progress*/) override
    {
        if (image->parts.size() > 1) {
            Parts parts(*this, item);
            started_ = convolve_parts(parts_task(*image, item, work_, memory_, streaming_), parts);
        } else {
            started_ = {image, {}, {}, {}, {}};
        }
    }
    [[nodiscard]] Convolved finish() override { return std::move(started_); }
    void renew() override {}
    void keep_programs(Seconds /*budget*/) noexcept override {}
    [[nodiscard]] std::string name() const override { return "no device"; }

private:
    class Parts final : public PartWorker {
    public:
        Parts(const CopyingWorker& worker, const Item& item) : worker_(worker), item_(item) {}
        [[nodiscard]] std::size_t capacity() const override { return 1; }
        [[nodiscard]] Image result_header(const Image& part) const override { return without_samples(part); }
        [[nodiscard]] WriteOptions write_options(const Image& part, std::size_t which) const override
        {
            return clconv::write_options(part, item_, worker_.work_, which);
        }
        void start(const std::shared_ptr<const Image>& part) override { started_ = part; }
        [[nodiscard]] Convolved finish() override { return {std::move(started_), {}, {}, {}, {}}; }
        [[nodiscard]] Streamed stream(const Image& /*part*/, int /*number*/, const MakeRows& /*rows*/) override
        {
            throw InternalError("copies are not made by bands");
        }

    private:
        const CopyingWorker& worker_;
        const Item& item_;
        std::shared_ptr<const Image> started_;
    };

    const ImageWork& work_;
    const BlockPool memory_;
    const Streaming streaming_;
    Convolved started_;
};

}  // namespace

std::shared_ptr<ImageWorker> copying_worker(const ImageWork& work, const BlockPool& memory, const Streaming& streaming)
{
    return std::make_shared<CopyingWorker>(work, memory, streaming);
}

}  // namespace clconv
