#include "simd/transpose_loop.hpp"

namespace conjunct {
namespace {

template <int size>
void swap_squares(std::uint64_t& low, std::uint64_t& high, std::uint64_t mask) noexcept {
    const std::uint64_t swapped = (low >> size ^ high) & mask;
    low ^= swapped << size;
    high ^= swapped;
}

// Three rounds of swaps, of squares of 4 * step, 2 * step and step bits, on eight words in registers.
template <int step>
void three_rounds(std::uint64_t* words, std::uint64_t wide, std::uint64_t middle, std::uint64_t narrow) noexcept {
    std::uint64_t v[8];
    for (int j = 0; j < 8; ++j) v[j] = words[4 * step * j];
    for (int j = 0; j < 4; ++j) swap_squares<4 * step>(v[j], v[j + 4], wide);
    for (int j = 0; j < 8; j += j % 4 == 1 ? 3 : 1) swap_squares<2 * step>(v[j], v[j + 2], middle);
    for (int j = 0; j < 8; j += 2) swap_squares<step>(v[j], v[j + 1], narrow);
    for (int j = 0; j < 8; ++j) words[4 * step * j] = v[j];
}

}  // namespace

void transpose_portable(std::uint64_t* squares) noexcept {
    for (int k = 0; k < 4 * 8; ++k)
        three_rounds<8>(squares + k, 0x00000000ffffffffULL, 0x0000ffff0000ffffULL, 0x00ff00ff00ff00ffULL);
    for (int k = 0; k < 64; k += 8)
        for (int q = 0; q < 4; ++q)
            three_rounds<1>(squares + 4 * k + q, 0x0f0f0f0f0f0f0f0fULL, 0x3333333333333333ULL, 0x5555555555555555ULL);
}

}  // namespace conjunct
