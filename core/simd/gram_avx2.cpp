// Built with -mavx2 -mpopcnt; reached only after the CPU was asked.
#include <immintrin.h>

#include <algorithm>

#include "simd/gram_loops.hpp"

namespace conjunct {
namespace {

constexpr std::size_t rows_at_once = 4, blocks_at_once = 2;  // 8 sums, 2 columns and a table: 11 of 16 registers
constexpr std::size_t most_nibbles = 63;                     // a byte holds 63 * 4

// counts[same][mask][a][v]: on how many of the variables in `mask` the nibbles a and v agree.
struct NibbleTables {
    alignas(16) std::uint8_t counts[2][16][16][16];
};

constexpr NibbleTables make_tables() {
    NibbleTables tables{};
    for (unsigned same = 0; same < 2; ++same)
        for (unsigned mask = 0; mask < 16; ++mask)
            for (unsigned a = 0; a < 16; ++a)
                for (unsigned v = 0; v < 16; ++v) {
                    const unsigned bits = (same ? ~(a ^ v) : a & v) & mask;
                    tables.counts[same][mask][a][v] =
                        static_cast<std::uint8_t>((bits & 1) + (bits >> 1 & 1) + (bits >> 2 & 1) + (bits >> 3 & 1));
                }
    return tables;
}
constexpr NibbleTables nibble_tables = make_tables();

unsigned nibble(const std::uint64_t* words, std::size_t g) noexcept { return words[g / 16] >> (4 * (g % 16)) & 15; }

__m256i low_half(__m256i v) noexcept { return _mm256_cvtepu8_epi16(_mm256_castsi256_si128(v)); }
__m256i high_half(__m256i v) noexcept { return _mm256_cvtepu8_epi16(_mm256_extracti128_si256(v, 1)); }

// 4 rows against 64 columns over nibbles [first, last): one byte shuffle and one byte add per 32 columns and nibble.
void count_nibbles(const std::uint8_t* tables, const std::uint8_t* nibbles, std::size_t n_nibbles, std::size_t first,
                   std::size_t last, std::uint16_t* counts) noexcept {
    __m256i sums[rows_at_once][blocks_at_once] = {};
    const std::uint8_t* columns = nibbles + 32 * first;
    for (std::size_t g = first; g < last; ++g, columns += 32, tables += 16 * rows_at_once) {
        __m256i v[blocks_at_once];
        for (std::size_t b = 0; b < blocks_at_once; ++b)
            v[b] = _mm256_load_si256(reinterpret_cast<const __m256i*>(columns + 32 * n_nibbles * b));
        for (std::size_t r = 0; r < rows_at_once; ++r) {
            const __m256i table =
                _mm256_broadcastsi128_si256(*reinterpret_cast<const __m128i*>(tables + 16 * r));
            for (std::size_t b = 0; b < blocks_at_once; ++b)
                sums[r][b] = _mm256_add_epi8(sums[r][b], _mm256_shuffle_epi8(table, v[b]));
        }
    }
    for (std::size_t r = 0; r < rows_at_once; ++r)
        for (std::size_t b = 0; b < blocks_at_once; ++b) {
            auto* out = reinterpret_cast<__m256i*>(counts + gram_columns * r + 32 * b);
            __m256i low = low_half(sums[r][b]), high = high_half(sums[r][b]);
            if (first > 0) {
                low = _mm256_add_epi16(low, _mm256_load_si256(out));
                high = _mm256_add_epi16(high, _mm256_load_si256(out + 1));
            }
            _mm256_store_si256(out, low);
            _mm256_store_si256(out + 1, high);
        }
}

void count(const Factor& factor, const GramTile& tile, std::uint16_t* counts) noexcept {
    alignas(32) std::uint8_t tables[most_nibbles * rows_at_once * 16];
    const std::size_t n = tile.n_nibbles, n_parts = (n + most_nibbles - 1) / most_nibbles;
    const std::size_t step = (n + n_parts - 1) / n_parts;
    for (std::size_t first = 0; first < n; first += step) {
        const std::size_t last = std::min(n, first + step);
        for (std::size_t i = 0; i < tile.a.n_rows; i += rows_at_once) {
            for (std::size_t g = first; g < last; ++g)
                for (std::size_t r = 0; r < rows_at_once; ++r) {
                    const std::uint64_t* row = tile.a.row(std::min(i + r, tile.a.n_rows - 1));
                    _mm_store_si128(
                        reinterpret_cast<__m128i*>(tables + 16 * ((g - first) * rows_at_once + r)),
                        *reinterpret_cast<const __m128i*>(
                            nibble_tables.counts[factor.same][nibble(factor.mask, g)][nibble(row, g)]));
                }
            for (std::size_t j = 0; j < tile.b.n_rows; j += 32 * blocks_at_once)
                count_nibbles(tables, tile.nibbles + j * n, n, first, last, counts + gram_columns * i + j);
        }
    }
}

// Scalar look-ups into a line, then one store past the cache: gathers lost (1.5 against 2.3 billion cells a second).
template <class T, class Store>
void write(const std::uint16_t* counts, std::size_t n, const T* table, T* out, Store store) noexcept {
    constexpr std::size_t line = 64 / sizeof(T);
    std::size_t j = 0;
    for (; j < n && reinterpret_cast<std::uintptr_t>(out + j) % 64; ++j) out[j] = table[counts[j]];
    for (; j + line <= n; j += line) {
        alignas(64) T values[line];
        for (std::size_t k = 0; k < line; ++k) values[k] = table[counts[j + k]];
        store(out + j, values);
    }
    for (; j < n; ++j) out[j] = table[counts[j]];
}

void write_floats(const std::uint16_t* counts, std::size_t n, const float* table, float* out) noexcept {
    write(counts, n, table, out, [](float* to, const float* line) {
        _mm256_stream_ps(to, _mm256_load_ps(line));
        _mm256_stream_ps(to + 8, _mm256_load_ps(line + 8));
    });
}

void write_doubles(const std::uint16_t* counts, std::size_t n, const double* table, double* out) noexcept {
    write(counts, n, table, out, [](double* to, const double* line) {
        _mm256_stream_pd(to, _mm256_load_pd(line));
        _mm256_stream_pd(to + 4, _mm256_load_pd(line + 4));
    });
}

// Eight by eight counts at a time: interleave 16, 32, then 64 bits.
void mirror(const std::uint16_t* counts, std::uint16_t* mirrored) noexcept {
    for (std::size_t j = 0; j < gram_columns; j += 8)
        for (std::size_t i = 0; i < gram_rows; i += 8) {
            __m128i a[8], b[8];
            for (std::size_t k = 0; k < 8; ++k)
                a[k] = _mm_load_si128(reinterpret_cast<const __m128i*>(counts + gram_columns * (i + k) + j));
            for (std::size_t k = 0; k < 4; ++k) {
                b[2 * k] = _mm_unpacklo_epi16(a[2 * k], a[2 * k + 1]);
                b[2 * k + 1] = _mm_unpackhi_epi16(a[2 * k], a[2 * k + 1]);
            }
            for (std::size_t k = 0; k < 2; ++k)
                for (std::size_t h = 0; h < 2; ++h) {
                    a[4 * k + 2 * h] = _mm_unpacklo_epi32(b[4 * k + h], b[4 * k + h + 2]);
                    a[4 * k + 2 * h + 1] = _mm_unpackhi_epi32(b[4 * k + h], b[4 * k + h + 2]);
                }
            for (std::size_t k = 0; k < 4; ++k) {
                auto* out = reinterpret_cast<__m128i*>(mirrored + gram_rows * (j + 2 * k) + i);
                _mm_store_si128(out, _mm_unpacklo_epi64(a[k], a[k + 4]));
                _mm_store_si128(out + gram_rows / 8, _mm_unpackhi_epi64(a[k], a[k + 4]));
            }
        }
}

void finish() noexcept { _mm_sfence(); }

}  // namespace

constexpr GramLoops avx2_gram_loops{true, count, count_by_planes_avx2, mirror, write_floats, write_doubles, finish};

}  // namespace conjunct
