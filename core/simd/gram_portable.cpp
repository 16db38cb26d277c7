#include "simd/gram_loops.hpp"
#include "simd/level.hpp"

namespace conjunct {
namespace {

void count(const Factor& factor, const GramTile& tile, std::uint16_t* counts) noexcept {
    std::int32_t wide[gram_columns];
    for (std::size_t i = 0; i < tile.a.n_rows; ++i) {
        (factor.same ? portable_level.differing : portable_level.common)(tile.a.row(i), factor.mask, tile.b.words,
                                                                         tile.b.n_rows, tile.b.n_words, wide);
        for (std::size_t j = 0; j < tile.b.n_rows; ++j)
            counts[gram_columns * i + j] = static_cast<std::uint16_t>(factor.same ? factor.size - wide[j] : wide[j]);
    }
}

void mirror(const std::uint16_t* counts, std::uint16_t* mirrored) noexcept {
    for (std::size_t j = 0; j < gram_columns; ++j)
        for (std::size_t i = 0; i < gram_rows; ++i) mirrored[gram_rows * j + i] = counts[gram_columns * i + j];
}

template <class T>
void write(const std::uint16_t* counts, std::size_t n, const T* table, T* out) noexcept {
    for (std::size_t j = 0; j < n; ++j) out[j] = table[counts[j]];
}

void finish() noexcept {}

}  // namespace

constexpr GramLoops portable_gram_loops{false, count, count, mirror, write<float>, write<double>, finish};

}  // namespace conjunct
