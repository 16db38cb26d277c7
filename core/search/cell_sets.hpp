#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace conjunct {

// A number per cell, added up over sets of cells. Words whose cells all have the same number are counted, not walked.
class CellNumbers {
public:
    CellNumbers() = default;
    explicit CellNumbers(std::span<const std::int64_t> numbers);

    bool is_zero() const noexcept { return first_ == last_; }
    std::int64_t sum(const std::uint64_t* cells) const noexcept;
    // Over the cells of one set that another lacks; stops once it passes a limit.
    std::int64_t sum_missing(const std::uint64_t* cells, const std::uint64_t* other, std::int64_t limit) const noexcept;

private:
    std::int64_t of_word(std::size_t w, std::uint64_t bits) const noexcept;

    std::vector<std::int64_t> numbers_, of_words_;  // of_words_: -1 where numbers differ
    std::size_t first_ = 0, last_ = 0;              // the words that have any
};

inline std::int64_t CellNumbers::of_word(std::size_t w, std::uint64_t bits) const noexcept {
    if (of_words_[w] >= 0) return of_words_[w] * std::popcount(bits);
    std::int64_t total = 0;
    for (; bits; bits &= bits - 1) total += numbers_[64 * w + static_cast<std::size_t>(std::countr_zero(bits))];
    return total;
}

// A hash of a set of cells.
inline std::uint64_t hash_of(const std::uint64_t* cells, std::size_t n_words) noexcept {
    std::uint64_t h = 0x9E3779B97F4A7C15ULL;
    for (std::size_t w = 0; w < n_words; ++w) {
        h = (h ^ cells[w]) * 0xBF58476D1CE4E5B9ULL;
        h ^= h >> 29;
    }
    return h;
}

}  // namespace conjunct
