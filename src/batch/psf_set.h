// The PSFs of a run. As a rule an image's size does not matter; where a look is to be the same on images of all sizes,
// a PSF is made for each height that occurs.
#pragma once

#include "psf/psf.h"

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

namespace clconv {

class PsfSet {
public:
    /// What `psf` becomes for images of this height. Throws InvalidProblem.
    using Fit = std::function<Psf(const Psf& psf, int height)>;

    PsfSet(std::vector<std::shared_ptr<const Psf>> psfs = {}, Fit fit = {});

    /// As they were given.
    [[nodiscard]] const std::vector<std::shared_ptr<const Psf>>& all() const { return psfs_; }

    /// PSF `number` for an image. The same one again, by its address, for one of the same height soon after. Threads
    /// may share the set. Throws what `fit` throws.
    [[nodiscard]] std::shared_ptr<const Psf> of(std::size_t number, Extent image) const;

private:
    struct Fitted {
        std::size_t number;
        int height;
        std::shared_ptr<const Psf> psf;
    };
    /// Shared by copies of the set.
    struct Known {
        std::mutex mutex;
        std::list<Fitted> fitted;  ///< the last used first
    };

    std::vector<std::shared_ptr<const Psf>> psfs_;
    Fit fit_;
    std::shared_ptr<Known> known_ = std::make_shared<Known>();
};

}  // namespace clconv
