// SPDX-License-Identifier: Apache-2.0
// Steps of a pipeline on images of 2 x 2 samples.
#pragma once

#include "batch/pipeline.h"

namespace clconv {

/// Every input is such an image; an input and an output take one byte of the memory limit each. Tests add the rest.
inline Steps small_steps()
{
    Steps steps;
    steps.read = [](const Item&, const AllocateSamples& allocate) {
        Image image;
        image.extent = {2, 2};
        image.channels = 1;
        image.samples = allocate(image);
        return image;
    };
    steps.input_memory = [](const Image&) { return 1; };
    steps.output_memory = [](const Image&, const Item&) { return 1; };
    return steps;
}

}  // namespace clconv
