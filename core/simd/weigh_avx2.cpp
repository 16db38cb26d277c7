// Built with -mavx2 -mpopcnt; reached only after the CPU was asked.
#include <immintrin.h>

#include "simd/weigh_loops_of.hpp"

namespace conjunct {
namespace {

inline __m256i load(const void* weights) noexcept { return _mm256_loadu_si256(static_cast<const __m256i*>(weights)); }

inline std::int64_t total_of(__m256i sums) noexcept {
    alignas(32) std::int64_t lanes[4];
    _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), sums);
    return lanes[0] + lanes[1] + lanes[2] + lanes[3];
}

// Eight lanes of 32 bits: each looks at its own bit of every byte.
struct NarrowLanes {
    __m256i even = _mm256_setzero_si256(), odd = _mm256_setzero_si256();

    void add(std::uint64_t cells, const std::int32_t* weights) noexcept {
        const __m256i first = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
        for (int half = 0; half < 2; ++half, cells >>= 32, weights += 32) {
            const __m256i bits = _mm256_set1_epi32(static_cast<int>(cells));
            const auto masked = [&](__m256i own, const std::int32_t* from) {
                return _mm256_and_si256(_mm256_cmpeq_epi32(_mm256_and_si256(bits, own), own), load(from));
            };
            even = _mm256_add_epi32(even, masked(first, weights));
            odd = _mm256_add_epi32(odd, masked(_mm256_slli_epi32(first, 8), weights + 8));
            even = _mm256_add_epi32(even, masked(_mm256_slli_epi32(first, 16), weights + 16));
            odd = _mm256_add_epi32(odd, masked(_mm256_slli_epi32(first, 24), weights + 24));
        }
    }
    std::int64_t total() const noexcept {
        const __m256i sums = _mm256_add_epi32(even, odd);
        return total_of(_mm256_add_epi64(_mm256_cvtepi32_epi64(_mm256_castsi256_si128(sums)),
                                         _mm256_cvtepi32_epi64(_mm256_extracti128_si256(sums, 1))));
    }
};

struct WideLanes {
    __m256i even = _mm256_setzero_si256(), odd = _mm256_setzero_si256();

    void add(std::uint64_t cells, const std::int64_t* weights) noexcept {
        const __m256i low = _mm256_setr_epi64x(1, 2, 4, 8), high = _mm256_slli_epi64(low, 4);
        __m256i bits = _mm256_set1_epi64x(static_cast<long long>(cells));
        for (int byte = 0; byte < 8; ++byte, weights += 8, bits = _mm256_srli_epi64(bits, 8)) {
            const __m256i has_low = _mm256_cmpeq_epi64(_mm256_and_si256(bits, low), low);
            const __m256i has_high = _mm256_cmpeq_epi64(_mm256_and_si256(bits, high), high);
            even = _mm256_add_epi64(even, _mm256_and_si256(has_low, load(weights)));
            odd = _mm256_add_epi64(odd, _mm256_and_si256(has_high, load(weights + 4)));
        }
    }
    std::int64_t total() const noexcept { return total_of(_mm256_add_epi64(even, odd)); }
};

}  // namespace

constexpr WeighLoops avx2_weigh_loops{weigh_by<NarrowLanes, std::int32_t>, weigh_by<WideLanes, std::int64_t>};

}  // namespace conjunct
