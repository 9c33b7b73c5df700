// SPDX-License-Identifier: Apache-2.0
#include "engine/convolver.h"

#include "base/clock.h"
#include "base/errors.h"
#include "engine/planned_in_words.h"
#include "library/errors.h"
#include "library/inside.h"
#include "library/requested_work.h"
#include "library/samples.h"
#include "library/work_done.h"

#include <utility>

namespace clconv::v0 {

struct Convolver::Inside {
    Inside(std::shared_ptr<Device::Inside> on, std::shared_ptr<const clconv::Psf> with, RequestedWork work)
        : device(std::move(on)), psf(std::move(with)), requested(std::move(work)), done(*device, psf, requested)
    {
    }

    std::shared_ptr<Device::Inside> device;
    std::shared_ptr<const clconv::Psf> psf;
    RequestedWork requested;
    WorkDone done;
};

Convolver::Convolver(const Device& device, const Psf& psf, const Options& options, Operation operation)
    : inside_(translated([&] {
          const auto& on = Access::held(device);
          return std::make_shared<Inside>(on, Access::held(psf)->psf, requested_work(operation, options, *on));
      }))
{
}

Size Convolver::result_size(int width, int height) const
{
    return translated([&] {
        const Extent extent = result_extent(inside_->requested, {width, height},
                                            *fitted(inside_->requested, inside_->psf, {width, height}));
        return Size{extent.width, extent.height};
    });
}

Report Convolver::run(const ConstView& image, const View& result)
{
    return translated([&] {
        const auto start = Clock::now();
        const std::lock_guard lock(inside_->device->mutex);
        if (inside_->done.has_started())
            throw clconv::InvalidProblem("run(): other images are started; finish them first");
        inside_->done.start(image, result);
        Report report = inside_->done.finish();
        report.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        return report;
    });
}

std::size_t Convolver::capacity() const
{
    return translated([&] {
        const std::lock_guard lock(inside_->device->mutex);
        return inside_->done.capacity();
    });
}

void Convolver::start(const ConstView& image, const View& result)
{
    translated([&] {
        const std::lock_guard lock(inside_->device->mutex);
        inside_->done.start(image, result);
    });
}

Report Convolver::finish()
{
    return translated([&] {
        const auto start = Clock::now();
        const std::lock_guard lock(inside_->device->mutex);
        Report report = inside_->done.finish();
        report.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        return report;
    });
}

std::string Convolver::plan(const ConstView& image, SampleType result) const
{
    return translated([&] {
        const std::lock_guard lock(inside_->device->mutex);
        const auto psf = fitted(inside_->requested, inside_->psf, {image.width, image.height});
        return planned(inside_->requested, image, result, *psf, inside_->device->device->info());
    });
}

Report convolve(const Device& device, const ConstView& image, const View& result, const Psf& psf,
                const Options& options)
{
    return Convolver(device, psf, options, Operation::convolve).run(image, result);
}

Report deconvolve(const Device& device, const ConstView& image, const View& result, const Psf& psf,
                  const Options& options)
{
    return Convolver(device, psf, options, Operation::deconvolve).run(image, result);
}

Report bloom(const Device& device, const ConstView& image, const View& result, const Psf& psf, const Options& options)
{
    return Convolver(device, psf, options, Operation::bloom).run(image, result);
}

}  // namespace clconv::v0
