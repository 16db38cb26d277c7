#pragma once
#include "learners/cell_groups.hpp"

namespace conjunct {

// Where the maximal margin Perceptron stands. The score of group g is sign * scores[cell] + lam * weights[g].
struct MarginState {
    const double* diagonal;  // one per group: kk, k(x, x) + lam
    double* weights;         // one per group: a, 0 or more, of sum 1
    double* scores;          // one per cell: the sum over groups of weight * sign * K
    double* row;             // room for one value per cell
    double form;             // W = sum over groups of a times score
    std::size_t n_steps;
};

enum class MarginEnd { all_within, n_most_made, no_step };

// Steps of the maximal margin Perceptron: to the least W on the line from a through one group, the one of most gain,
// towards it or away from it.
// Ends    when every score is above slack * W; after n_most steps of this call; or where floats see no step that gains.
// Needs   cells of the groups within the source; 0 < slack < 1; weights, scores and form that belong together.
// Writes  state.
// Source  [kowalczyk2002, Algorithm 2], on groups of equal rows, with y_i at the start, tau^2 before kk_i and f renewed
//         before the test.   Twin  conjunct.theory.maximal_margin_steps
MarginEnd margin_steps(const CellGroups& groups, double slack, std::size_t n_most, MarginState& state) noexcept;

}  // namespace conjunct
