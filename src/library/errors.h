// SPDX-License-Identifier: Apache-2.0
// Errors of the inner rooms as those of the library's interface.
#pragma once

#include "base/errors.h"
#include "clconv/clconv.hpp"

#include <new>

namespace clconv {

/// Calls `action`. Its errors come out as the kinds of clconv.hpp.
template <class Action>
decltype(auto) translated(const Action& action)
{
    try {
        return action();
    } catch (const v0::Error&) {
        throw;
    } catch (const InvalidProblem& error) {
        throw v0::InvalidProblem(error.what());
    } catch (const InputError& error) {
        throw v0::InputError(error.what());
    } catch (const BuildError& error) {
        throw v0::BuildError(error.what());
    } catch (const DeviceError& error) {
        throw v0::DeviceError(error.what());
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        throw v0::InternalError(error.what());
    }
}

}  // namespace clconv
