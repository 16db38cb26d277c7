#include "kernels/agreement_counts.hpp"

#include <algorithm>

#include "kernels/agreement_index.hpp"

namespace conjunct {

void agreement_counts(const Layout& layout, Rows a, Rows b, std::size_t first, std::size_t last,
                      std::int32_t* out) noexcept {
    for (std::size_t i = first; i < last; ++i)
        for (std::size_t j = 0; j < b.n_rows; j += tile_rows)
            agreement_index(layout, layout.summands[0], a.row(i), b.row(j), std::min(tile_rows, b.n_rows - j),
                            out + i * b.n_rows + j);
}

}  // namespace conjunct
