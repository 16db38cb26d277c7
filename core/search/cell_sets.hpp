#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "simd/pair_loops.hpp"

namespace conjunct {

// A number per cell, added up over sets of cells. Words whose cells all have the same number are counted, not walked.
class CellNumbers {
public:
    CellNumbers() = default;
    explicit CellNumbers(std::span<const std::int64_t> numbers);

    bool is_zero() const noexcept { return first_ == last_; }
    // Words that follow one another with the same least number.
    std::vector<WordRun> runs() const;
    bool is_uniform_by_words() const noexcept { return is_uniform_; }
    std::int64_t sum(const std::uint64_t* cells) const noexcept;
    // Over some of the cells of a word.
    std::int64_t of_word(std::size_t w, std::uint64_t bits) const noexcept;

private:
    std::vector<std::int64_t> numbers_, of_words_;  // of_words_: -1 where numbers differ
    std::vector<std::int64_t> least_;               // by word
    std::size_t first_ = 0, last_ = 0;              // the words that have any
    bool is_uniform_ = true;
};

inline std::int64_t CellNumbers::of_word(std::size_t w, std::uint64_t bits) const noexcept {
    if (of_words_[w] >= 0) return of_words_[w] * std::popcount(bits);
    std::int64_t total = 0;
    for (; bits; bits &= bits - 1) total += numbers_[64 * w + static_cast<std::size_t>(std::countr_zero(bits))];
    return total;
}

// Hashes of sets of cells, linear: that of a part and that of the rest add up to that of the whole.
class CellHash {
public:
    explicit CellHash(std::size_t n_words);
    std::uint64_t operator()(const std::uint64_t* cells) const noexcept {
        std::uint64_t h = 0;
        for (std::size_t w = 0; w < n_words_; ++w)
            h += (cells[w] & 0xffffffff) * factors_[2 * w] + (cells[w] >> 32) * factors_[2 * w + 1];
        return h;
    }
    // Of the cells of one set that are also in another.
    std::uint64_t common(const std::uint64_t* a, const std::uint64_t* b) const noexcept {
        std::uint64_t h = 0;
        for (std::size_t w = 0; w < n_words_; ++w) {
            const std::uint64_t word = a[w] & b[w];
            h += (word & 0xffffffff) * factors_[2 * w] + (word >> 32) * factors_[2 * w + 1];
        }
        return h;
    }

private:
    std::size_t n_words_;
    std::vector<std::uint64_t> factors_;
};

}  // namespace conjunct
