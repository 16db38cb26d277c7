#include "kernels/table_gram.hpp"

#include <algorithm>

#include "kernels/agreement_index.hpp"

namespace conjunct {

void table_gram(const Layout& layout, Rows a, Rows b, const double* table, std::size_t first, std::size_t last,
                double* out) noexcept {
    std::int32_t index[tile_rows];
    for (std::size_t i = first; i < last; ++i)
        for (std::size_t j = 0; j < b.n_rows; j += tile_rows) {
            const std::size_t n = std::min(tile_rows, b.n_rows - j);
            double* entries = out + i * b.n_rows + j;
            for (std::size_t t = 0; t < layout.n_summands; ++t) {
                agreement_index(layout, layout.summands[t], a.row(i), b.row(j), n, index);
                for (std::size_t k = 0; k < n; ++k) entries[k] = (t ? entries[k] : 0.0) + table[index[k]];
            }
        }
}

}  // namespace conjunct
