#pragma once
#include "simd/gram_loops.hpp"

namespace conjunct {

// Part of the Gram matrix of a kernel of one factor: rows of a against one tile of columns.
template <class T>
struct GramPart {
    Factor factor;
    Rows a;
    Rows b;               // the tile: at most gram_columns rows
    std::size_t b_start;  // its first row in the whole of b
    Planes planes;        // of b, where the loops read them
    const T* table;
    T* out;  // the whole matrix, row-major, n_columns wide
    std::size_t n_columns;
    bool is_symmetric;  // a is the whole of b: entries above the diagonal are looked up and written on both sides of it
};

// out[i, b_start + j] = table[count(a_i, b_j)] for i in [first, last), and its mirror image.
// Given   first a multiple of gram_rows; where symmetric, last <= the end of the tile.
// Twin    conjunct.theory.gram
template <class T>
void tile_gram(const GramLoops& loops, const GramPart<T>& part, std::size_t first, std::size_t last,
               GramScratch& scratch) noexcept;

}  // namespace conjunct
