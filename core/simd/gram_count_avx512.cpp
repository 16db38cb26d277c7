// Built with -mavx512f -mavx512bw -mavx512vl -mavx512dq; reached only after the CPU was asked.
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace conjunct {
namespace {

constexpr std::size_t vector_bytes = 64;
typedef std::uint64_t Bits __attribute__((vector_size(vector_bytes), may_alias));

// Adds a, b, c bit by bit, one instruction each: sum in a, carry returned.
inline Bits add(Bits& a, Bits b, Bits c) noexcept {
    const auto x = reinterpret_cast<__m512i>(a), y = reinterpret_cast<__m512i>(b), z = reinterpret_cast<__m512i>(c);
    a = reinterpret_cast<Bits>(_mm512_ternarylogic_epi64(x, y, z, 0x96));
    return reinterpret_cast<Bits>(_mm512_ternarylogic_epi64(x, y, z, 0xe8));
}

// The bytes of a and b by turns, from the lower or the upper half of every 16.
inline Bits unpack_low(Bits a, Bits b) noexcept {
    return reinterpret_cast<Bits>(_mm512_unpacklo_epi8(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
}
inline Bits unpack_high(Bits a, Bits b) noexcept {
    return reinterpret_cast<Bits>(_mm512_unpackhi_epi8(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
}

}  // namespace
}  // namespace conjunct

#include "simd/gram_count_of.hpp"

namespace conjunct {

void count_planes_avx512(const Factor& factor, const GramTile& tile, GramScratch& scratch) noexcept {
    (factor.same ? count<true> : count<false>)(factor, tile, scratch);
}

}  // namespace conjunct
