#include "learners/replay_scores.hpp"

#include "kernels/limb_sum.hpp"
#include "kernels/signed_histogram.hpp"

namespace conjunct {

void replay_scores(const Layout& layout, const ExactTable& table, Rows rows, const std::int64_t* slot,
                   const std::int64_t* weight, std::size_t first, std::size_t last, std::int64_t* sums,
                   std::int64_t* histogram, std::uint64_t* out) noexcept {
    for (std::size_t u = first; u < last; ++u) {
        const auto here = static_cast<std::size_t>(slot[u]);
        signed_histogram(layout, rows.row(here), rows, sums, rows.n_rows, 1, histogram);
        limb_sum(histogram, table.values, table.n_values, table.n_limbs, out + (u - first) * table.n_limbs);
        sums[here] += weight[u];
    }
}

}  // namespace conjunct
