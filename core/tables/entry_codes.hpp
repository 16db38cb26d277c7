#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "tables/number_grammar.hpp"
#include "tables/spelling_store.hpp"

namespace conjunct {

// The distinct spellings of a column, numbered from 0 in the order of their coming, each with what it is spelled as.
class EntryCodes {
public:
    // The number of a spelling, a new one where it has none. There are at most 2^31 of them.
    std::uint32_t code(std::string_view spelling);

    // Whether a spelling has a number.
    bool holds(std::string_view spelling) const noexcept;

    const SpellingStore& spellings() const noexcept { return spellings_; }
    std::size_t size() const noexcept { return spellings_.size(); }
    void set_kind(std::size_t code, Spelling kind) noexcept { spellings_.set_kind(code, kind); }

    // Keeps the spellings, but finds no code any more.
    void close() noexcept {
        slots_ = {};
        recent_ = {};
    }

private:
    static std::size_t hash_of(std::string_view spelling) noexcept;
    std::size_t first_slot(std::size_t hash) const noexcept { return (hash >> 32) * slots_.size() >> 32; }
    std::size_t slot_after(std::size_t slot) const noexcept { return slot + 1 == slots_.size() ? 0 : slot + 1; }
    bool is_at(std::size_t slot, std::string_view spelling, std::size_t hash) const noexcept;
    std::uint32_t code_in_table(std::string_view spelling, std::size_t hash);
    void grow();

    struct Recent {
        std::uint64_t letters;
        std::uint32_t length, code;
    };
    static constexpr std::size_t n_recent = 256, longest_recent = 8;
    // Short spellings seen last, by their hash: one load where the table takes three. Made once a column is no longer short.
    std::unique_ptr<Recent[]> recent_;
    std::size_t n_coded_ = 0;
    std::vector<std::uint32_t> slots_;  // 0, or code + 1 below bits of the hash; at most four fifths taken
    std::uint32_t code_bits_ = 0;       // which of a slot are the code's: a mask
    SpellingStore spellings_;
};

}  // namespace conjunct
