// Which files decoders and encoders work at, in memory that another process sees too.
//
// A decoder can crash, hang or take all memory, and with it the process that it works in. The process that supervises
// the run then learns here whose file it was, which nobody else could tell any more.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace clconv {

enum class CodecKind : int { decoder, encoder };

class CodecBoard {
public:
    /// One file in a codec's hands, as the supervisor sees it.
    struct Entry {
        std::size_t slot = 0;
        std::uint64_t serial = 0;  ///< another one whenever the codec has come further
        std::size_t item = 0;      ///< ItemInfo::index
        CodecKind codec = CodecKind::decoder;
        bool paused = false;  ///< its thread waits for something else
    };

    /// Has room for `files` at a time; what comes beyond that is not seen. Throws std::bad_alloc.
    explicit CodecBoard(std::size_t files);
    ~CodecBoard();
    CodecBoard(const CodecBoard&) = delete;
    CodecBoard& operator=(const CodecBoard&) = delete;

    /// What codecs work at now. After the end of the other process: what they worked at.
    [[nodiscard]] std::vector<Entry> entries() const;

    /// Bytes beyond the run's limit that it takes knowingly, for an image that is too large for it and made alone.
    [[nodiscard]] std::uint64_t allowed() const { return shared_->allowed; }
    void allow(std::uint64_t bytes);

    /// The signal that asks the run to stop; 0: none. Lies in the shared memory, so that a handler reaches both sides.
    [[nodiscard]] std::atomic<int>& stop() { return shared_->stop; }

    /// For the next process: nothing is worked at, and nothing is allowed.
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

/// Says on the board that a codec works at an item's file, as long as it lives. Used by one thread.
class CodecMark {
public:
    /// `board` may be none.
    CodecMark(CodecBoard* board, std::size_t item, CodecKind codec);
    ~CodecMark();
    CodecMark(const CodecMark&) = delete;
    CodecMark& operator=(const CodecMark&) = delete;

    /// The codec has come further: its time begins anew.
    void advance();
    /// The codec does nothing until resume(): its thread waits for something else.
    void pause();
    void resume();

private:
    CodecBoard::Slot* slot_ = nullptr;
};

}  // namespace clconv
