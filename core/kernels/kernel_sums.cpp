#include "kernels/kernel_sums.hpp"

#include <algorithm>

#include "kernels/agreement_index.hpp"

namespace conjunct {

void kernel_sums(const WeightedRows& sum, Rows x, std::size_t first, std::size_t last, double* sums) noexcept {
    std::int32_t index[tile_rows];
    for (std::size_t j = first; j < last; j += tile_rows) {
        const std::size_t n = std::min(tile_rows, last - j);
        for (std::size_t i = 0; i < sum.rows.n_rows; ++i)
            for (std::size_t t = 0; t < sum.layout.n_summands; ++t) {
                agreement_index(sum.layout, sum.layout.summands[t], sum.rows.row(i), x.row(j), n, index);
                for (std::size_t k = 0; k < n; ++k) sums[j + k] += sum.weights[i] * sum.table[index[k]];
            }
    }
}

}  // namespace conjunct
