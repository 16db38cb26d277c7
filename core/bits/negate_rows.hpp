#pragma once
#include "bits/rows.hpp"

namespace conjunct {

// Appends to each row of n variables its n negations: bit v stays, bit n + v is 1 - bit v.
// Writes  out: ceil(2n / 64) words per row, tail bits zero.
// Twin    numpy.hstack([table, 1 - table])
void negate_rows(Rows rows, std::size_t n_variables, std::uint64_t* out) noexcept;

}  // namespace conjunct
