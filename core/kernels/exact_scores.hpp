#pragma once
#include "bits/rows.hpp"
#include "kernels/exact_table.hpp"
#include "kernels/layout.hpp"

namespace conjunct {

// A kernel expansion with integer weights, one weight vector per output: S_k(x) = sum_j weights[k, j] K(x, row_j).
struct Expansion {
    Layout layout;
    ExactTable table;
    Rows rows;
    const std::int64_t* weights;  // n_outputs x rows.n_rows
    std::size_t n_outputs;
};

// Whether the sum behind a histogram reaches the threshold of the table: a tie does.
// Given   scratch of n_limbs limbs (unused where the table is powers of two).
bool reaches_threshold(const ExactTable& table, const std::int64_t* histogram, std::uint64_t* scratch) noexcept;

// out[i, k] = S_k(x_i), in limbs, for i in [first, last).
// Given   histogram: n_outputs x n_values scratch.
void exact_scores(const Expansion& expansion, Rows x, std::size_t first, std::size_t last, std::int64_t* histogram,
                  std::uint64_t* out) noexcept;

// One output:  out[i] = 1 if S(x_i) reaches the threshold, else 0.
// Several:     out[i] = the first k of largest S_k(x_i).
// Given   histogram as above; scratch of 2 x n_limbs limbs.
void exact_choices(const Expansion& expansion, Rows x, std::size_t first, std::size_t last, std::int64_t* histogram,
                   std::uint64_t* scratch, std::int64_t* out) noexcept;

}  // namespace conjunct
