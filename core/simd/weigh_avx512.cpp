// Built with -mavx512f -mavx512bw -mavx512vl -mavx512dq; reached only after the CPU was asked.
#include <immintrin.h>

#include "simd/weigh_loops_of.hpp"

namespace conjunct {
namespace {

// By a store: GCC 12 warns about its own _mm512_reduce_add.
template <class Weight>
std::int64_t total_of(__m512i sums) noexcept {
    alignas(64) Weight lanes[64 / sizeof(Weight)];
    _mm512_store_si512(lanes, sums);
    std::int64_t total = 0;
    for (const Weight lane : lanes) total += lane;
    return total;
}

struct NarrowLanes {
    __m512i even = _mm512_setzero_si512(), odd = _mm512_setzero_si512();

    void add(std::uint64_t cells, const std::int32_t* weights) noexcept {
        for (int half = 0; half < 2; ++half, cells >>= 32, weights += 32) {
            const auto low = static_cast<__mmask16>(cells), high = static_cast<__mmask16>(cells >> 16);
            even = _mm512_mask_add_epi32(even, low, even, _mm512_loadu_si512(weights));
            odd = _mm512_mask_add_epi32(odd, high, odd, _mm512_loadu_si512(weights + 16));
        }
    }
    std::int64_t total() const noexcept { return total_of<std::int32_t>(_mm512_add_epi32(even, odd)); }
};

struct WideLanes {
    __m512i even = _mm512_setzero_si512(), odd = _mm512_setzero_si512();

    void add(std::uint64_t cells, const std::int64_t* weights) noexcept {
        for (int pair = 0; pair < 4; ++pair, cells >>= 16, weights += 16) {
            const auto low = static_cast<__mmask8>(cells), high = static_cast<__mmask8>(cells >> 8);
            even = _mm512_mask_add_epi64(even, low, even, _mm512_loadu_si512(weights));
            odd = _mm512_mask_add_epi64(odd, high, odd, _mm512_loadu_si512(weights + 8));
        }
    }
    std::int64_t total() const noexcept { return total_of<std::int64_t>(_mm512_add_epi64(even, odd)); }
};

}  // namespace

constexpr WeighLoops avx512_weigh_loops{weigh_by<NarrowLanes, std::int32_t>, weigh_by<WideLanes, std::int64_t>};

}  // namespace conjunct
