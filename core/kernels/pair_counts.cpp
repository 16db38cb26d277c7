#include <algorithm>
#include <type_traits>

#include "kernels/kernel_sums.hpp"

namespace conjunct {

template <class Count>
void pair_counts(const GramLoops& gram, const SumLoops& add, const Factor& factor, Rows x, std::size_t first,
                 std::size_t last, std::uint64_t* planes, GramScratch& scratch, Count* counts) noexcept {
    alignas(64) std::uint16_t ones[plane_columns];
    for (std::size_t j = 0; j < x.n_rows; j += gram_columns) {
        const Rows tile{x.row(j), std::min(gram_columns, x.n_rows - j), x.n_words};
        plane_rows(gram.layout, tile, factor.mask, planes, ones);
        for (std::size_t start = first; start < last; start += gram_rows) {
            const Rows rows{x.row(start), std::min(gram_rows, last - start), x.n_words};
            gram.count(factor, {rows, tile, {planes, ones}, 0}, scratch);
            for (std::size_t i = 0; i < rows.n_rows; ++i) {
                const std::uint16_t* from = scratch.counts + gram_columns * i;
                Count* to = counts + (start + i) * x.n_rows + j;
                if constexpr (std::is_same_v<Count, std::uint8_t>)
                    add.narrow(from, tile.n_rows, to);
                else
                    std::copy_n(from, tile.n_rows, to);
            }
        }
    }
}

template void pair_counts(const GramLoops&, const SumLoops&, const Factor&, Rows, std::size_t, std::size_t,
                          std::uint64_t*, GramScratch&, std::uint8_t*) noexcept;
template void pair_counts(const GramLoops&, const SumLoops&, const Factor&, Rows, std::size_t, std::size_t,
                          std::uint64_t*, GramScratch&, std::uint16_t*) noexcept;

}  // namespace conjunct
