// SPDX-License-Identifier: Apache-2.0
// The PSFs of a run, adapted to each image. By default, an image's size does not matter. But if a look must be the same
// on images of all sizes, a PSF is made for each length of the shorter side. PSFs apply to images as displayed, so they
// are rotated or mirrored for images that are stored rotated or mirrored. A PSF of three colours is expanded for images
// of several layers.
#pragma once

#include "base/orientation.h"
#include "image/image.h"
#include "psf/orient.h"
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
    /// Returns `psf` for images with a shorter side of this many pixels. Throws InvalidProblem.
    using Fit = std::function<Psf(const Psf& psf, int shorter_side)>;
    using Given = PsfGiven;

    PsfSet(std::vector<std::shared_ptr<const Psf>> psfs = {}, Fit fit = {}, Given given = Given::viewed);

    /// The PSFs as they were given.
    [[nodiscard]] const std::vector<std::shared_ptr<const Psf>>& all() const { return psfs_; }

    /// PSF `number` for an image of this stored size and orientation (1 to 8, Exif's). `layers`: of the image's
    /// channels, if a PSF of three has to know them. Returns the given PSF if nothing changes, and the object that it
    /// returned before for a similar image shortly before. Threads may share the set. Throws what `fit` throws.
    [[nodiscard]] std::shared_ptr<const Psf> of(std::size_t number, Extent image, int orientation = kUpright,
                                                const std::vector<LayerChannel>& layers = {}) const;
    [[nodiscard]] std::shared_ptr<const Psf> for_image(std::size_t number, const Image& image) const
    {
        return of(number, image.extent, image.orientation, image.layers);
    }

private:
    struct Fitted {
        std::size_t number;
        int shorter_side;  ///< 0 if it does not matter
        int orientation;
        std::vector<LayerChannel> layers;
        std::shared_ptr<const Psf> psf;
    };
    /// Shared by copies of the set.
    struct Known {
        std::mutex mutex;
        std::list<Fitted> fitted;  ///< the most recently used first
    };

    [[nodiscard]] std::shared_ptr<const Psf> made(const Fitted& wanted) const;

    std::vector<std::shared_ptr<const Psf>> psfs_;
    Fit fit_;
    Given given_;
    std::shared_ptr<Known> known_ = std::make_shared<Known>();
};

}  // namespace clconv
