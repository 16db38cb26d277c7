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

// Spellings, numbered from 0 in the order of their coming, each with what it is spelled as. One takes a byte for length and
// kind, four more if it is long, and its letters. Where it is, is kept for the first ones, and then for every eighth only;
// the others are reached from there by their lengths: texts that occur once are as short as their pointers.
class SpellingStore {
public:
    std::size_t size() const noexcept { return size_; }

    std::string_view text(std::size_t number) const noexcept { return text_at(find(number)); }
    Spelling kind(std::size_t number) const noexcept { return kind_at(find(number)); }
    void set_kind(std::size_t number, Spelling kind) noexcept {
        char* const kept = find(number);
        *kept = static_cast<char>((*kept & -(1 << kind_bits)) | static_cast<int>(kind));
    }

    void append(std::string_view text, Spelling kind);

    // Calls with the text and kind of each spelling, in order.
    template <class Call>
    void for_each(Call call) const {
        const char* kept = nullptr;
        for (std::size_t number = 0; number < size_; ++number) {
            kept = number ? after(kept) : places_[0];
            call(text_at(kept), kind_at(kept));
        }
    }

private:
    static constexpr int kind_bits = 3;
    static constexpr int end_of_chunk = 7;            // in place of a kind; the address of the next chunk follows
    static constexpr std::size_t n_placed = 1 << 12;  // a multiple of 8
    static constexpr std::size_t long_length = 31, chunk_bytes = 1 << 12, link_bytes = 1 + sizeof(char*);

    static int kind_bits_at(const char* kept) noexcept { return *kept & ((1 << kind_bits) - 1); }
    static Spelling kind_at(const char* kept) noexcept { return static_cast<Spelling>(kind_bits_at(kept)); }
    static std::string_view text_at(const char* kept) noexcept {
        const auto length = static_cast<std::size_t>(static_cast<unsigned char>(*kept)) >> kind_bits;
        if (length < long_length) return {kept + 1, length};
        std::uint32_t of_long_one;
        std::memcpy(&of_long_one, kept + 1, sizeof of_long_one);
        return {kept + 1 + sizeof of_long_one, of_long_one};
    }
    static const char* after(const char* kept) noexcept {
        const std::string_view text = text_at(kept);
        kept = text.data() + text.size();
        if (kind_bits_at(kept) == end_of_chunk) std::memcpy(&kept, kept + 1, sizeof kept);
        return kept;
    }
    char* find(std::size_t number) const noexcept {
        if (number < n_placed) return places_[number];
        const char* kept = places_[n_placed + (number - n_placed) / 8];
        for (std::size_t n = number % 8; n; --n) kept = after(kept);
        return const_cast<char*>(kept);
    }

    Chunked<char*> places_;
    std::vector<std::unique_ptr<char[]>> chunks_;  // each ends with a link to the next
    char* next_ = nullptr;
    std::size_t n_free_ = 0;  // after next_, room for the link included
    std::size_t size_ = 0;
};

}  // namespace conjunct
