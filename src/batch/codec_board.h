// SPDX-License-Identifier: Apache-2.0
// The files on which decoders and encoders work, in memory that another process also sees.
//
// A decoder can crash, hang or take all memory, and take its process with it. The process that supervises the run then
// finds out here which file it was.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace clconv {

enum class CodecKind : int { decoder, encoder };

class CodecBoard {
public:
    /// A file on which a codec works, as the supervisor sees it.
    struct Entry {
        std::size_t slot = 0;
        std::uint64_t serial = 0;  ///< changes whenever the codec makes progress
        std::size_t item = 0;      ///< ItemInfo::index
        CodecKind codec = CodecKind::decoder;
        bool paused = false;  ///< its thread waits for something else
    };

    /// Has room for `files` at a time; more are not recorded. Throws std::bad_alloc.
    explicit CodecBoard(std::size_t files);
    ~CodecBoard();
    CodecBoard(const CodecBoard&) = delete;
    CodecBoard& operator=(const CodecBoard&) = delete;

    /// The files on which codecs work now, or did when the other process ended.
    [[nodiscard]] std::vector<Entry> entries() const;

    /// Bytes beyond the run's limit that are allowed: for an image that exceeds the limit, and is made alone.
    [[nodiscard]] std::uint64_t allowed() const { return shared_->allowed; }
    void allow(std::uint64_t bytes);

    /// The signal that asks the run to stop; 0: none. It is in the shared memory, so that a handler informs both
    /// processes.
    [[nodiscard]] std::atomic<int>& stop() { return shared_->stop; }

    /// Prepares for the next process: no file is in work, and nothing is allowed.
    void clear();

private:
    friend class CodecMark;
    struct Slot {
        std::atomic<std::uint64_t> item;  ///< its index + 1; 0: free
        std::atomic<std::uint64_t> serial;
        std::atomic<CodecKind> codec;
        std::atomic<bool> paused;
    };
    struct Shared {
        std::atomic<int> stop;
        std::atomic<std::uint64_t> allowed;
    };
    static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "shared between processes");

    [[nodiscard]] Slot* take();

    std::size_t bytes_;
    std::size_t count_;
    Shared* shared_;
    Slot* slots_;
};

/// While it exists, the board shows that a codec works on an item's file. Used by one thread.
class CodecMark {
public:
    /// `board` may be null.
    CodecMark(CodecBoard* board, std::size_t item, CodecKind codec);
    ~CodecMark();
    CodecMark(const CodecMark&) = delete;
    CodecMark& operator=(const CodecMark&) = delete;

    /// The codec has made progress: its time starts again.
    void advance();
    /// The codec is idle until resume(), because its thread waits for something else.
    void pause();
    void resume();

private:
    CodecBoard::Slot* slot_ = nullptr;
};

}  // namespace clconv
