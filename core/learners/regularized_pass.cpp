#include "learners/regularized_pass.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace conjunct {
namespace {

// Decide y f + lam a <= 0, a the updates on the row of the group that has fewest, where the errors of f, of lam and of
// the product leave no doubt. Not-a-number decides nothing.
Verdict decide(const CellGroups& groups, const RegularizedRows& rows, const RegularizedRounding& rounding,
               const RegularizedState& state, std::size_t g) noexcept {
    const double weight = static_cast<double>(state.updates[g] / rows.counts[g]), charge = groups.lam[g] * weight;
    const std::size_t cell = groups.cell_of(g);
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
void widen(double step, double unit, std::size_t n_cells, RegularizedState& state) noexcept {
    for (std::size_t j = 0; j < n_cells; ++j)
        state.errors[j] +=
            unit * (step * state.row[j] + std::fabs(state.scores[j])) + std::numeric_limits<double>::min();
}

}  // namespace

RegularizedEnd regularized_pass(const CellGroups& groups, const RegularizedRows& rows,
                                const RegularizedRounding& rounding, std::size_t n_most,
                                RegularizedState& state) noexcept {
    const std::size_t n_cells = groups.n_cells();
    std::size_t n_made = 0, row_cell = n_cells;  // the cell whose values `row` holds: none yet
    while (state.n_clean < groups.n) {
        // 1. Take the verdict that was brought, or decide; what floats leave open goes back to integers.
        const std::size_t g = state.group, cell = groups.cell_of(g);
        Verdict verdict = std::exchange(state.verdict, Verdict::none);
        if (verdict == Verdict::none) verdict = decide(groups, rows, rounding, state, g);
        if (verdict == Verdict::none) return RegularizedEnd::undecided;
        const bool is_update = verdict == Verdict::update;
        // 2. Update: only now the values of the cell are needed, once for all updates of a visit.
        if (is_update) {
            if (n_made == n_most) return RegularizedEnd::n_most_made;
            if (row_cell != cell) pair_row(groups.source, groups.loops, cell, state.row);
            row_cell = cell;
            const double step = static_cast<double>(rows.steps[g]);
            groups.loops.add_multiple(groups.sign[g] * step, state.row, n_cells, state.scores);
            if (!rounding.is_exact) widen(step, rounding.unit, n_cells, state);
            ++state.updates[g];
            ++state.n_updates;
            ++state.n_here;
            ++n_made;
        }
        // 3. Stay at the group while its next row may ask for an update too; all its rows are equal.
        if (is_update && state.n_here < static_cast<std::size_t>(rows.counts[g])) continue;
        // 4. Go on to the next group; a visit with an update starts the count of clean groups anew.
        state.n_clean = state.n_here ? 0 : state.n_clean + 1;
        state.n_here = 0;
        state.group = g + 1 == groups.n ? 0 : g + 1;
    }
    return RegularizedEnd::no_update;
}

}  // namespace conjunct
