#pragma once
#include "bits/rows.hpp"
#include "kernels/layout.hpp"
#include "simd/gram_loops.hpp"
#include "simd/sum_loops.hpp"

namespace conjunct {

// A weighted sum of kernel values: of each row x_j with the rows of an expansion.
struct WeightedRows {
    Layout layout;
    Rows rows;
    const double* weights;  // one per row
    const double* table;    // layout.n_values
};

// sums[j] += sum over i of weights[i] * K(row_i, x_j), for j in [first, last), i and then summands in order.
// Twin    conjunct.theory.signed_sum, up to rounding; without any where all products and sums are integers below 2^53.
void kernel_sums(const WeightedRows& sum, Rows x, std::size_t first, std::size_t last, double* sums) noexcept;

// The same for a layout of one factor of at most 65535 variables: counts tile by tile, gram_rows x gram_columns.
// Given   planes: room for the planes of one tile, where the loops read them.
void tiled_kernel_sums(const GramLoops& gram, const SumLoops& add, const WeightedRows& sum, Rows x, std::size_t first,
                       std::size_t last, std::uint64_t* planes, GramScratch& scratch, double* sums) noexcept;

// counts[i, j] = the agreement count of x_i and x_j under one factor, for i in [first, last) and all j.
// Given   counts: x.n_rows wide, 8 bits where no count passes 255.
template <class Count>
void pair_counts(const GramLoops& gram, const SumLoops& add, const Factor& factor, Rows x, std::size_t first,
                 std::size_t last, std::uint64_t* planes, GramScratch& scratch, Count* counts) noexcept;

}  // namespace conjunct
