// SPDX-License-Identifier: Apache-2.0
#include "batch/codec_board.h"

#include <sys/mman.h>

#include <memory>
#include <new>

namespace clconv {

CodecBoard::CodecBoard(std::size_t files) : bytes_(sizeof(Shared) + files * sizeof(Slot)), count_(files)
{
    static_assert(sizeof(Shared) % alignof(Slot) == 0);
    void* const memory = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    shared_ = new (memory) Shared{};
    slots_ = reinterpret_cast<Slot*>(static_cast<std::byte*>(memory) + sizeof(Shared));
    std::uninitialized_value_construct_n(slots_, count_);
}

CodecBoard::~CodecBoard() { ::munmap(shared_, bytes_); }

std::vector<CodecBoard::Entry> CodecBoard::entries() const
{
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < count_; ++i) {
        const Slot& slot = slots_[i];
        const std::uint64_t serial = slot.serial;
        const std::uint64_t item = slot.item;
        if (item > 0) entries.push_back({i, serial, static_cast<std::size_t>(item - 1), slot.codec, slot.paused});
    }
    return entries;
}

void CodecBoard::allow(std::uint64_t bytes)
{
    std::uint64_t before = shared_->allowed;
    while (before < bytes && !shared_->allowed.compare_exchange_weak(before, bytes)) continue;
}

void CodecBoard::clear()
{
    shared_->allowed = 0;
    for (std::size_t i = 0; i < count_; ++i) {
        slots_[i].item = 0;
        slots_[i].serial = 0;
    }
}

CodecBoard::Slot* CodecBoard::take()
{
    for (std::size_t i = 0; i < count_; ++i) {
        // An odd serial means that the slot is taken. Its item is written last.
        std::uint64_t serial = slots_[i].serial;
        if (serial % 2 == 0 && slots_[i].serial.compare_exchange_strong(serial, serial + 1)) return &slots_[i];
    }
    return nullptr;
}

CodecMark::CodecMark(CodecBoard* board, std::size_t item, CodecKind codec) : slot_(board ? board->take() : nullptr)
{
    if (!slot_) return;
    slot_->codec = codec;
    slot_->paused = false;
    slot_->item = item + 1;
}

CodecMark::~CodecMark()
{
    if (!slot_) return;
    slot_->item = 0;
    ++slot_->serial;
}

void CodecMark::advance()
{
    if (slot_) slot_->serial += 2;
}

void CodecMark::pause()
{
    if (slot_) slot_->paused = true;
}

void CodecMark::resume()
{
    if (!slot_) return;
    advance();
    slot_->paused = false;
}

}  // namespace clconv
