// SPDX-License-Identifier: Apache-2.0
// The kinds of errors, by whose fault they are.
//
// A message names the thing, the value found, the value wanted and the next step. Errors are caught where something can
// be done about them: around one image of a batch, or in main. src/cli/exit_codes.h gives each its exit code.
#pragma once

#include <stdexcept>

namespace clconv {

struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The user's: the request makes no sense (a border that does not exist, a PSF without a sum).
struct InvalidProblem : Error {
    using Error::Error;
};

/// A problem that does not fit the device in one piece: see plan/pieces.h.
struct TooLarge : InvalidProblem {
    using InvalidProblem::InvalidProblem;
};

/// The world's: a file that is missing, broken or cannot be written, a full disk.
struct InputError : Error {
    using Error::Error;
};

/// Nothing to work on: no INPUT names an existing image.
struct NoInput : InputError {
    using InputError::InputError;
};

/// An output already exists, and no option says what to do with it.
struct OutputExists : InputError {
    using InputError::InputError;
};

/// The device's: none usable, out of memory, lost.
struct DeviceError : Error {
    using Error::Error;
};

/// A kernel program that does not build. The message holds the build log.
struct BuildError : DeviceError {
    using DeviceError::DeviceError;
};

/// Programs that build and run, but compute wrongly on this device. They must not be used again.
struct WrongResults : BuildError {
    using BuildError::BuildError;
};

/// Ours: a promise of the code that does not hold.
struct InternalError : Error {
    using Error::Error;
};

}  // namespace clconv
