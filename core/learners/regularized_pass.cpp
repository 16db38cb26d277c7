#include "learners/regularized_pass.hpp"

#include <cmath>
#include <limits>

namespace conjunct {
namespace {

// Decide y f + lam a <= 0, a the updates on the row of the group that has fewest, where the errors of f, of lam and of the product leave no doubt. Not-a-number decides nothing.
Verdict decide(const CellGroups& groups, const RegularizedRows& rows, const RegularizedRounding& rounding,
               const RegularizedState& state, std::size_t g) noexcept {
    const double weight = static_cast<double>(state.updates[g] / rows.counts[g]), charge = groups.lam[g] * weight;
    const std::size_t cell = static_cast<std::size_t>(groups.cell[g]);
    const double sum = groups.sign[g] * state.scores[cell] + charge;
    const double doubt = state.errors[cell] + 0x1p-50 * charge;
    if (sum > doubt) return Verdict::stay;
    if (sum < -doubt) return Verdict::update;
    // The rounded sum of two floats has the sign of the true sum.
    const bool is_charge_exact =
        weight == 0 || (rounding.is_lam_exact[g] && std::fma(groups.lam[g], weight, -charge) == 0);
    if (rounding.is_exact && is_charge_exact) return sum <= 0 ? Verdict::update : Verdict::stay;
    return Verdict::none;
}

// Factor 2 of the unit holds the roundings of these sums; the smallest normal number those of values below it.
void widen(double step, const double* row, std::size_t n, double unit, const double* scores, double* errors) noexcept {
    for (std::size_t j = 0; j < n; ++j)
        errors[j] += unit * (step * row[j] + std::fabs(scores[j])) + std::numeric_limits<double>::min();
}

}  // namespace

RegularizedEnd regularized_pass(const PairSource& source, const SumLoops& loops, const CellGroups& groups,
                                const RegularizedRows& rows, const RegularizedRounding& rounding, std::size_t n_most,
                                Verdict verdict, double* row, RegularizedState& state) noexcept {
    const std::size_t n_cells = source.rows.n_rows;
    std::size_t n_made = 0, in_row = n_cells;  // the cell whose values `row` holds
    while (state.n_clean < groups.n) {
        const std::size_t g = state.place, cell = static_cast<std::size_t>(groups.cell[g]);
        if (verdict == Verdict::none) verdict = decide(groups, rows, rounding, state, g);
        if (verdict == Verdict::none) return RegularizedEnd::undecided;
        const bool is_update = verdict == Verdict::update;
        if (is_update) {
            if (n_made == n_most) return RegularizedEnd::n_most_made;
            if (in_row != cell) pair_row(source, loops, cell, row);
            in_row = cell;
            const double step = static_cast<double>(rows.steps[g]);
            loops.add_multiple(groups.sign[g] * step, row, n_cells, state.scores);
            if (!rounding.is_exact) widen(step, row, n_cells, rounding.unit, state.scores, state.errors);
            ++state.updates[g];
            ++state.n_updates;
            ++state.n_here;
            ++n_made;
        }
        verdict = Verdict::none;
        if (is_update && state.n_here < static_cast<std::size_t>(rows.counts[g])) continue;
        state.n_clean = state.n_here ? 0 : state.n_clean + 1;
        state.n_here = 0;
        state.place = g + 1 == groups.n ? 0 : g + 1;
    }
    return RegularizedEnd::no_update;
}

}  // namespace conjunct
