// Built with -mavx2 -mpopcnt; reached only after the CPU was asked.
#include <immintrin.h>

#include "simd/level.hpp"

namespace conjunct {
namespace {

inline __m256i load(const std::uint64_t* words) noexcept {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words));
}

// Counts of the set bits of each 64-bit lane: two nibble look-ups per byte, then a sum of the eight bytes.
inline __m256i popcount_lanes(__m256i v) noexcept {
    const __m256i nibble_counts = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,  //
                                                   0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(0x0f);
    const __m256i bytes =
        _mm256_add_epi8(_mm256_shuffle_epi8(nibble_counts, _mm256_and_si256(v, low)),
                        _mm256_shuffle_epi8(nibble_counts, _mm256_and_si256(_mm256_srli_epi16(v, 4), low)));
    return _mm256_sad_epu8(bytes, _mm256_setzero_si256());
}

inline std::int32_t sum_lanes(__m256i v) noexcept {
    const __m128i halves = _mm_add_epi64(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    return static_cast<std::int32_t>(_mm_cvtsi128_si64(halves) + _mm_extract_epi64(halves, 1));
}

// Four words at a time where a row has them, the popcnt instruction for the rest.
template <bool differing>
void count(const std::uint64_t* x, const std::uint64_t* mask, const std::uint64_t* rows, std::size_t n_rows,
           std::size_t n_words, std::int32_t* counts) noexcept {
    for (std::size_t j = 0; j < n_rows; ++j, rows += n_words) {
        std::size_t w = 0;
        std::int32_t total = 0;
        if (n_words >= 4) {
            __m256i lanes = _mm256_setzero_si256();
            for (; w + 4 <= n_words; w += 4) {
                const __m256i a = load(x + w), b = load(rows + w);
                const __m256i bits = differing ? _mm256_xor_si256(a, b) : _mm256_and_si256(a, b);
                lanes = _mm256_add_epi64(lanes, popcount_lanes(_mm256_and_si256(bits, load(mask + w))));
            }
            total = sum_lanes(lanes);
        }
        for (; w < n_words; ++w)
            total += static_cast<std::int32_t>(_mm_popcnt_u64((differing ? x[w] ^ rows[w] : x[w] & rows[w]) & mask[w]));
        counts[j] = total;
    }
}

}  // namespace

constexpr Level avx2_level{"avx2",          count<true>,    count<false>,    pack_bytes_avx2,  transpose_avx2,
                           avx2_gram_loops, avx2_sum_loops, avx2_pair_loops, avx2_weigh_loops, fewest_avx2};
constexpr Level avx512_level{"avx512",          count<true>,    count<false>,    pack_bytes_avx2,    transpose_avx2,
                             avx512_gram_loops, avx2_sum_loops, avx2_pair_loops, avx512_weigh_loops, fewest_avx2};
constexpr Level avx512_popcount_level{"avx512-popcount",  count<true>,       count<false>,   pack_bytes_avx2,
                                      transpose_avx2,     avx512_gram_loops, avx2_sum_loops, avx512_pair_loops,
                                      avx512_weigh_loops, fewest_avx2};

}  // namespace conjunct
