// Built with -mavx2 -mpopcnt; reached only after the CPU was asked.
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace conjunct {
namespace {

constexpr std::size_t vector_bytes = 32;

// Two nibble look-ups per byte, then the bytes of a lane added up.
template <class V>
inline V popcount(V lanes) noexcept {
    const __m256i x = reinterpret_cast<__m256i>(lanes);
    const __m256i nibble_counts = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,  //
                                                   0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(0x0f);
    const __m256i bytes =
        _mm256_add_epi8(_mm256_shuffle_epi8(nibble_counts, _mm256_and_si256(x, low)),
                        _mm256_shuffle_epi8(nibble_counts, _mm256_and_si256(_mm256_srli_epi16(x, 4), low)));
    if constexpr (sizeof(lanes[0]) == 8) return reinterpret_cast<V>(_mm256_sad_epu8(bytes, _mm256_setzero_si256()));
    const __m256i pairs = _mm256_maddubs_epi16(bytes, _mm256_set1_epi8(1));
    if constexpr (sizeof(lanes[0]) == 4) return reinterpret_cast<V>(_mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
    return reinterpret_cast<V>(pairs);
}

}  // namespace
}  // namespace conjunct

#include "simd/pair_loops_of.hpp"

namespace conjunct {

constexpr PairLoops avx2_pair_loops[3]{loops_of<std::uint16_t>, loops_of<std::uint32_t>, loops_of<std::uint64_t>};

}  // namespace conjunct
