#include "learners/exponentiated_gradient_pass.hpp"

#include <cmath>

namespace conjunct {
namespace {

// Sums the weights anew, and scales them to a total of 1, so that rounding does not add up and nothing overflows.
void normalise(GradientState& state) noexcept {
    const std::size_t n = state.is_signed ? 2 * state.n : state.n;
    double total = 0;
    for (std::size_t i = 0; i < n; ++i) total += state.weights[i];
    for (std::size_t i = 0; i < n; ++i) state.weights[i] /= total;
    state.total = 1;
}

}  // namespace

void exponentiated_gradient_pass(const SparseRows& rows, const double* targets, const std::int64_t* order,
                                 std::size_t first, std::size_t last, double rate, double norm, GradientState& state,
                                 double* predictions) noexcept {
    normalise(state);
    for (std::size_t at = first; at < last; ++at) {
        const std::int64_t row = order[at], begin = rows.starts[row], end = rows.starts[row + 1];
        double sum = 0;
        for (std::int64_t k = begin; k < end; ++k) {
            const double* weight = state.weights + rows.places[k];
            sum += (state.is_signed ? weight[0] - weight[state.n] : weight[0]) * rows.values[k];
        }
        const double predicted = norm * sum / state.total;
        predictions[at - first] = predicted;
        const double slope = -2 * rate * norm * (predicted - targets[row]);
        for (std::int64_t k = begin; k < end; ++k) {
            double* weight = state.weights + rows.places[k];
            const double before = weight[0] + (state.is_signed ? weight[state.n] : 0);
            weight[0] *= std::exp(slope * rows.values[k]);
            if (state.is_signed) weight[state.n] *= std::exp(-slope * rows.values[k]);
            state.total += weight[0] + (state.is_signed ? weight[state.n] : 0) - before;
        }
        if (!(state.total > 1e-3 && state.total < 1e3) || at % 65536 == 65535) normalise(state);
    }
}

}  // namespace conjunct
