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
        const char* const kept = kept_at(spellings_[code]);
        const auto length = static_cast<std::size_t>(static_cast<unsigned char>(*kept)) >> kind_bits;
        if (length < long_length) return {kept + 1, length};
        std::uint32_t long_one;
        std::memcpy(&long_one, kept + 1, sizeof long_one);
        return {kept + 1 + sizeof long_one, long_one};
    }
    Spelling kind(std::size_t code) const noexcept {
        return static_cast<Spelling>(*kept_at(spellings_[code]) & ((1 << kind_bits) - 1));
    }
    void set_kind(std::size_t code, Spelling kind) noexcept {
        char* const kept = kept_at(spellings_[code]);
        *kept = static_cast<char>((*kept & -(1 << kind_bits)) | static_cast<int>(kind));
    }

    // Keeps the spellings, but finds no code any more.
    void close() noexcept { slots_ = {}; }

private:
    // Where a spelling is kept, as a number of five bytes: texts that occur once are as short as their pointers.
    struct Offset {
        std::uint32_t low;
        std::uint8_t high;
    } __attribute__((packed));
    static_assert(sizeof(Offset) == 5);

    static std::size_t hash_of(std::string_view spelling) noexcept;
    Offset keep(std::string_view spelling, Spelling kind);
    char* kept_at(Offset offset) const noexcept {
        const std::uint64_t at = std::uint64_t{offset.high} << 32 | offset.low;
        return chunks_[at / chunk_bytes] + at % chunk_bytes;
    }
    std::uint32_t code_in_table(std::string_view spelling, std::size_t hash);
    void grow();

    struct Recent {
        std::uint64_t letters;
        std::uint32_t length, code;
    };
    static constexpr std::size_t n_recent = 256, longest_recent = 8;
    static constexpr std::size_t chunk_bytes = 1 << 12;
    static constexpr int kind_bits = 3;
    static constexpr std::size_t long_length = 31;
    // Short spellings seen last, by their hash: one load where the table takes three. Made once a column is no longer short.
    std::unique_ptr<Recent[]> recent_;
    std::size_t n_coded_ = 0;
    std::vector<std::uint32_t> slots_;  // code + 1, or 0; a power of two, at most three quarters taken
    Chunked<Offset> spellings_;         // of a byte for length and kind, four more for a long length, and the letters
    std::vector<char*> chunks_;         // every chunk_bytes of what is owned; a long spelling spans several
    std::vector<std::unique_ptr<char[]>> owned_;
    std::size_t n_free_ = 0;  // at the end of the last chunk
};

}  // namespace conjunct
