#pragma once
#include <cstddef>

#include "simd/sum_loops.hpp"

namespace conjunct {

// sums += sum over k of factors[k] * rows[k], rows of n numbers one after the other, k in order.
void add_rows(const double* rows, std::size_t n_rows, std::size_t n, const double* factors, const SumLoops& loops,
              double* sums) noexcept;

// out = ridge on the diagonal + sum over i of masses[i] * row_i row_i', its lower triangle; i in order.
// Given   rows: n_rows x n.
void normal_matrix(const double* rows, std::size_t n_rows, std::size_t n, const double* masses, double ridge,
                   const SumLoops& loops, double* out) noexcept;

// Solves matrix * x = x for a positive definite matrix by Cholesky; x holds the right side, then the solution.
// Given   the lower triangle of n x n, which the factor replaces.
// Returns false where a pivot is not positive.
bool solve_positive(double* matrix, std::size_t n, double* x) noexcept;

}  // namespace conjunct
