#include "kernels/vote_rows.hpp"

#include <algorithm>

#include "kernels/agreement_index.hpp"
#include "kernels/limb_sum.hpp"

namespace conjunct {

void vote_rows(const Layout& layout, const ExactTable& table, Rows rows, Updates updates, Rows x, std::size_t first,
               std::size_t last, std::int32_t* index, std::uint64_t* total, std::int64_t* votes) noexcept {
    const std::size_t n_limbs = table.n_limbs;
    for (std::size_t i = first; i < last; ++i) {
        for (std::size_t t = 0; t < layout.n_summands; ++t)
            for (std::size_t j = 0; j < rows.n_rows; j += tile_rows)
                agreement_index(layout, layout.summands[t], x.row(i), rows.row(j), std::min(tile_rows, rows.n_rows - j),
                                index + t * rows.n_rows + j);
        std::fill(total, total + n_limbs, std::uint64_t{0});
        std::int64_t sum = 0;
        for (std::size_t h = 0;; ++h) {
            const std::int64_t weight = updates.survival[h];
            if (weight) sum += limb_less(total, table.threshold, n_limbs) ? -weight : weight;
            if (h == updates.n_updates) break;
            for (std::size_t t = 0; t < layout.n_summands; ++t) {
                const auto value =
                    static_cast<std::size_t>(index[t * rows.n_rows + static_cast<std::size_t>(updates.slot[h])]);
                add_multiple(total, updates.weight[h], table.values + value * n_limbs, n_limbs);
            }
        }
        votes[i] = sum;
    }
}

}  // namespace conjunct
