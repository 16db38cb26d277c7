#pragma once
#include <algorithm>

#include "bits/rows.hpp"

namespace conjunct {

inline constexpr std::size_t plane_columns = 1024;   // rows laid out at once, in blocks of 256
inline constexpr std::size_t plane_variables = 512;  // variables to a part: a block's planes of a part take 16 KiB

// Rows as bit planes: a plane holds one variable of the 256 rows of a block in 4 words. A block is cut into parts of
// plane_variables variables, the last one shorter; each part starts with a plane of zeros.
struct Planes {
    const std::uint64_t* words;
    const std::uint16_t* ones;  // of each row, within the mask; 0 past the last row
    std::size_t n_words;        // of a row

    static std::size_t n_parts(std::size_t n_words) noexcept {
        return (64 * n_words + plane_variables - 1) / plane_variables;
    }
    static std::size_t block_words(std::size_t n_words) noexcept { return 4 * (64 * n_words + n_parts(n_words)); }
    static std::size_t part_start(std::size_t part) noexcept { return 4 * part * (plane_variables + 1); }

    const std::uint64_t* part(std::size_t block, std::size_t part) const noexcept {
        return words + block * block_words(n_words) + part_start(part);
    }
};

// The row of a block that bit p of its planes stands for: the order in which bytes of counts come out as 16-bit lanes.
constexpr std::size_t row_of_bit(std::size_t p) noexcept {
    const std::size_t byte = p / 8;
    return 32 * (p % 8) + 16 * (byte / 8 % 2) + 8 * (byte / 16) + byte % 8;
}

// Lays out at most plane_columns rows.
// Writes  words: plane_columns / 256 blocks of block_words; ones: plane_columns.
void plane_rows(Rows rows, const std::uint64_t* mask, std::uint64_t* words, std::uint16_t* ones) noexcept;

}  // namespace conjunct
