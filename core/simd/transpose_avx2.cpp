// Built with -mavx2 -mpopcnt; reached only after the CPU was asked.
#include <immintrin.h>

#include "simd/transpose_loop.hpp"

namespace conjunct {
namespace {

template <int size>
void swap_squares(__m256i& low, __m256i& high, __m256i mask) noexcept {
    const __m256i swapped = _mm256_and_si256(_mm256_xor_si256(_mm256_srli_epi64(low, size), high), mask);
    low = _mm256_xor_si256(low, _mm256_slli_epi64(swapped, size));
    high = _mm256_xor_si256(high, swapped);
}

// Three rounds of swaps, of squares of 4 * step, 2 * step and step bits, on eight words in registers.
template <int step>
void three_rounds(__m256i* words, long long wide, long long middle, long long narrow) noexcept {
    __m256i v[8];
    for (int j = 0; j < 8; ++j) v[j] = _mm256_loadu_si256(words + step * j);
    __m256i mask = _mm256_set1_epi64x(wide);
    for (int j = 0; j < 4; ++j) swap_squares<4 * step>(v[j], v[j + 4], mask);
    mask = _mm256_set1_epi64x(middle);
    for (int j = 0; j < 8; j += j % 4 == 1 ? 3 : 1) swap_squares<2 * step>(v[j], v[j + 2], mask);
    mask = _mm256_set1_epi64x(narrow);
    for (int j = 0; j < 8; j += 2) swap_squares<step>(v[j], v[j + 1], mask);
    for (int j = 0; j < 8; ++j) _mm256_storeu_si256(words + step * j, v[j]);
}

}  // namespace

void transpose_avx2(std::uint64_t* squares) noexcept {
    auto* words = reinterpret_cast<__m256i*>(squares);
    for (int k = 0; k < 8; ++k)
        three_rounds<8>(words + k, 0x00000000ffffffffLL, 0x0000ffff0000ffffLL, 0x00ff00ff00ff00ffLL);
    for (int k = 0; k < 64; k += 8)
        three_rounds<1>(words + k, 0x0f0f0f0f0f0f0f0fLL, 0x3333333333333333LL, 0x5555555555555555LL);
}

}  // namespace conjunct
