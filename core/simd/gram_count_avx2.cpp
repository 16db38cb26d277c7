// Built with -mavx2 -mpopcnt; reached only after the CPU was asked.
#include <immintrin.h>

#include <algorithm>
#include <array>
#include <bit>

#include "simd/gram_loops.hpp"

namespace conjunct {
namespace {

using Slices = std::uint64_t[16][4];

template <class T>
__m256i load(const T* from) noexcept {
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(from));
}

template <class T>
void store(T* to, __m256i v) noexcept {
    _mm256_store_si256(reinterpret_cast<__m256i*>(to), v);
}

// Adds a, b, c bit by bit: sum in a, carry returned.
__m256i add(__m256i& a, __m256i b, __m256i c) noexcept {
    const __m256i either = _mm256_xor_si256(b, c);
    const __m256i carry = _mm256_or_si256(_mm256_and_si256(b, c), _mm256_and_si256(either, a));
    a = _mm256_xor_si256(either, a);
    return carry;
}

// Sliced counts of which the low bits stay in registers.
struct Low {
    __m256i one, two, four, eight, sixteen;
};

// Adds eight planes; returns the carry, worth 8.
[[gnu::always_inline]] inline __m256i add_eight(const std::uint64_t* planes, const std::uint16_t* listed,
                                                Low& low) noexcept {
    const auto plane = [&](std::size_t k) { return load(planes + listed[k]); };
    const __m256i two_a = add(low.one, plane(0), plane(1)), two_b = add(low.one, plane(2), plane(3));
    const __m256i four_a = add(low.two, two_a, two_b);
    const __m256i two_c = add(low.one, plane(4), plane(5)), two_d = add(low.one, plane(6), plane(7));
    const __m256i four_b = add(low.two, two_c, two_d);
    return add(low.four, four_a, four_b);
}

[[gnu::always_inline]] inline __m256i add_sixteen(const std::uint64_t* planes, const std::uint16_t* listed,
                                                  Low& low) noexcept {
    const __m256i eight_a = add_eight(planes, listed, low);
    const __m256i eight_b = add_eight(planes, listed + 8, low);
    return add(low.eight, eight_a, eight_b);
}

[[gnu::always_inline]] inline void ripple(Slices& slices, std::size_t first, std::size_t last, __m256i carry) noexcept {
    for (std::size_t k = first; k < last; ++k) {
        const __m256i slice = load(slices[k]);
        store(slices[k], _mm256_xor_si256(slice, carry));
        carry = _mm256_and_si256(slice, carry);
    }
}

// Adds the listed planes to counts of which `before` were added already: a count of c has bit_width(c) slices.
// Given   n_listed a multiple of 8; before + n_listed < 65536.
void add_planes(const std::uint64_t* planes, const std::uint16_t* listed, std::size_t n_listed, std::size_t before,
                Slices& slices) noexcept {
    const std::uint16_t* const end = listed + n_listed;
    const auto n_slices = [&] { return static_cast<std::size_t>(std::bit_width(before)); };
    const __m256i zero = _mm256_setzero_si256();
    Low low{zero, zero, zero, zero, zero};
    if (before) low = {load(slices[0]), load(slices[1]), load(slices[2]), load(slices[3]), load(slices[4])};
    for (std::size_t k = std::max<std::size_t>(5, n_slices()); k < std::bit_width(before + n_listed); ++k)
        store(slices[k], zero);
    for (; listed + 32 <= end; listed += 32) {
        const __m256i sixteen_a = add_sixteen(planes, listed, low);
        const __m256i sixteen_b = add_sixteen(planes, listed + 16, low);
        before += 32;
        ripple(slices, 5, n_slices(), add(low.sixteen, sixteen_a, sixteen_b));
    }
    store(slices[3], low.eight);
    store(slices[4], low.sixteen);
    for (; listed != end; listed += 8) {
        before += 8;
        ripple(slices, 3, n_slices(), add_eight(planes, listed, low));
    }
    store(slices[0], low.one);
    store(slices[1], low.two);
    store(slices[2], low.four);
}

// Swaps the bits of x above bit `shift` with those of y below it, in groups the mask says.
template <int shift>
void swap_bits(__m256i& x, __m256i& y, __m256i mask) noexcept {
    const __m256i swapped = _mm256_and_si256(_mm256_xor_si256(_mm256_srli_epi64(x, shift), y), mask);
    y = _mm256_xor_si256(y, swapped);
    x = _mm256_xor_si256(x, _mm256_slli_epi64(swapped, shift));
}

// Eight slices become bytes: byte c of v[b] collects bit 8 c + b of every slice. Missing slices are zero.
void collect(const Slices& slices, std::size_t first, std::size_t last, __m256i (&v)[8]) noexcept {
    for (std::size_t k = 0; k < 8; ++k) v[k] = first + k < last ? load(slices[first + k]) : _mm256_setzero_si256();
    const __m256i fours = _mm256_set1_epi8(0x0f), twos = _mm256_set1_epi8(0x33), ones = _mm256_set1_epi8(0x55);
    for (std::size_t k : {0, 1, 2, 3}) swap_bits<4>(v[k], v[k + 4], fours);
    for (std::size_t k : {0, 1, 4, 5}) swap_bits<2>(v[k], v[k + 2], twos);
    for (std::size_t k : {0, 2, 4, 6}) swap_bits<1>(v[k], v[k + 1], ones);
}

// How the counts of a row x follow from those of the variables listed for it.
struct Rule {
    std::int32_t fixed;  // part of every count
    bool zeros;          // its zeros are listed, not its ones: |x & z| = |z| - |~x & z|
};

// Places that agree: size - |x| - |z| + 2 |x & z|; common ones: |x & z|. `ones` holds |z| of each column.
template <bool same>
void write_counts(const Slices& slices, std::size_t n_slices, const Rule& rule, const std::uint16_t* ones,
                  std::uint16_t* counts) noexcept {
    __m256i low[8], high[8] = {};
    collect(slices, 0, n_slices, low);
    if (n_slices > 8) collect(slices, 8, n_slices, high);
    const __m256i negated = _mm256_set1_epi16(rule.zeros ? -1 : 0);  // -v = ~v + 1
    const __m256i fixed = _mm256_set1_epi16(static_cast<short>(rule.fixed + (rule.zeros ? 1 : 0)));
    const auto write = [&](std::size_t j, __m256i listed) {
        __m256i all = load(ones + j);
        if (same)
            listed = _mm256_add_epi16(listed, listed);
        else
            all = _mm256_and_si256(all, negated);
        const __m256i count = _mm256_xor_si256(_mm256_sub_epi16(listed, all), negated);
        store(counts + j, _mm256_add_epi16(fixed, count));
    };
    for (std::size_t b = 0; b < 8; ++b) {
        write(32 * b, _mm256_unpacklo_epi8(low[b], high[b]));
        write(32 * b + 16, _mm256_unpackhi_epi8(low[b], high[b]));
    }
}

// offsets[byte]: where a part's planes of the set bits of a byte start, counted from the byte's first, and then zeros.
constexpr auto offsets = [] {
    std::array<std::array<std::uint16_t, 8>, 256> all{};
    for (unsigned byte = 0; byte < 256; ++byte)
        for (unsigned bit = 0, k = 0; bit < 8; ++bit)
            if (byte >> bit & 1) all[byte][k++] = static_cast<std::uint16_t>(4 * bit);
    return all;
}();

// Lists where the planes of a row's ones, or of its zeros, start within a part. Returns how many there are, filled up
// with the plane of zeros to a multiple of eight, or of 32 where that is near: 32 planes cost little more than 24.
std::size_t list(const std::uint64_t* row, const std::uint64_t* mask, bool zeros, std::size_t n_words,
                 std::uint16_t* listed) noexcept {
    std::uint16_t* next = listed;
    for (std::size_t w = 0; w < n_words; ++w) {
        const std::uint64_t bits = (zeros ? ~row[w] : row[w]) & mask[w];
        for (std::size_t k = 0; k < 8; ++k) {
            const auto byte = static_cast<std::uint8_t>(bits >> (8 * k));
            const __m128i start = _mm_set1_epi16(static_cast<short>(4 * (1 + 64 * w + 8 * k)));
            const __m128i offset = _mm_loadu_si128(reinterpret_cast<const __m128i*>(offsets[byte].data()));
            _mm_storeu_si128(reinterpret_cast<__m128i*>(next), _mm_add_epi16(start, offset));
            next += std::popcount(byte);
        }
    }
    const auto n_listed = static_cast<std::size_t>(next - listed);
    std::fill_n(next, 32, std::uint16_t{0});
    return n_listed % 32 > 16 ? (n_listed + 31) / 32 * 32 : (n_listed + 7) / 8 * 8;
}

std::int32_t ones_of(const std::uint64_t* row, const std::uint64_t* mask, std::size_t n_words) noexcept {
    std::int32_t ones = 0;
    for (std::size_t w = 0; w < n_words; ++w) ones += std::popcount(row[w] & mask[w]);
    return ones;
}

template <bool same>
void count(const Factor& factor, const GramTile& tile, GramScratch& scratch) noexcept {
    constexpr std::size_t part_words = plane_variables / 64;
    const Rows a = tile.a;
    Rule rules[gram_rows];
    for (std::size_t i = 0; i < a.n_rows; ++i) {
        const std::int32_t ones = ones_of(a.row(i), factor.mask, a.n_words);
        rules[i] = {same ? factor.size - ones : 0, 2 * ones > factor.size};
    }
    std::size_t n_added[gram_rows] = {}, n_listed[gram_rows];
    for (std::size_t w = 0, part = 0; w < a.n_words; w += part_words, ++part) {
        const std::size_t n_words = std::min(part_words, a.n_words - w);
        const bool is_last = w + n_words == a.n_words;
        for (std::size_t i = 0; i < a.n_rows; ++i)
            n_listed[i] = list(a.row(i) + w, factor.mask + w, rules[i].zeros, n_words, scratch.listed[i]);
        for (std::size_t block = tile.first_block; 256 * block < tile.b.n_rows; ++block)
            for (std::size_t i = 0; i < a.n_rows; ++i) {
                Slices& slices = scratch.slices[a.n_words > part_words ? i : 0][block];
                add_planes(tile.planes.part(block, part), scratch.listed[i], n_listed[i], n_added[i], slices);
                if (!is_last) continue;
                const auto n_slices = static_cast<std::size_t>(std::bit_width(n_added[i] + n_listed[i]));
                write_counts<same>(slices, n_slices, rules[i], tile.planes.ones + 256 * block,
                                   scratch.counts + gram_columns * i + 256 * block);
            }
        for (std::size_t i = 0; i < a.n_rows; ++i) n_added[i] += n_listed[i];
    }
}

}  // namespace

// For each row of a the planes of its ones are added up, or of its zeros where they are fewer: carry-save, 256 columns at
// a time, part after part of the variables, so that the planes of a part stay in the first cache.
void count_planes_avx2(const Factor& factor, const GramTile& tile, GramScratch& scratch) noexcept {
    (factor.same ? count<true> : count<false>)(factor, tile, scratch);
}

}  // namespace conjunct
