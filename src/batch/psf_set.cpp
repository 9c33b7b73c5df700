#include "batch/psf_set.h"

#include <utility>

namespace clconv {

PsfSet::PsfSet(std::vector<std::shared_ptr<const Psf>> psfs, Fit fit, Given given)
    : psfs_(std::move(psfs)), fit_(std::move(fit)), given_(given)
{
}

std::shared_ptr<const Psf> PsfSet::of(std::size_t number, Extent image, int orientation) const
{
    constexpr std::size_t most = 64;
    if (given_ == Given::stored) orientation = kUpright;
    if (!fit_ && orientation == kUpright) return psfs_.at(number);
    int height = 0;  // which does not matter without a fit
    if (fit_) height = is_turned_sideways(orientation) ? image.width : image.height;
    const std::lock_guard lock(known_->mutex);
    std::list<Fitted>& fitted = known_->fitted;
    for (auto known = fitted.begin(); known != fitted.end(); ++known)
        if (known->number == number && known->height == height && known->orientation == orientation) {
            fitted.splice(fitted.begin(), fitted, known);
            return fitted.front().psf;
        }
    fitted.push_front({number, height, orientation, made(number, height, orientation)});
    std::shared_ptr<const Psf> psf = fitted.front().psf;
    if (fitted.size() > most) fitted.pop_back();
    return psf;
}

std::shared_ptr<const Psf> PsfSet::made(std::size_t number, int height, int orientation) const
{
    std::shared_ptr<const Psf> psf = psfs_.at(number);
    if (fit_) psf = std::make_shared<const Psf>(fit_(*psf, height));
    if (orientation == kUpright) return psf;
    // A symmetric PSF stays the same object, so that nothing is prepared twice.
    auto turned = std::make_shared<const Psf>(oriented(*psf, orientation));
    return same_samples(*turned, *psf) ? psf : turned;
}

}  // namespace clconv
