// SPDX-License-Identifier: Apache-2.0
#include "files/digest.h"

#include "base/errors.h"
#include "base/special_file.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

namespace clconv {

struct Digester::State {
    XXH3_state_t* xxh = XXH3_createState();
    State()
    {
        if (!xxh || XXH3_128bits_reset(xxh) != XXH_OK) throw std::bad_alloc();
    }
    ~State() { XXH3_freeState(xxh); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;
};

Digester::Digester() : state_(std::make_unique<State>()) {}
Digester::~Digester() = default;

void Digester::add_bytes(const void* bytes, std::size_t count) { XXH3_128bits_update(state_->xxh, bytes, count); }

void Digester::add_text(std::string_view text)
{
    const std::uint64_t size = text.size();
    add_bytes(&size, sizeof(size));
    add_bytes(text.data(), text.size());
}

std::string Digester::hex() const
{
    const XXH128_hash_t hash = XXH3_128bits_digest(state_->xxh);
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string digest_of_file(const std::filesystem::path& file)
{
    constexpr std::size_t at_once = std::size_t{1} << 20;
    const auto failure = [&] {
        return InputError(fmt::format("{}: cannot be read: {}", file.string(), std::strerror(errno)));
    };
    if (const std::string special = special_file(file); !special.empty())
        throw InputError(fmt::format("{}: is {}, and a regular file is needed", file.string(), special));
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rb"), std::fclose);
    if (!stream) throw failure();
    std::setvbuf(stream.get(), nullptr, _IONBF, 0);  // the reads are already large
    Digester digester;
    std::vector<char> bytes(at_once);
    while (const std::size_t count = std::fread(bytes.data(), 1, bytes.size(), stream.get()))
        digester.add_bytes(bytes.data(), count);
    if (std::ferror(stream.get()) != 0) throw failure();
    return digester.hex();
}

}  // namespace clconv
