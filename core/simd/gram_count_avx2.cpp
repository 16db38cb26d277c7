// Built with -mavx2 -mpopcnt; reached only after the CPU was asked.
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace conjunct {
namespace {

constexpr std::size_t vector_bytes = 32;
typedef std::uint64_t Bits __attribute__((vector_size(vector_bytes), may_alias));

// Adds a, b, c bit by bit: sum in a, carry returned.
inline Bits add(Bits& a, Bits b, Bits c) noexcept {
    const Bits either = b ^ c, carry = (b & c) | (either & a);
    a ^= either;
    return carry;
}

// The bytes of a and b by turns, from the lower or the upper half of every 16.
inline Bits unpack_low(Bits a, Bits b) noexcept {
    return reinterpret_cast<Bits>(_mm256_unpacklo_epi8(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
}
inline Bits unpack_high(Bits a, Bits b) noexcept {
    return reinterpret_cast<Bits>(_mm256_unpackhi_epi8(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
}

}  // namespace
}  // namespace conjunct

#include "simd/gram_count_of.hpp"

namespace conjunct {

void count_planes_avx2(const Factor& factor, const GramTile& tile, GramScratch& scratch) noexcept {
    (factor.same ? count<true> : count<false>)(factor, tile, scratch);
}

}  // namespace conjunct
