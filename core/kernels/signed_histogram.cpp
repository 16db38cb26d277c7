#include "kernels/signed_histogram.hpp"

#include <algorithm>

#include "kernels/agreement_index.hpp"

namespace conjunct {

void signed_histogram(const Layout& layout, const std::uint64_t* x, Rows rows, const std::int64_t* weights,
                      std::size_t weight_stride, std::size_t n_outputs, std::int64_t* histogram) noexcept {
    std::int32_t index[tile_rows];
    std::fill(histogram, histogram + n_outputs * layout.n_values, std::int64_t{0});
    for (std::size_t j = 0; j < rows.n_rows; j += tile_rows) {
        const std::size_t n = std::min(tile_rows, rows.n_rows - j);
        for (std::size_t t = 0; t < layout.n_summands; ++t) {
            agreement_index(layout, layout.summands[t], x, rows.row(j), n, index);
            for (std::size_t output = 0; output < n_outputs; ++output) {
                const std::int64_t* weight = weights + output * weight_stride + j;
                std::int64_t* counts = histogram + output * layout.n_values;
                for (std::size_t k = 0; k < n; ++k) counts[index[k]] += weight[k];
            }
        }
    }
}

}  // namespace conjunct
