#pragma once
#include <cstddef>
#include <type_traits>

#include "bits/rows.hpp"
#include "kernels/layout.hpp"
#include "kernels/plane_rows.hpp"

namespace conjunct {

// A Gram matrix is made in tiles of gram_rows x gram_columns agreement counts: small enough to stay in the second cache
// between counting and looking up, wide enough to be written in long runs. Where the matrix is symmetric a tile is
// looked up once and written twice.
inline constexpr std::size_t gram_rows = 64;
inline constexpr std::size_t gram_columns = plane_columns;

// Memory is written in whole lines of 64 bytes where possible: past the cache, and without reading it first.
template <class T>
inline constexpr std::size_t cells_per_line = 64 / sizeof(T);

// Rows of values lie a line more than gram_columns apart: else a column of them would meet in one set of the cache.
template <class T>
inline constexpr std::size_t value_stride = gram_columns + cells_per_line<T>;

// One tile: at most gram_rows rows of a against at most gram_columns rows of b; `planes` as plane_rows lays out b. Rows
// of b before the `first` may be left out.
struct GramTile {
    Rows a, b;
    Planes planes;
    std::size_t first;
};

// What one thread works in.
struct alignas(64) GramScratch {
    std::uint16_t counts[gram_rows * gram_columns];  // row by row
    // Row by row, after room for a line of rows: doubles, or floats in the first half.
    alignas(64) double values[(gram_rows + cells_per_line<float>)*value_stride<float>];
    alignas(
        64) std::uint64_t slices[gram_rows * 16 * plane_columns / 64];  // counts of the columns of a block, bit by bit
    std::uint16_t listed[gram_rows][plane_variables + 32];
};

template <class T>
struct WriteLoops {
    // out[j] = values[j] = table[counts[j]]; out past the cache where the CPU can.
    void (*look_up)(const std::uint16_t* counts, std::size_t n, const T* table, T* values, T* out) noexcept;
    // out[n_columns j + i] = values[value_stride i + j] for i < n_rows, j < n. Where the call `continues` the one for
    // the gram_rows rows before, whose last cells_per_line rows lie above `values`, lines that one began are written
    // now; where it `is_continued`, lines begun may be left to the next.
    void (*mirror)(const T* values, std::size_t n_rows, std::size_t n, bool continues, bool is_continued,
                   std::size_t n_columns, T* out) noexcept;
};

// scratch.counts[gram_columns i + j] = the agreement count of row i of a and row j of b under one factor of at most 65535
// variables. May write counts of rows that do not exist, within the tile.
using GramCountLoop = void (*)(const Factor& factor, const GramTile& tile, GramScratch& scratch) noexcept;

// The loops of one instruction set.
struct GramLoops {
    PlaneLayout layout;  // that `count` reads
    GramCountLoop count;
    WriteLoops<float> floats;
    WriteLoops<double> doubles;
    // Makes what was written past the cache visible to other threads.
    void (*finish)() noexcept;

    template <class T>
    const WriteLoops<T>& write() const noexcept {
        if constexpr (std::is_same_v<T, float>)
            return floats;
        else
            return doubles;
    }
};

extern const GramLoops portable_gram_loops;
#ifdef CONJUNCT_X86
extern const GramLoops avx2_gram_loops;
extern const GramLoops avx512_gram_loops;  // counting alone is its own
void count_planes_avx2(const Factor& factor, const GramTile& tile, GramScratch& scratch) noexcept;
void count_planes_avx512(const Factor& factor, const GramTile& tile, GramScratch& scratch) noexcept;
#endif

}  // namespace conjunct
