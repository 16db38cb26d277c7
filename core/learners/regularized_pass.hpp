#pragma once
#include "learners/cell_groups.hpp"

namespace conjunct {

enum class Verdict { none, stay, update };

// Where the regularised Perceptron stands; a call goes on where the last one returned.
struct RegularizedState {
    std::int64_t* updates;  // one per group: how many were made on it
    double* scores;         // one per cell: the sum over groups of updates * step * sign * K
    double* errors;         // one per cell: no score is farther from the truth than this
    double* row;            // room for one value per cell
    std::size_t group;      // to look at next
    std::size_t n_clean;    // groups seen without update since the last one
    std::size_t n_here;     // updates made on the group to look at, on this visit
    std::size_t n_updates;
    Verdict verdict;  // on the group to look at, where floats could not tell
};

// What floats may get wrong.
struct RegularizedRounding {
    const std::uint8_t* is_lam_exact;  // per group, whether its lam is the number meant
    bool is_exact;                     // scores are sums of integers that stay below 2^53 for n_most more updates
    double unit;                       // an update adds at most unit * (value + |score|) to the error of a score
};

// A group stands for `counts` equal rows, which are looked at one after the other, those with the fewest updates first.
struct RegularizedRows {
    const std::int64_t* counts;
    const std::int64_t* steps;  // what an update adds to the weight of the group
};

enum class RegularizedEnd { no_update, n_most_made, undecided };

// The regularised Perceptron over the groups in order, again and again: each of the rows of a group is looked at once a
// visit, and where y f + lam (updates on this row) <= 0, one update is made.
// Ends    when every group was seen since the last update; before update n_most + 1 of this call; or at a group whose
//         sign the floats cannot tell. To go on from there, call again with the verdict on that group.
// Given   counts and steps: one per group, positive.
// Needs   cells of the groups within the source; scores, errors and updates that belong together.
// Writes  state.
// Source  [kowalczyk2002, Theorem 3], on groups of equal rows.   Twin  conjunct.theory.regularized_perceptron
RegularizedEnd regularized_pass(const CellGroups& groups, const RegularizedRows& rows,
                                const RegularizedRounding& rounding, std::size_t n_most,
                                RegularizedState& state) noexcept;

}  // namespace conjunct
