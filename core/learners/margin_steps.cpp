#include "learners/margin_steps.hpp"

namespace conjunct {
namespace {

// The group to move by, its score, and how far.
struct Choice {
    std::size_t group;
    double score, step;
    bool empties;  // the step away goes until the weight is 0
};

double score_of(const CellGroups& groups, const MarginState& state, std::size_t g) noexcept {
    return groups.sign[g] * state.scores[groups.cell[g]] + groups.lam[g] * state.weights[g];
}

// Look through all groups: whether all scores are above the limit, and the first group of largest gain tau g.
// Gains are fractions, compared by products: a division only where the best one changes.
bool choose(const CellGroups& groups, const MarginState& state, double limit, Choice& choice) noexcept {
    const double form = state.form;
    const double* const diagonal = state.diagonal;
    double best = 0;
    bool all_within = true;
    choice.step = 0;
    for (std::size_t g = 0; g < groups.n; ++g) {
        const double score = score_of(groups, state, g), weight = state.weights[g], gap = form - score;
        all_within &= score > limit;
        const bool is_away = gap < 0;
        if (is_away && !(weight > 0 && weight < 1)) continue;
        const double distance_sq = gap + (diagonal[g] - score), rest = 1 - weight;
        const bool empties = is_away && gap * rest <= -weight * distance_sq;
        const double gain = empties ? -weight * gap : gap * gap, divisor = empties ? rest : distance_sq;
        if (divisor > 0 && gain > best * divisor) {
            best = gain / divisor;
            choice = {g, score, empties ? -weight / rest : gap / distance_sq, empties};
        }
    }
    return all_within;
}

}  // namespace

MarginEnd margin_steps(const CellGroups& groups, double slack, std::size_t n_most, MarginState& state) noexcept {
    for (std::size_t n_made = 0;; ++n_made) {
        // 1. Test before the step: the end must be seen also where no step is left to make.
        Choice choice{};
        if (choose(groups, state, slack * state.form, choice)) return MarginEnd::all_within;
        if (n_made == n_most) return MarginEnd::n_most_made;
        const double tau = choice.step, keep = 1 - tau;
        if (tau == 0) return MarginEnd::no_step;
        // 2. Scores go along the line from a to the group: (1 - tau) f + tau y_i K_i.
        const std::size_t i = choice.group;
        pair_row(groups.source, groups.loops, groups.cell_of(i), state.row);
        const double factor = tau * groups.sign[i];
        for (std::size_t j = 0; j < groups.n_cells(); ++j)
            state.scores[j] = keep * state.scores[j] + factor * state.row[j];
        // 3. So do the weights; one that is emptied becomes 0 and not what rounding leaves of it.
        for (std::size_t g = 0; g < groups.n; ++g) state.weights[g] *= keep;
        state.weights[i] = choice.empties ? 0.0 : state.weights[i] + tau;
        // 4. W is a parabola along the line: no sum over the groups is needed.
        state.form = keep * keep * state.form + tau * tau * state.diagonal[i] + 2 * tau * keep * choice.score;
        ++state.n_steps;
    }
}

}  // namespace conjunct
