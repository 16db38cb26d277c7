// The way that lost: columns a nibble to a byte, a row of a as one table of 16 counts per nibble, one byte shuffle and
// one byte add for 32 columns and 4 variables. g++ copies registers in this loop unless the additions are written out.
#pragma once
#include <immintrin.h>

#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "simd/gram_loops.hpp"

struct NibbleColumns {
    std::size_t n_nibbles;
    std::vector<std::uint8_t> bytes;  // nibble g of column 32 k + l at 32 (k n_nibbles + g) + l

    NibbleColumns(conjunct::Rows b) : n_nibbles{16 * b.n_words}, bytes(b.n_rows * n_nibbles) {
        for (std::size_t j = 0; j < b.n_rows; ++j)
            for (std::size_t g = 0; g < n_nibbles; ++g)
                bytes[32 * (j / 32 * n_nibbles + g) + j % 32] = b.row(j)[g / 16] >> (4 * (g % 16)) & 15;
    }
};

// agreeing[x][v]: how many of the four bits of the nibbles x and v are the same.
inline constexpr auto agreeing = [] {
    std::array<std::array<std::uint8_t, 16>, 16> all{};
    for (unsigned x = 0; x < 16; ++x)
        for (unsigned v = 0; v < 16; ++v) all[x][v] = static_cast<std::uint8_t>(std::popcount(~(x ^ v) & 15));
    return all;
}();

// counts[gram_columns i + j]: places where row i of a and column j agree, for 4 rows and 64 columns at a time.
inline void nibble_count(conjunct::Rows a, const NibbleColumns& b, std::uint16_t* counts) {
    using conjunct::gram_columns;
    constexpr std::size_t most = 63;  // nibbles; a byte holds 63 * 4
    alignas(32) static std::uint8_t tables[most][4][16];
    for (std::size_t first = 0; first < b.n_nibbles; first += most) {
        const std::size_t last = std::min(b.n_nibbles, first + most);
        for (std::size_t i = 0; i < a.n_rows; i += 4) {
            for (std::size_t g = first; g < last; ++g)
                for (std::size_t r = 0; r < 4; ++r)
                    std::memcpy(tables[g - first][r], agreeing[a.row(i + r)[g / 16] >> (4 * (g % 16)) & 15].data(), 16);
            for (std::size_t j = 0; j < gram_columns; j += 64) {
                __m256i s00{}, s01{}, s10{}, s11{}, s20{}, s21{}, s30{}, s31{};
                const std::uint8_t* column = b.bytes.data() + j * b.n_nibbles + 32 * first;
                for (std::size_t g = 0; g < last - first; ++g, column += 32) {
                    const __m256i v0 = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(column));
                    const __m256i v1 = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(column + 32 * b.n_nibbles));
                    const auto add = [&](std::size_t r, __m256i& s0, __m256i& s1) __attribute__((always_inline)) {
                        const __m256i table = _mm256_broadcastsi128_si256(
                            _mm_load_si128(reinterpret_cast<const __m128i*>(tables[g][r])));
                        asm("vpaddb %1, %0, %0" : "+x"(s0) : "x"(_mm256_shuffle_epi8(table, v0)));
                        asm("vpaddb %1, %0, %0" : "+x"(s1) : "x"(_mm256_shuffle_epi8(table, v1)));
                    };
                    add(0, s00, s01);
                    add(1, s10, s11);
                    add(2, s20, s21);
                    add(3, s30, s31);
                }
                const __m256i sums[4][2] = {{s00, s01}, {s10, s11}, {s20, s21}, {s30, s31}};
                for (std::size_t r = 0; r < 4; ++r)
                    for (std::size_t half = 0; half < 4; ++half) {
                        const __m256i sum = sums[r][half / 2];
                        auto* out = reinterpret_cast<__m256i*>(counts + gram_columns * (i + r) + j + 16 * half);
                        const __m256i wide = _mm256_cvtepu8_epi16(half % 2 ? _mm256_extracti128_si256(sum, 1)
                                                                           : _mm256_castsi256_si128(sum));
                        const __m256i before = first ? _mm256_loadu_si256(out) : _mm256_setzero_si256();
                        _mm256_storeu_si256(out, _mm256_add_epi16(before, wide));
                    }
            }
        }
    }
}
