// Built with -mavx512vpopcntdq -mavx512bitalg too; reached only after the CPU was asked.
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace conjunct {
namespace {

// Half of what AVX-512 has: fewer lanes past the last column, and as fast where the CPU halves the wide ones.
constexpr std::size_t vector_bytes = 32;

template <class V>
inline V popcount(V lanes) noexcept {
    const __m256i x = reinterpret_cast<__m256i>(lanes);
    if constexpr (sizeof(lanes[0]) == 8) return reinterpret_cast<V>(_mm256_popcnt_epi64(x));
    if constexpr (sizeof(lanes[0]) == 4) return reinterpret_cast<V>(_mm256_popcnt_epi32(x));
    return reinterpret_cast<V>(_mm256_popcnt_epi16(x));
}

}  // namespace
}  // namespace conjunct

#include "simd/pair_loops_of.hpp"

namespace conjunct {

constexpr PairLoops avx512_pair_loops[3]{loops_of<std::uint16_t>, loops_of<std::uint32_t>, loops_of<std::uint64_t>};

}  // namespace conjunct
