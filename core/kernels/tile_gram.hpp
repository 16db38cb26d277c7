#pragma once
#include "simd/gram_loops.hpp"

namespace conjunct {

// Part of the Gram matrix of a kernel of one factor: rows of a against one tile of columns.
template <class T>
struct GramPart {
    Factor factor;
    Rows a;
    Rows b;                       // the tile: at most gram_columns rows
    std::size_t b_start;          // its first row in the whole of b
    const std::uint8_t* nibbles;  // the tile as GramTile wants it, for the loop that counts
    std::size_t n_nibbles;
    const std::uint64_t* planes;
    const std::uint16_t* ones;
    bool by_planes;
    const T* table;
    T* out;  // the whole matrix, row-major, n_columns wide
    std::size_t n_columns;
    bool is_symmetric;  // a is the whole of b: cells left of the tile are written on both sides of the diagonal
};

// out[i, b_start + j] = table[count(a_i, b_j)] for i in [first, last), and its mirror image.
// Given   counts: 2 x gram_rows x gram_columns scratch, aligned to 64 bytes; first a multiple of gram_rows;
//         where symmetric, b_start a multiple of gram_rows and last <= the end of the tile.
// Twin    conjunct.theory.gram
template <class T>
void tile_gram(const GramLoops& loops, const GramPart<T>& part, std::size_t first, std::size_t last,
               std::uint16_t* counts) noexcept;

}  // namespace conjunct
