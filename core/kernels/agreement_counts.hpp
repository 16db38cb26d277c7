#pragma once
#include "bits/rows.hpp"
#include "kernels/layout.hpp"

namespace conjunct {

// out[i, j] = the agreement count of a_i and b_j under the first summand, for i in [first, last).
// Needs   a layout of one summand with one factor of stride 1 and offset 0.
void agreement_counts(const Layout& layout, Rows a, Rows b, std::size_t first, std::size_t last,
                      std::int32_t* out) noexcept;

}  // namespace conjunct
