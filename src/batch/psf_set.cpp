// SPDX-License-Identifier: Apache-2.0
#include "batch/psf_set.h"

#include "psf/by_colour.h"

#include <algorithm>
#include <utility>

namespace clconv {

PsfSet::PsfSet(std::vector<std::shared_ptr<const Psf>> psfs, Fit fit, Given given)
    : psfs_(std::move(psfs)), fit_(std::move(fit)), given_(given)
{
}

std::shared_ptr<const Psf> PsfSet::of(std::size_t number, Extent image, int orientation,
                                      const std::vector<LayerChannel>& layers) const
{
    constexpr std::size_t maximum = 64;
    constexpr int colours_of_triple = 3;
    if (given_ == Given::stored) orientation = kUpright;
    const bool by_colour = !layers.empty() && psfs_.at(number)->channels == colours_of_triple;
    if (!fit_ && orientation == kUpright && !by_colour) return psfs_.at(number);
    const int shorter_side = fit_ ? std::min(image.width, image.height) : 0;
    const std::lock_guard lock(known_->mutex);
    std::list<Fitted>& fitted = known_->fitted;
    Fitted wanted{number, shorter_side, orientation, by_colour ? layers : std::vector<LayerChannel>{}, nullptr};
    for (auto known = fitted.begin(); known != fitted.end(); ++known)
        if (known->number == number && known->shorter_side == shorter_side && known->orientation == orientation &&
            known->layers == wanted.layers) {
            fitted.splice(fitted.begin(), fitted, known);
            return fitted.front().psf;
        }
    wanted.psf = made(wanted);
    fitted.push_front(std::move(wanted));
    std::shared_ptr<const Psf> psf = fitted.front().psf;
    if (fitted.size() > maximum) fitted.pop_back();
    return psf;
}

std::shared_ptr<const Psf> PsfSet::made(const Fitted& wanted) const
{
    std::shared_ptr<const Psf> psf = psfs_.at(wanted.number);
    if (fit_) psf = std::make_shared<const Psf>(fit_(*psf, wanted.shorter_side));
    if (wanted.orientation != kUpright) {
        // A symmetric PSF stays the same object, so that it is not prepared twice.
        auto adapted = std::make_shared<const Psf>(oriented(*psf, wanted.orientation));
        if (!same_samples(*adapted, *psf)) psf = std::move(adapted);
    }
    return wanted.layers.empty() ? psf : std::make_shared<const Psf>(by_colour(*psf, wanted.layers));
}

}  // namespace clconv
