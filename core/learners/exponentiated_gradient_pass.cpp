#include "learners/exponentiated_gradient_pass.hpp"

#include <algorithm>
#include <cmath>

namespace conjunct {
namespace {

constexpr double least_weight = 1e-300;  // never 0, from where no factor leads back, nor subnormal, which is slow
constexpr double largest_exponent = 30;  // of one factor; steps of larger ones are made in parts
constexpr double most_parts = 4096;
constexpr std::size_t steps_between = 65536;  // at most, between two normalisations

// Neumaier's sum: what rounding loses goes to carry, so that the total stays that of the weights.
void add(GradientState& state, double value) noexcept {
    const double sum = state.total + value;
    const bool is_larger = std::abs(state.total) >= std::abs(value);
    state.carry += is_larger ? (state.total - sum) + value : (value - sum) + state.total;
    state.total = sum;
}

// Sums the weights anew and divides them by the sum, so that nothing overflows; the clock starts anew.
void normalise(GradientState& state) noexcept {
    double total = 0;
    const double* end = state.cells + cell_size * state.n;
    for (const double* cell = state.cells; cell < end; cell += cell_size) total += cell[plus] + cell[minus];
    for (double* cell = state.cells; cell < end; cell += cell_size) {
        const double lasting = state.clock - cell[since];
        cell[plus_lasted] += cell[plus] * lasting;
        cell[minus_lasted] += cell[minus] * lasting;
        cell[plus] = std::max(cell[plus] / total, least_weight);
        if (state.is_signed) cell[minus] = std::max(cell[minus] / total, least_weight);
        cell[since] = 0;
    }
    state.total = 1;
    state.carry = state.clock = 0;
}

double value_at(const SparseRows& rows, std::int64_t k) noexcept { return rows.values ? rows.values[k] : 1; }

void multiply(const SparseRows& rows, std::int64_t begin, std::int64_t end, double slope,
              GradientState& state) noexcept {
    double known = 0, factor = 1, change = 0;  // the factor is that of the last value: a row of ones takes one exp
    for (std::int64_t k = begin; k < end; ++k) {
        double* cell = state.cells + cell_size * static_cast<std::size_t>(rows.places[k]);
        if (const double value = value_at(rows, k); value != known) {
            known = value;
            factor = std::exp(slope * value);
        }
        const double lasting = state.clock - cell[since], before_plus = cell[plus], before_minus = cell[minus];
        cell[plus_lasted] += before_plus * lasting;
        cell[minus_lasted] += before_minus * lasting;
        cell[plus] = std::max(before_plus * factor, least_weight);
        if (state.is_signed) cell[minus] = std::max(before_minus / factor, least_weight);
        cell[since] = state.clock;
        change += (cell[plus] - before_plus) + (cell[minus] - before_minus);
    }
    add(state, change);
}

// Factors of the same exponents in equal parts, normalised between: the product is the same, and no part overflows.
bool multiply_in_parts(const SparseRows& rows, std::int64_t begin, std::int64_t end, double slope, double largest,
                       GradientState& state) noexcept {
    const double n_parts = std::ceil(largest / largest_exponent);
    if (!(n_parts <= most_parts)) return false;
    for (double part = 0; part < n_parts; ++part) {
        multiply(rows, begin, end, slope / n_parts, state);
        normalise(state);
    }
    return true;
}

}  // namespace

bool exponentiated_gradient_pass(const GradientRule& rule, const RegressionLesson& lesson, std::size_t first,
                                 std::size_t last, GradientState& state, double* predictions) noexcept {
    const SparseRows& rows = lesson.rows;
    for (std::size_t at = first; at < last; ++at) {
        const std::int64_t row = lesson.order[at], begin = rows.starts[row], end = rows.starts[row + 1];
        double sum = 0, largest = 0;
        for (std::int64_t k = begin; k < end; ++k) {
            const double* cell = state.cells + cell_size * static_cast<std::size_t>(rows.places[k]);
            const double value = value_at(rows, k);
            sum += (cell[plus] - cell[minus]) * value;
            largest = std::max(largest, std::abs(value));
        }
        const double predicted = rule.norm * sum / (state.total + state.carry);
        predictions[at - first] = predicted;
        const double slope = -2 * rule.rate * rule.norm * (predicted - lesson.targets[row]);
        if (!std::isfinite(slope)) return false;
        largest *= std::abs(slope);
        if (largest <= largest_exponent)
            multiply(rows, begin, end, slope, state);
        else if (!multiply_in_parts(rows, begin, end, slope, largest, state))
            return false;
        const double total = state.total + state.carry;
        state.clock += 1 / total;
        if (!(total > 1e-3 && total < 1e3) || (lesson.first_step + at + 1) % steps_between == 0) normalise(state);
    }
    return true;
}

}  // namespace conjunct
