#pragma once
#include "bits/rows.hpp"
#include "kernels/layout.hpp"

namespace conjunct {

// A Gram matrix is made in tiles of gram_rows x gram_columns agreement counts: small enough to stay in the cache between
// counting and looking up, wide enough to be written in long runs.
inline constexpr std::size_t gram_rows = 64;
inline constexpr std::size_t gram_columns = 1024;

// One tile: at most gram_rows rows of a against at most gram_columns rows of b. `nibbles` holds b a nibble to a byte, 32
// rows to a block: nibble g of row 32 k + l is byte 32 (k n_nibbles + g) + l; rows past the last are zero.
struct GramTile {
    Rows a, b;
    const std::uint8_t* nibbles;
    std::size_t n_nibbles;
};

// The loops of one instruction set.
struct GramLoops {
    bool reads_nibbles;
    // counts[gram_columns i + j] = the agreement count of row i of a and row j of b under one factor, n <= 65535.
    // May write counts of rows that do not exist, within the tile.
    void (*count)(const Factor& factor, const GramTile& tile, std::uint16_t* counts) noexcept;
    // mirrored[gram_rows j + i] = counts[gram_columns i + j], all of the tile.
    void (*mirror)(const std::uint16_t* counts, std::uint16_t* mirrored) noexcept;
    // out[j] = table[counts[j]], past the cache where the CPU can.
    void (*write_floats)(const std::uint16_t* counts, std::size_t n, const float* table, float* out) noexcept;
    void (*write_doubles)(const std::uint16_t* counts, std::size_t n, const double* table, double* out) noexcept;
    // Makes what was written past the cache visible to other threads.
    void (*finish)() noexcept;
};

extern const GramLoops portable_gram_loops;
#ifdef CONJUNCT_X86
extern const GramLoops avx2_gram_loops;
#endif

}  // namespace conjunct
