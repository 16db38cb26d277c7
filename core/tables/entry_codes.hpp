#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "tables/chunked.hpp"
#include "tables/number_grammar.hpp"

namespace conjunct {

// The distinct spellings of a column, numbered from 0 in the order of their coming, each with what it is spelled as.
class EntryCodes {
public:
    // The number of a spelling, a new one where it has none. There are at most 2^31 of them.
    std::uint32_t code(std::string_view spelling);

    std::size_t size() const noexcept { return spellings_.size(); }
    std::string_view spelling(std::size_t code) const noexcept {
        const char* const kept = spellings_[code];
        std::uint32_t length;
        std::memcpy(&length, kept + 1, sizeof length);
        return {kept + header_bytes, length};
    }
    Spelling kind(std::size_t code) const noexcept { return static_cast<Spelling>(*spellings_[code]); }
    void set_kind(std::size_t code, Spelling kind) noexcept { *spellings_[code] = static_cast<char>(kind); }

    // Keeps the spellings, but finds no code any more.
    void close() noexcept { slots_ = {}; }

private:
    static std::size_t hash_of(std::string_view spelling) noexcept;
    char* keep(std::string_view spelling, Spelling kind);
    std::uint32_t code_in_table(std::string_view spelling, std::size_t hash);
    void grow();

    struct Recent {
        std::uint64_t letters;
        std::uint32_t length, code;
    };
    static constexpr std::size_t n_recent = 256, longest_recent = 8;
    static constexpr std::size_t chunk_bytes = 1 << 12, header_bytes = 5;
    // Short spellings seen last, by their hash: one load where the table takes three. Made once a column is no longer short.
    std::unique_ptr<Recent[]> recent_;
    std::size_t n_coded_ = 0;
    std::vector<std::uint32_t> slots_;  // code + 1, or 0; a power of two, at most three quarters taken
    Chunked<char*> spellings_;          // what each is spelled as, its length, its letters
    std::vector<std::unique_ptr<char[]>> chunks_;
    std::size_t n_free_ = 0;  // at the end of the last chunk
    char* free_ = nullptr;
};

}  // namespace conjunct
