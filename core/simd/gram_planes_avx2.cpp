// Built with -mavx2 -mpopcnt; reached only after the CPU was asked.
#include <immintrin.h>

#include "simd/gram_loops.hpp"

namespace conjunct {
namespace {

constexpr std::size_t high_bits = 13;  // counts up to 65535: three low bits, 13 above

// Adds a, b, c bit by bit: sum in a, carry returned.
__m256i add(__m256i& a, __m256i b, __m256i c) noexcept {
    const __m256i either = _mm256_xor_si256(a, b);
    const __m256i carry = _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(either, c));
    a = _mm256_xor_si256(either, c);
    return carry;
}

// Bytes 0xff where the 32 bits are set.
__m256i spread(std::uint32_t bits) noexcept {
    const __m256i byte_of = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1,  //
                                             2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
    const __m256i bit_of = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201ULL));
    const __m256i bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(static_cast<int>(bits)), byte_of);
    return _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit_of), bit_of);
}

// Collects bits [first, last) of 32 sliced counts as bytes.
__m256i collect(const std::uint32_t (*slices)[8], std::size_t group, std::size_t first, std::size_t last) noexcept {
    __m256i bytes = _mm256_setzero_si256();
    for (std::size_t k = first; k < last; ++k)
        bytes = _mm256_or_si256(
            bytes, _mm256_and_si256(spread(slices[k][group]), _mm256_set1_epi8(static_cast<char>(1 << (k - first)))));
    return bytes;
}

__m256i widen(__m256i bytes, int half) noexcept {
    return _mm256_cvtepu8_epi16(half ? _mm256_extracti128_si256(bytes, 1) : _mm256_castsi256_si128(bytes));
}

// Counts of one row's set variables over 256 columns: sliced counters, eight planes to a carry.
std::size_t count_planes(const std::uint64_t* planes, const std::uint16_t* set, std::size_t n_set,
                         std::uint32_t (*slices)[8]) noexcept {
    __m256i one = _mm256_setzero_si256(), two = one, four = one, high[high_bits] = {};
    std::size_t n_high = 0;
    for (std::size_t s = 0; s < n_set; s += 8) {
        const auto plane = [&](std::size_t k) {
            return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(planes + 16 * std::size_t{set[s + k]}));
        };
        const __m256i two_a = add(one, plane(0), plane(1)), two_b = add(one, plane(2), plane(3));
        const __m256i four_a = add(two, two_a, two_b);
        const __m256i two_c = add(one, plane(4), plane(5)), two_d = add(one, plane(6), plane(7));
        __m256i carry = add(four, four_a, add(two, two_c, two_d));
        if ((s / 8 + 1) >> n_high) ++n_high;  // after b carries a count of them needs as many bits as b has
        for (std::size_t k = 0; k < n_high; ++k) {
            const __m256i next = _mm256_and_si256(high[k], carry);
            high[k] = _mm256_xor_si256(high[k], carry);
            carry = next;
        }
    }
    const __m256i low[3] = {one, two, four};
    for (std::size_t k = 0; k < 3; ++k) _mm256_storeu_si256(reinterpret_cast<__m256i*>(slices[k]), low[k]);
    for (std::size_t k = 0; k < n_high; ++k) _mm256_storeu_si256(reinterpret_cast<__m256i*>(slices[3 + k]), high[k]);
    return 3 + n_high;
}

}  // namespace

void count_by_planes_avx2(const Factor& factor, const GramTile& tile, std::uint16_t* counts) noexcept {
    std::uint16_t set[65536 + 8];
    std::uint32_t slices[3 + high_bits][8];
    for (std::size_t i = 0; i < tile.a.n_rows; ++i) {
        std::size_t n_set = 0;
        for (std::size_t w = 0; w < tile.a.n_words; ++w)
            for (std::uint64_t bits = tile.a.row(i)[w] & factor.mask[w]; bits; bits &= bits - 1)
                set[n_set++] = static_cast<std::uint16_t>(64 * w + static_cast<std::size_t>(__builtin_ctzll(bits)));
        const __m256i fixed = _mm256_set1_epi16(static_cast<short>(factor.size - static_cast<std::int32_t>(n_set)));
        while (n_set % 8) set[n_set++] = static_cast<std::uint16_t>(64 * tile.a.n_words);  // the plane of zeros
        for (std::size_t j = 0; j < tile.b.n_rows; j += 256) {
            const std::size_t n_bits = count_planes(tile.planes + j / 64, set, n_set, slices);
            for (std::size_t group = 0; group < 8; ++group) {
                const __m256i low = collect(slices, group, 0, n_bits < 8 ? n_bits : 8);
                const __m256i top = n_bits > 8 ? collect(slices, group, 8, n_bits) : _mm256_setzero_si256();
                for (int half = 0; half < 2; ++half) {
                    const std::size_t column = j + 32 * group + 16 * static_cast<std::size_t>(half);
                    __m256i common = _mm256_or_si256(widen(low, half), _mm256_slli_epi16(widen(top, half), 8));
                    if (factor.same) {  // agreeing zeros too: size - |x| - |z| + 2 |x & z|
                        const auto* ones = reinterpret_cast<const __m256i*>(tile.ones + column);
                        common = _mm256_sub_epi16(_mm256_add_epi16(fixed, _mm256_slli_epi16(common, 1)),
                                                  _mm256_loadu_si256(ones));
                    }
                    _mm256_store_si256(reinterpret_cast<__m256i*>(counts + gram_columns * i + column), common);
                }
            }
        }
    }
}

}  // namespace conjunct
