#pragma once
#include "bits/rows.hpp"
#include "kernels/layout.hpp"

namespace conjunct {

// Gram matrix of a Boolean kernel: out[i, j] = sum over summands of table[index(a_i, b_j)], for i in [first, last).
// Given   table of layout.n_values values.
// Writes  out: a.n_rows x b.n_rows, row-major.
// Twin    conjunct.theory.gram
void table_gram(const Layout& layout, Rows a, Rows b, const double* table, std::size_t first, std::size_t last,
                double* out) noexcept;

}  // namespace conjunct
