#include "kernels/plane_rows.hpp"

#include <algorithm>
#include <bit>

namespace conjunct {
namespace {

// Transposes 64 x 64 bits in place: swap off-diagonal blocks of 32, 16, .., 1.
void transpose(std::uint64_t* block) noexcept {
    std::uint64_t mask = 0x00000000ffffffffULL;
    for (std::size_t size = 32; size; size >>= 1, mask ^= mask << size)
        for (std::size_t k = 0; k < 64; k = (k + size + 1) & ~size) {
            const std::uint64_t swapped = (block[k] >> size ^ block[k + size]) & mask;
            block[k] ^= swapped << size;
            block[k + size] ^= swapped;
        }
}

}  // namespace

void plane_rows(Rows rows, const std::uint64_t* mask, std::uint64_t* planes, std::uint16_t* ones) noexcept {
    std::fill(ones, ones + 1024, std::uint16_t{0});
    for (std::size_t w = 0; w < rows.n_words; ++w)
        for (std::size_t group = 0; group < 16; ++group) {
            std::uint64_t block[64];
            for (std::size_t k = 0; k < 64; ++k) {
                const std::size_t j = 64 * group + k;
                block[k] = j < rows.n_rows ? rows.row(j)[w] : 0;
                ones[j] = static_cast<std::uint16_t>(ones[j] + std::popcount(block[k] & mask[w]));
            }
            transpose(block);
            for (std::size_t v = 0; v < 64; ++v) planes[16 * (64 * w + v) + group] = block[v];
        }
    std::fill_n(planes + 16 * 64 * rows.n_words, 16, std::uint64_t{0});
}

}  // namespace conjunct
