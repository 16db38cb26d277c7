// Built with -mavx512f -mavx512bw -mavx512vl -mavx512vpopcntdq -mavx512bitalg; reached only after the CPU was asked.
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace conjunct {
namespace {

constexpr std::size_t vector_bytes = 64;

template <class V>
inline V popcount(V lanes) noexcept {
    const __m512i x = reinterpret_cast<__m512i>(lanes);
    if constexpr (sizeof(lanes[0]) == 8) return reinterpret_cast<V>(_mm512_popcnt_epi64(x));
    if constexpr (sizeof(lanes[0]) == 4) return reinterpret_cast<V>(_mm512_popcnt_epi32(x));
    return reinterpret_cast<V>(_mm512_popcnt_epi16(x));
}

}  // namespace
}  // namespace conjunct

#include "simd/pair_loops_of.hpp"

namespace conjunct {

constexpr PairLoops avx512_pair_loops[3]{loops_of<std::uint16_t>, loops_of<std::uint32_t>, loops_of<std::uint64_t>};

}  // namespace conjunct
