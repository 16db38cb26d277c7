#pragma once
#include "bits/sparse_rows.hpp"

namespace conjunct {

// Weights on a simplex, not normalised: those of variable i are weights[i] / total, and where is_signed also
// weights[n + i] / total, which counts against it. Predictions are norm * (weights . row) / total.
struct GradientState {
    double* weights;
    std::size_t n;
    double total;
    bool is_signed;
};

// Exponentiated gradient for the square loss on positions [first, last): predict, then multiply the weights of the row's
// variables by exp(-2 rate norm (prediction - target) x), or its inverse for those that count against.
// Writes  predictions[at - first].   Source  [kivinen1997].   Twin  conjunct.theory.exponentiated_gradient
void exponentiated_gradient_pass(const SparseRows& rows, const double* targets, const std::int64_t* order,
                                 std::size_t first, std::size_t last, double rate, double norm, GradientState& state,
                                 double* predictions) noexcept;

}  // namespace conjunct
