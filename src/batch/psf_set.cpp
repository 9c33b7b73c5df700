#include "batch/psf_set.h"

#include <utility>

namespace clconv {

PsfSet::PsfSet(std::vector<std::shared_ptr<const Psf>> psfs, Fit fit) : psfs_(std::move(psfs)), fit_(std::move(fit)) {}

std::shared_ptr<const Psf> PsfSet::of(std::size_t number, Extent image) const
{
    constexpr std::size_t most = 64;
    if (!fit_) return psfs_.at(number);
    const std::lock_guard lock(known_->mutex);
    std::list<Fitted>& fitted = known_->fitted;
    for (auto known = fitted.begin(); known != fitted.end(); ++known)
        if (known->number == number && known->height == image.height) {
            fitted.splice(fitted.begin(), fitted, known);
            return fitted.front().psf;
        }
    fitted.push_front({number, image.height, std::make_shared<const Psf>(fit_(*psfs_.at(number), image.height))});
    std::shared_ptr<const Psf> made = fitted.front().psf;
    if (fitted.size() > most) fitted.pop_back();
    return made;
}

}  // namespace clconv
