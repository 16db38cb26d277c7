#include <algorithm>

#include "kernels/kernel_sums.hpp"

namespace conjunct {

void tiled_kernel_sums(const GramLoops& gram, const SumLoops& add, const WeightedRows& sum, Rows x, std::size_t first,
                       std::size_t last, std::uint64_t* planes, GramScratch& scratch, double* sums) noexcept {
    const Factor& factor = sum.layout.summands[0].factors[0];
    alignas(64) std::uint16_t ones[plane_columns];
    const std::uint16_t* counts[gram_rows];
    for (std::size_t i = 0; i < gram_rows; ++i) counts[i] = scratch.counts + gram_columns * i;
    for (std::size_t j = first; j < last; j += gram_columns) {
        const Rows tile{x.row(j), std::min(gram_columns, last - j), x.n_words};
        plane_rows(gram.layout, tile, factor.mask, planes, ones);
        for (std::size_t i = 0; i < sum.rows.n_rows; i += gram_rows) {
            const Rows rows{sum.rows.row(i), std::min(gram_rows, sum.rows.n_rows - i), x.n_words};
            gram.count(factor, {rows, tile, {planes, ones}, 0}, scratch);
            add.shorts(counts, rows.n_rows, tile.n_rows, sum.table, sum.weights + i, sums + j);
        }
    }
}

}  // namespace conjunct
