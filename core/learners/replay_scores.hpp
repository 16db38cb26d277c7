#pragma once
#include "bits/rows.hpp"
#include "kernels/exact_table.hpp"
#include "kernels/layout.hpp"

namespace conjunct {

// The exact score, in limbs, that each of a run's mistakes had when it was made:
// out[u] = sum over earlier updates v < u of weight[v] * K(row of slot[u], row of slot[v]), for u in [first, last).
// Given   sums: rows.n_rows, the weights summed per slot over the updates before `first`; renewed to those before `last`.
//         histogram: n_values scratch.
void replay_scores(const Layout& layout, const ExactTable& table, Rows rows, const std::int64_t* slot,
                   const std::int64_t* weight, std::size_t first, std::size_t last, std::int64_t* sums,
                   std::int64_t* histogram, std::uint64_t* out) noexcept;

}  // namespace conjunct
