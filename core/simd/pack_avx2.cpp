// Built with -mavx2 -mpopcnt; reached only after the CPU was asked.
#include <immintrin.h>

#include "simd/pack_loop.hpp"

namespace conjunct {

// 64 bytes to a word: shift the lowest bit of each byte to its top, collect the tops.
bool pack_bytes_avx2(const std::uint8_t* bytes, std::size_t n_words, std::uint64_t* words) noexcept {
    __m256i seen = _mm256_setzero_si256();
    for (std::size_t w = 0; w < n_words; ++w) {
        const auto* source = reinterpret_cast<const __m256i*>(bytes + 64 * w);
        const __m256i low = _mm256_loadu_si256(source), high = _mm256_loadu_si256(source + 1);
        seen = _mm256_or_si256(seen, _mm256_or_si256(low, high));
        const auto bits = [](__m256i v) {
            return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_slli_epi16(v, 7)));
        };
        words[w] = bits(low) | static_cast<std::uint64_t>(bits(high)) << 32;
    }
    return _mm256_testz_si256(seen, _mm256_set1_epi8(static_cast<char>(0xfe)));
}

}  // namespace conjunct
