#pragma once
#include "bits/rows.hpp"
#include "kernels/layout.hpp"

namespace conjunct {

// Histogram of an expansion over a kernel's table for one row x:
// histogram[k, v] = sum of weights[k, j] over the rows j, and over the summands, whose index for (x, row j) is v.
// Given   weights: n_outputs x rows.n_rows, row k at weights + k * weight_stride; |sums| stay below 2^62.
// Writes  histogram: n_outputs x layout.n_values.
// Twin    conjunct.theory.signed_histogram
void signed_histogram(const Layout& layout, const std::uint64_t* x, Rows rows, const std::int64_t* weights,
                      std::size_t weight_stride, std::size_t n_outputs, std::int64_t* histogram) noexcept;

}  // namespace conjunct
