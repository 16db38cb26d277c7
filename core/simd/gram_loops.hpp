#pragma once
#include "bits/rows.hpp"
#include "kernels/layout.hpp"

namespace conjunct {

// A Gram matrix is made in tiles of gram_rows x gram_columns agreement counts: small enough to stay in the cache between
// counting and looking up, wide enough to be written in long runs.
inline constexpr std::size_t gram_rows = 64;
inline constexpr std::size_t gram_columns = 1024;

// One tile: at most gram_rows rows of a against at most gram_columns rows of b. `nibbles` holds b a nibble to a byte, 32
// rows to a block: nibble g of row 32 k + l is byte 32 (k n_nibbles + g) + l; rows past the last are zero. `planes` and
// `ones` hold it as plane_rows writes them. Which of the two is there depends on the loop that counts.
struct GramTile {
    Rows a, b;
    const std::uint8_t* nibbles;
    std::size_t n_nibbles;
    const std::uint64_t* planes;
    const std::uint16_t* ones;
};

// The loops of one instruction set.
struct GramLoops {
    bool reads_layouts;  // nibbles for `count`, planes for `count_by_planes`; else both read plain rows
    // counts[gram_columns i + j] = the agreement count of row i of a and row j of b under one factor, n <= 65535.
    // May write counts of rows that do not exist, within the tile.
    void (*count)(const Factor& factor, const GramTile& tile, std::uint16_t* counts) noexcept;
    // The same, in time that grows with the ones of a's rows: for sparse ones.
    void (*count_by_planes)(const Factor& factor, const GramTile& tile, std::uint16_t* counts) noexcept;
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
void count_by_planes_avx2(const Factor& factor, const GramTile& tile, std::uint16_t* counts) noexcept;
#endif

}  // namespace conjunct
