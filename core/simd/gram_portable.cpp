#include <algorithm>

#include "simd/gram_loops.hpp"
#include "simd/level.hpp"

namespace conjunct {
namespace {

void count(const Factor& factor, const GramTile& tile, GramScratch& scratch) noexcept {
    std::int32_t wide[gram_columns];
    const std::size_t first = std::min(tile.first, tile.b.n_rows), n = tile.b.n_rows - first;
    for (std::size_t i = 0; i < tile.a.n_rows; ++i) {
        (factor.same ? portable_level.differing : portable_level.common)(tile.a.row(i), factor.mask, tile.b.row(first),
                                                                         n, tile.b.n_words, wide);
        for (std::size_t j = 0; j < n; ++j)
            scratch.counts[gram_columns * i + first + j] =
                static_cast<std::uint16_t>(factor.same ? factor.size - wide[j] : wide[j]);
    }
}

template <class T>
void look_up(const std::uint16_t* counts, std::size_t n, const T* table, T* values, T* out) noexcept {
    for (std::size_t j = 0; j < n; ++j) out[j] = values[j] = table[counts[j]];
}

template <class T>
void mirror(const T* values, std::size_t n_rows, std::size_t n, bool, bool, std::size_t n_columns, T* out) noexcept {
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < n_rows; ++i) out[n_columns * j + i] = values[value_stride<T> * i + j];
}

template <class T>
constexpr WriteLoops<T> loops{look_up<T>, mirror<T>};

void finish() noexcept {}

}  // namespace

constexpr GramLoops portable_gram_loops{{0}, count, loops<float>, loops<double>, finish};

}  // namespace conjunct
