// SPDX-License-Identifier: Apache-2.0
#include "engine/workspace.h"

#include "opencl/handles.h"

namespace clconv {

Workspace::Workspace(Device& device) : device_(device)
{
    for (std::size_t i = 0; i < device.handles().routes.size(); ++i)
        scratches_.push_back(std::make_shared<Scratch>(device));
}

const std::shared_ptr<Scratch>& Workspace::scratch(int route) { return scratches_.at(static_cast<std::size_t>(route)); }

ImageBuffers Workspace::slot(int number, const SlotBytes& bytes)
{
    while (slots_.size() <= static_cast<std::size_t>(number))
        slots_.push_back({Scratch(device_), Scratch(device_), Scratch(device_), Scratch(device_)});
    Slot& slot = slots_[static_cast<std::size_t>(number)];
    ImageBuffers buffers;
    if (bytes.input > 0) buffers.input = slot.input.of(bytes.input);
    if (bytes.output > 0) buffers.output = slot.output.of(bytes.output);
    buffers.bias = slot.bias.of(bytes.levels);
    buffers.restore = slot.restore.of(bytes.levels);
    return buffers;
}

Scratch& Workspace::of_route(int route, int number)
{
    return of_routes_.try_emplace({route, number}, device_).first->second;
}

Scratch& Workspace::of_slot(int slot, int number)
{
    return of_slots_.try_emplace({slot, number}, device_).first->second;
}

std::uint64_t Workspace::bytes() const
{
    std::uint64_t sum = 0;
    for (const auto& scratch : scratches_) sum += scratch->bytes();
    for (const Slot& slot : slots_)
        for (const Scratch* part : {&slot.input, &slot.output, &slot.bias, &slot.restore}) sum += part->bytes();
    for (const OfWorks* all : {&of_routes_, &of_slots_})
        for (const auto& [key, part] : *all) sum += part.bytes();
    return sum;
}

void Workspace::clear()
{
    for (const auto& scratch : scratches_) scratch->clear();
    slots_.clear();
    of_routes_.clear();
    of_slots_.clear();
}

}  // namespace clconv
