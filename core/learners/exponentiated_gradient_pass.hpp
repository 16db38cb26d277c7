#pragma once
#include "bits/sparse_rows.hpp"

namespace conjunct {

// What a cell holds, one per variable: a weight that counts for it, one that counts against it (0 unless is_signed), the
// sums of both over the hypotheses after every step until `since`, for their mean. In one place, as rows visit cells at
// random.
enum GradientCell : std::size_t { plus, minus, plus_lasted, minus_lasted, since, cell_size };

// Weights on a simplex, not normalised: those that predict are norm * (plus - minus) / (total + carry). The clock is the
// sum of 1 / (total + carry) after every step: until now a weight lasted `lasted` + weight * (clock - since).
struct GradientState {
    double* cells;
    std::size_t n;
    bool is_signed;
    double total, carry, clock;
};

// The learning rate, and what the weights sum to.
struct GradientRule {
    double rate, norm;
};

// What it is shown: rows with targets in the order of this pass, after so many steps.
struct RegressionLesson {
    SparseRows rows;
    const double* targets;
    const std::int64_t* order;
    std::size_t first_step;  // steps before position 0
};

// Exponentiated gradient for the square loss on positions [first, last): predict, then multiply the weights of the row's
// variables by exp(-2 rate norm (prediction - target) x), or its inverse for those that count against.
// Writes  predictions[at - first], state; returns false, the state of no use, where numbers leave the range of doubles.
//         The result does not depend on how positions are cut into calls.
// Source  [kivinen1997].   Twin  conjunct.theory.exponentiated_gradient
bool exponentiated_gradient_pass(const GradientRule& rule, const RegressionLesson& lesson, std::size_t first,
                                 std::size_t last, GradientState& state, double* predictions) noexcept;

}  // namespace conjunct
