#pragma once
#include <algorithm>

#include "bits/rows.hpp"

namespace conjunct {

inline constexpr std::size_t plane_columns = 1024;   // rows laid out at once
inline constexpr std::size_t plane_variables = 512;  // variables to a part

// Rows as bit planes: a plane holds one variable of the rows of a block, which are as many as a vector has bits. A block is
// cut into parts of plane_variables variables, the last one shorter; each part starts with a plane of zeros.
struct PlaneLayout {
    std::size_t block_rows;  // 256 or 512; 0 for loops that read plain rows

    constexpr std::size_t plane_words() const noexcept { return block_rows / 64; }
    constexpr std::size_t block_words(std::size_t n_words) const noexcept { return plane_words() * n_planes(n_words); }
    constexpr std::size_t part_start(std::size_t part) const noexcept {
        return plane_words() * part * (plane_variables + 1);
    }

    // The row of a block that bit p of its planes stands for: the order in which bytes of counts come out as 16-bit lanes.
    constexpr std::size_t row_of_bit(std::size_t p) const noexcept {
        const std::size_t byte = p / 8;
        return block_rows / 8 * (p % 8) + block_rows / 16 * (byte / 8 % 2) + 8 * (byte / 16) + byte % 8;
    }

    static constexpr std::size_t n_parts(std::size_t n_words) noexcept {
        return (64 * n_words + plane_variables - 1) / plane_variables;
    }
    static constexpr std::size_t n_planes(std::size_t n_words) noexcept { return 64 * n_words + n_parts(n_words); }
    // Of plane_columns rows, in any layout.
    static constexpr std::size_t all_words(std::size_t n_words) noexcept {
        return plane_columns / 64 * n_planes(n_words);
    }
};

struct Planes {
    const std::uint64_t* words;
    const std::uint16_t* ones;  // of each row, within the mask; 0 past the last row
};

// Lays out at most plane_columns rows.
// Writes  words: all_words; ones: plane_columns. Nothing where the layout has no blocks.
void plane_rows(PlaneLayout layout, Rows rows, const std::uint64_t* mask, std::uint64_t* words,
                std::uint16_t* ones) noexcept;

}  // namespace conjunct
