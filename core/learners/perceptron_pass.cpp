#include "learners/perceptron_pass.hpp"

namespace conjunct {

template <class W>
void perceptron_pass(const PerceptronRule<SumOf<W>>& rule, const SparseLesson& lesson, std::size_t first,
                     std::size_t last, PerceptronState<W>& state, UpdateLog& log) noexcept {
    using Sum = SumOf<W>;
    constexpr bool is_real = std::is_same_v<W, double>;
    const SparseRows& rows = lesson.rows;
    W& constant = state.weights[state.n];
    for (std::size_t at = first; at < last; ++at) {
        lesson.look_ahead(at, last);
        const std::int64_t row = lesson.row(at), begin = rows.starts[row], end = rows.starts[row + 1];
        Sum sums[4] = {};  // in four parts, so that additions need not wait for each other
        std::int64_t next = begin;
        const auto term = [&](std::int64_t k) {
            const Sum weight = state.weights[rows.places[k]];
            if constexpr (is_real)
                return weight * rows.values[k];
            else
                return weight;
        };
        for (; next + 4 <= end; next += 4)
            for (std::int64_t part = 0; part < 4; ++part) sums[part] += term(next + part);
        for (; next < end; ++next) sums[0] += term(next);
        const Sum sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
        const Sum score = rule.row_scale * sum + rule.constant_scale * constant;
        const bool is_positive = lesson.label[row] > 0;
        // Without a branch on the label: a wrong guess would keep the machine from the weights of the next row.
        if ((is_positive & (score > rule.promote_upto)) | (!is_positive & (score < rule.demote_from))) continue;
        log.add(at, is_positive != (score >= rule.predict_at));
        const auto step = static_cast<Sum>(lesson.first_step + static_cast<std::int64_t>(at));
        const Sum rate = static_cast<Sum>(is_positive ? lesson.rate[row] : -lesson.rate[row]);
        for (std::int64_t k = begin; k < end; ++k) {
            Sum change = rate;
            if constexpr (is_real) change *= rows.values[k];
            state.weights[rows.places[k]] += static_cast<W>(change);
            if (state.lasting) state.lasting[rows.places[k]] += change * step;
        }
        constant += static_cast<W>(rate);
        if (state.lasting) state.lasting[state.n] += rate * step;
    }
}

template void perceptron_pass(const PerceptronRule<std::int64_t>&, const SparseLesson&, std::size_t, std::size_t,
                              PerceptronState<std::int32_t>&, UpdateLog&) noexcept;
template void perceptron_pass(const PerceptronRule<std::int64_t>&, const SparseLesson&, std::size_t, std::size_t,
                              PerceptronState<std::int64_t>&, UpdateLog&) noexcept;
template void perceptron_pass(const PerceptronRule<double>&, const SparseLesson&, std::size_t, std::size_t,
                              PerceptronState<double>&, UpdateLog&) noexcept;

}  // namespace conjunct
