#include "kernels/exact_scores.hpp"

#include <algorithm>

#include "kernels/floor_carry.hpp"
#include "kernels/limb_sum.hpp"
#include "kernels/signed_histogram.hpp"

namespace conjunct {

bool reaches_threshold(const ExactTable& table, const std::int64_t* histogram, std::uint64_t* scratch) noexcept {
    if (table.digits) return floor_carry_sign(histogram, table.digits, table.n_values) >= 0;
    limb_sum(histogram, table.values, table.n_values, table.n_limbs, scratch);
    return !limb_less(scratch, table.threshold, table.n_limbs);
}

void exact_scores(const Expansion& e, Rows x, std::size_t first, std::size_t last, std::int64_t* histogram,
                  std::uint64_t* out) noexcept {
    for (std::size_t i = first; i < last; ++i) {
        signed_histogram(e.layout, x.row(i), e.rows, e.weights, e.rows.n_rows, e.n_outputs, histogram);
        for (std::size_t k = 0; k < e.n_outputs; ++k)
            limb_sum(histogram + k * e.table.n_values, e.table.values, e.table.n_values, e.table.n_limbs,
                     out + (i * e.n_outputs + k) * e.table.n_limbs);
    }
}

void exact_choices(const Expansion& e, Rows x, std::size_t first, std::size_t last, std::int64_t* histogram,
                   std::uint64_t* scratch, std::int64_t* out) noexcept {
    std::uint64_t *best = scratch, *candidate = scratch + e.table.n_limbs;
    for (std::size_t i = first; i < last; ++i) {
        signed_histogram(e.layout, x.row(i), e.rows, e.weights, e.rows.n_rows, e.n_outputs, histogram);
        if (e.n_outputs == 1) {
            out[i] = reaches_threshold(e.table, histogram, scratch);
            continue;
        }
        out[i] = 0;
        for (std::size_t k = 0; k < e.n_outputs; ++k) {
            limb_sum(histogram + k * e.table.n_values, e.table.values, e.table.n_values, e.table.n_limbs, candidate);
            if (k == 0 || limb_less(best, candidate, e.table.n_limbs)) {
                std::copy(candidate, candidate + e.table.n_limbs, best);
                out[i] = static_cast<std::int64_t>(k);
            }
        }
    }
}

}  // namespace conjunct
