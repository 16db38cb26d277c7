#include "kernels/plane_rows.hpp"

#include <bit>

namespace conjunct {
namespace {

// Transposes 64 x 64 bits in place: swap off-diagonal squares of 32, 16, .., 1.
void transpose(std::uint64_t* square) noexcept {
    std::uint64_t mask = 0x00000000ffffffffULL;
    for (std::size_t size = 32; size; size >>= 1, mask ^= mask << size)
        for (std::size_t k = 0; k < 64; k = (k + size + 1) & ~size) {
            const std::uint64_t swapped = (square[k] >> size ^ square[k + size]) & mask;
            square[k] ^= swapped << size;
            square[k + size] ^= swapped;
        }
}

}  // namespace

void plane_rows(PlaneLayout layout, Rows rows, const std::uint64_t* mask, std::uint64_t* words,
                std::uint16_t* ones) noexcept {
    constexpr std::size_t part_words = plane_variables / 64;
    const std::size_t plane_words = layout.plane_words();
    if (!layout.block_rows) return;
    std::fill_n(ones, plane_columns, std::uint16_t{0});
    for (std::size_t block = 0; layout.block_rows * block < rows.n_rows; ++block) {
        std::uint64_t* planes = words + block * layout.block_words(rows.n_words);
        for (std::size_t part = 0; part < layout.n_parts(rows.n_words); ++part)
            std::fill_n(planes + layout.part_start(part), plane_words, std::uint64_t{0});
        for (std::size_t w = 0; w < rows.n_words; ++w) {
            std::uint64_t* out = planes + layout.part_start(w / part_words) + plane_words * (1 + 64 * (w % part_words));
            for (std::size_t piece = 0; piece < plane_words; ++piece) {
                std::uint64_t square[64];
                for (std::size_t k = 0; k < 64; ++k) {
                    const std::size_t j = layout.block_rows * block + layout.row_of_bit(64 * piece + k);
                    square[k] = j < rows.n_rows ? rows.row(j)[w] : 0;
                    ones[j] = static_cast<std::uint16_t>(ones[j] + std::popcount(square[k] & mask[w]));
                }
                transpose(square);
                for (std::size_t v = 0; v < 64; ++v) out[plane_words * v + piece] = square[v];
            }
        }
    }
}

}  // namespace conjunct
