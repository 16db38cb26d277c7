// Counting by bit planes, for the vectors of the file that includes this: it defines, in an anonymous namespace,
// vector_bytes, Bits, add, unpack_low and unpack_high, so that every instruction set has functions of its own.
//
// For each row of a the planes of its ones are added up, or of its zeros where they are fewer: carry-save, a vector of
// columns at a time, part after part of the variables, so that the planes of a part stay in the first cache.
#pragma once
#include <emmintrin.h>

#include <algorithm>
#include <array>
#include <bit>

#include "simd/gram_loops.hpp"

namespace conjunct {
namespace {

constexpr PlaneLayout layout{8 * vector_bytes};
constexpr std::size_t plane_words = layout.plane_words();

typedef std::uint16_t Shorts __attribute__((vector_size(vector_bytes), may_alias));
using Slices = std::uint64_t[16][plane_words];

template <class V = Bits, class T>
V& at(T* address) noexcept {
    return *reinterpret_cast<V*>(address);
}

template <class V = Bits, class T>
V load(const T* address) noexcept {
    return *reinterpret_cast<const V*>(address);
}

// Sliced counts of which the low bits stay in registers.
struct Low {
    Bits one, two, four, eight, sixteen;
};

// Adds eight planes; returns the carry, worth 8.
[[gnu::always_inline]] inline Bits add_eight(const std::uint64_t* planes, const std::uint16_t* listed,
                                             Low& low) noexcept {
    const auto plane = [&](std::size_t k) { return load(planes + listed[k]); };
    const Bits two_a = add(low.one, plane(0), plane(1)), two_b = add(low.one, plane(2), plane(3));
    const Bits four_a = add(low.two, two_a, two_b);
    const Bits two_c = add(low.one, plane(4), plane(5)), two_d = add(low.one, plane(6), plane(7));
    const Bits four_b = add(low.two, two_c, two_d);
    return add(low.four, four_a, four_b);
}

[[gnu::always_inline]] inline Bits add_sixteen(const std::uint64_t* planes, const std::uint16_t* listed,
                                               Low& low) noexcept {
    const Bits eight_a = add_eight(planes, listed, low);
    const Bits eight_b = add_eight(planes, listed + 8, low);
    return add(low.eight, eight_a, eight_b);
}

[[gnu::always_inline]] inline void ripple(Slices& slices, std::size_t first, std::size_t last, Bits carry) noexcept {
    for (std::size_t k = first; k < last; ++k) {
        const Bits slice = load(slices[k]);
        at(slices[k]) = slice ^ carry;
        carry &= slice;
    }
}

// Adds the listed planes to counts of which `before` were added already: a count of c has bit_width(c) slices.
// Given   n_listed a multiple of 8; before + n_listed < 65536.
inline void add_planes(const std::uint64_t* planes, const std::uint16_t* listed, std::size_t n_listed,
                       std::size_t before, Slices& slices) noexcept {
    const std::uint16_t* const end = listed + n_listed;
    const auto n_slices = [&] { return static_cast<std::size_t>(std::bit_width(before)); };
    Low low{};
    if (before) low = {load(slices[0]), load(slices[1]), load(slices[2]), load(slices[3]), load(slices[4])};
    for (std::size_t k = std::max<std::size_t>(5, n_slices()); k < std::bit_width(before + n_listed); ++k)
        at(slices[k]) = Bits{};
    for (; listed + 32 <= end; listed += 32) {
        const Bits sixteen_a = add_sixteen(planes, listed, low);
        const Bits sixteen_b = add_sixteen(planes, listed + 16, low);
        before += 32;
        ripple(slices, 5, n_slices(), add(low.sixteen, sixteen_a, sixteen_b));
    }
    at(slices[3]) = low.eight;
    at(slices[4]) = low.sixteen;
    for (; listed != end; listed += 8) {
        before += 8;
        ripple(slices, 3, n_slices(), add_eight(planes, listed, low));
    }
    at(slices[0]) = low.one;
    at(slices[1]) = low.two;
    at(slices[2]) = low.four;
}

// Swaps the bits of x above bit `shift` with those of y below it, in groups the mask says.
template <int shift>
void swap_bits(Bits& x, Bits& y, std::uint64_t mask) noexcept {
    const Bits swapped = (x >> shift ^ y) & mask;
    y ^= swapped;
    x ^= swapped << shift;
}

// Eight slices become bytes: byte c of v[b] collects bit 8 c + b of every slice. Missing slices are zero.
inline void collect(const Slices& slices, std::size_t first, std::size_t last, Bits (&v)[8]) noexcept {
    for (std::size_t k = 0; k < 8; ++k) v[k] = first + k < last ? load(slices[first + k]) : Bits{};
    for (std::size_t k : {0, 1, 2, 3}) swap_bits<4>(v[k], v[k + 4], 0x0f0f0f0f0f0f0f0f);
    for (std::size_t k : {0, 1, 4, 5}) swap_bits<2>(v[k], v[k + 2], 0x3333333333333333);
    for (std::size_t k : {0, 2, 4, 6}) swap_bits<1>(v[k], v[k + 1], 0x5555555555555555);
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
    Bits low[8], high[8] = {};
    collect(slices, 0, n_slices, low);
    if (n_slices > 8) collect(slices, 8, n_slices, high);
    const std::uint16_t sign = rule.zeros ? 65535 : 0;  // -v = ~v + 1
    const auto start = static_cast<std::uint16_t>(rule.fixed + rule.zeros);
    const Shorts negated = Shorts{} + sign, fixed = Shorts{} + start;
    const auto write = [&](std::size_t j, Bits bytes) {
        Shorts listed = reinterpret_cast<Shorts>(bytes), all = load<Shorts>(ones + j);
        if (same)
            listed += listed;
        else
            all &= negated;
        at<Shorts>(counts + j) = fixed + ((listed - all) ^ negated);
    };
    for (std::size_t b = 0; b < 8; ++b) {
        write(vector_bytes * b, unpack_low(low[b], high[b]));
        write(vector_bytes * b + vector_bytes / 2, unpack_high(low[b], high[b]));
    }
}

// offsets[byte]: where a part's planes of the set bits of a byte start, counted from the byte's first, and then zeros.
constexpr auto offsets = [] {
    std::array<std::array<std::uint16_t, 8>, 256> all{};
    for (unsigned byte = 0; byte < 256; ++byte)
        for (unsigned bit = 0, k = 0; bit < 8; ++bit)
            if (byte >> bit & 1) all[byte][k++] = static_cast<std::uint16_t>(plane_words * bit);
    return all;
}();

// Lists where the planes of a row's ones, or of its zeros, start within a part. Returns how many there are, filled up
// with the plane of zeros to a multiple of eight, or of 32 where that is near: 32 planes cost little more than 24.
inline std::size_t list(const std::uint64_t* row, const std::uint64_t* mask, bool zeros, std::size_t n_words,
                        std::uint16_t* listed) noexcept {
    std::uint16_t* next = listed;
    for (std::size_t w = 0; w < n_words; ++w) {
        const std::uint64_t bits = (zeros ? ~row[w] : row[w]) & mask[w];
        for (std::size_t k = 0; k < 8; ++k) {
            const auto byte = static_cast<std::uint8_t>(bits >> (8 * k));
            const __m128i start = _mm_set1_epi16(static_cast<short>(plane_words * (1 + 64 * w + 8 * k)));
            const __m128i offset = _mm_loadu_si128(reinterpret_cast<const __m128i*>(offsets[byte].data()));
            _mm_storeu_si128(reinterpret_cast<__m128i*>(next), _mm_add_epi16(start, offset));
            next += std::popcount(byte);
        }
    }
    const auto n_listed = static_cast<std::size_t>(next - listed);
    std::fill_n(next, 32, std::uint16_t{0});
    return n_listed % 32 > 16 ? (n_listed + 31) / 32 * 32 : (n_listed + 7) / 8 * 8;
}

inline std::int32_t ones_of(const std::uint64_t* row, const std::uint64_t* mask, std::size_t n_words) noexcept {
    std::int32_t ones = 0;
    for (std::size_t w = 0; w < n_words; ++w) ones += std::popcount(row[w] & mask[w]);
    return ones;
}

template <bool same>
void count(const Factor& factor, const GramTile& tile, GramScratch& scratch) noexcept {
    constexpr std::size_t part_words = plane_variables / 64, block_rows = layout.block_rows;
    const Rows a = tile.a;
    Rule rules[gram_rows];
    for (std::size_t i = 0; i < a.n_rows; ++i) {
        const std::int32_t ones = ones_of(a.row(i), factor.mask, a.n_words);
        rules[i] = {same ? factor.size - ones : 0, 2 * ones > factor.size};
    }
    auto* slices_of = reinterpret_cast<Slices(*)[plane_columns / block_rows]>(scratch.slices);
    std::size_t n_added[gram_rows] = {}, n_listed[gram_rows];
    for (std::size_t w = 0, part = 0; w < a.n_words; w += part_words, ++part) {
        const std::size_t n_words = std::min(part_words, a.n_words - w);
        const bool is_last = w + n_words == a.n_words;
        for (std::size_t i = 0; i < a.n_rows; ++i)
            n_listed[i] = list(a.row(i) + w, factor.mask + w, rules[i].zeros, n_words, scratch.listed[i]);
        for (std::size_t block = tile.first / block_rows; block_rows * block < tile.b.n_rows; ++block)
            for (std::size_t i = 0; i < a.n_rows; ++i) {
                const std::uint64_t* planes =
                    tile.planes.words + block * layout.block_words(a.n_words) + layout.part_start(part);
                Slices& slices = slices_of[a.n_words > part_words ? i : 0][block];
                add_planes(planes, scratch.listed[i], n_listed[i], n_added[i], slices);
                if (!is_last) continue;
                const auto n_slices = static_cast<std::size_t>(std::bit_width(n_added[i] + n_listed[i]));
                write_counts<same>(slices, n_slices, rules[i], tile.planes.ones + block_rows * block,
                                   scratch.counts + gram_columns * i + block_rows * block);
            }
        for (std::size_t i = 0; i < a.n_rows; ++i) n_added[i] += n_listed[i];
    }
}

}  // namespace
}  // namespace conjunct
