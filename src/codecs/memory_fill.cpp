// SPDX-License-Identifier: Apache-2.0
#include "codecs/memory_fill.h"

#include <malloc.h>

#include <array>
#include <condition_variable>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <string_view>

namespace clconv::oiio {
namespace {

/// The byte in use, and by how many objects. A thread that waits for the other byte counts as none of them, so waiting
/// threads never block each other.
struct SharedFill {
    std::mutex mutex;
    std::condition_variable ended;
    MemoryFill::Byte byte = MemoryFill::Byte::one;
    int active = 0;
};

SharedFill& shared_fill()
{
    static SharedFill all;
    return all;
}

#ifdef M_PERTURB
void fill_with(int byte) { mallopt(M_PERTURB, byte); }

/// The byte that the environment sets (glibc's MALLOC_PERTURB_). 0: memory is not filled.
int default_byte()
{
    const char* const requested = std::getenv("MALLOC_PERTURB_");
    return requested != nullptr ? std::atoi(requested) : 0;
}
#else
void fill_with(int) {}
int default_byte() { return 0; }
#endif

}  // namespace

MemoryFill::MemoryFill(Byte byte)
{
    constexpr int one = 0x5A;
    constexpr int other = 0xC3;
    SharedFill& all = shared_fill();
    std::unique_lock lock(all.mutex);
    all.ended.wait(lock, [&] { return all.active == 0 || all.byte == byte; });
    if (all.active == 0) fill_with(byte == Byte::one ? one : other);
    all.byte = byte;
    ++all.active;
}

MemoryFill::~MemoryFill()
{
    SharedFill& all = shared_fill();
    const std::lock_guard lock(all.mutex);
    if (--all.active > 0) return;
    fill_with(default_byte());
    all.ended.notify_all();
}

bool is_heif(const std::filesystem::path& path)
{
    std::array<char, 8> head{};
    std::ifstream(path, std::ios::binary).read(head.data(), head.size());
    return std::string_view(head.data(), head.size()).substr(4) == "ftyp";
}

}  // namespace clconv::oiio
