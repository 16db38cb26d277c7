#include "learners/winnow_pass.hpp"

#include <cmath>
#include <limits>

namespace conjunct {
namespace {

enum class Order { below, equal, above, unknown };

// Calls see(place) for every place of a row, the constant's first.
template <class See>
void for_each_place(const WinnowRule& rule, const SparseRows& rows, std::int64_t row, See see) noexcept {
    if (rule.constant >= 0) see(rule.constant);
    for (std::int64_t k = rows.starts[row]; k < rows.starts[row + 1]; ++k) see(rows.places[k]);
}

struct Score {
    double sum, size;  // size: not less than the sum of absolute values
    std::int64_t n_terms;
    bool is_summed_exactly;
};

// The sum of weights in four parts, so that additions need not wait for each other.
Score fast_score(const WinnowRule& rule, const SparseRows& rows, std::int64_t row, const WinnowState& state) noexcept {
    double sums[4] = {rule.constant >= 0 ? state.weights[rule.constant] : 0, 0, 0, 0};
    std::int64_t k = rows.starts[row];
    const std::int64_t end = rows.starts[row + 1], n_terms = end - k + 1;
    for (; k + 4 <= end; k += 4)
        for (std::size_t part = 0; part < 4; ++part) sums[part] += state.weights[rows.places[k + static_cast<std::int64_t>(part)]];
    for (; k < end; ++k) sums[0] += state.weights[rows.places[k]];
    return {(sums[0] + sums[1]) + (sums[2] + sums[3]), static_cast<double>(n_terms) * state.largest, n_terms, false};
}

// The sum of weights; its rounding error is 0 where every addition was exact and every weight is.
Score exact_score(const SparseLesson& lesson, std::int64_t row, const WinnowRule& rule, const WinnowState& state) noexcept {
    const SparseRows& rows = lesson.rows;
    Score score{0, 0, 0, rule.weights.by_net != nullptr};
    for_each_place(rule, rows, row, [&](std::int32_t place) {
        const double weight = state.weights[place], sum = score.sum + weight, back = sum - score.sum;
        const double error = (score.sum - (sum - back)) + (weight - back);  // of the addition, without rounding
        if (score.is_summed_exactly && !(rule.weights.eliminates && state.demotions[place] > 0)) {
            const std::int32_t net = state.promotions[place] - state.demotions[place];
            score.is_summed_exactly = error == 0 && rule.weights.is_exact[rule.weights.place(net)];
        }
        score.sum = sum;
    });
    return score;
}

Order compare(const Score& score, double with) noexcept {
    constexpr double unit = std::numeric_limits<double>::epsilon();
    if (score.is_summed_exactly)  // the threshold is exact too, or no sum of exact weights is near it
        return score.sum < with ? Order::below : score.sum > with ? Order::above : Order::equal;
    const double error = unit * (static_cast<double>(score.n_terms + 8) * score.size + 4 * std::fabs(with)) +
                         static_cast<double>(score.n_terms + 8) * std::numeric_limits<double>::min();
    if (score.sum - with > error) return Order::above;
    if (with - score.sum > error) return Order::below;
    return Order::unknown;  // also where something is not finite
}

double weight_of(const WeightRule& rule, std::int32_t promotions, std::int32_t demotions) noexcept {
    if (rule.eliminates && demotions > 0) return 0;
    if (rule.by_net) return rule.by_net[rule.place(promotions - demotions)];
    return std::ldexp(rule.by_promotions[promotions] * rule.by_demotions[demotions],
                      rule.promotion_exponents[promotions] + rule.demotion_exponents[demotions]);
}

bool fits(const WeightRule& rule, std::int64_t promotions, std::int64_t demotions) noexcept {
    if (rule.eliminates && demotions > 0) return demotions < (std::int64_t{1} << 30);
    const std::int64_t net = promotions - demotions;
    if (std::int64_t{1} << 30 < promotions + demotions) return false;
    if (!rule.by_net) return promotions <= rule.n_net && demotions <= rule.n_net;
    return rule.is_saturated || (-rule.n_net <= net && net <= rule.n_net);
}

}  // namespace

WinnowEnd winnow_pass(const WinnowRule& rule, const SparseLesson& lesson, std::size_t first, std::size_t last,
                      const std::uint8_t* known, WinnowState& state, UpdateLog& log) noexcept {
    const SparseRows& rows = lesson.rows;
    for (std::size_t at = first; at < last; ++at) {
        const std::int64_t row = lesson.row(at);
        const bool is_positive = lesson.label[row] > 0;
        bool updates, is_mistake;
        if (known && at == first) {
            updates = *known & 1;
            is_mistake = *known & 2;
        } else {
            Score score = fast_score(rule, rows, row, state);
            const double scale = rule.is_normalised ? state.total : 1;
            Order with_cut = compare(score, rule.predict_at * scale);
            const bool is_thick = is_positive ? rule.is_thick_above : rule.is_thick_below;
            const double edge = (is_positive ? rule.promote_upto : rule.demote_from) * scale;
            Order with_edge = is_thick ? compare(score, edge) : with_cut;
            if (with_cut == Order::unknown || with_edge == Order::unknown) {
                if (rule.is_exact) {
                    score = exact_score(lesson, row, rule, state);
                    if (!score.is_summed_exactly) return {at, WinnowStop::undecided};
                } else {
                    score.is_summed_exactly = true;  // doubles decide
                }
                with_cut = compare(score, rule.predict_at * scale);
                with_edge = is_thick ? compare(score, edge) : with_cut;
            }
            is_mistake = is_positive == (with_cut == Order::below);
            updates = is_mistake || (is_thick && with_edge != (is_positive ? Order::above : Order::below));
        }
        if (!updates) continue;
        const std::int64_t rate = lesson.rate[row];
        bool has_room = true;
        for_each_place(rule, rows, row, [&](std::int32_t place) {
            has_room &= fits(rule.weights, state.promotions[place] + (is_positive ? rate : 0),
                             state.demotions[place] + (is_positive ? 0 : rate));
        });
        if (!has_room) return {at, WinnowStop::table_too_small};
        const std::int64_t step = lesson.first_step + static_cast<std::int64_t>(at);
        for_each_place(rule, rows, row, [&](std::int32_t place) {
            if (state.lasted) {
                state.lasted[place] += state.weights[place] * static_cast<double>(step - state.since[place]);
                state.since[place] = step;
            }
            const std::int32_t net = state.promotions[place] - state.demotions[place];
            (is_positive ? state.promotions : state.demotions)[place] += static_cast<std::int32_t>(rate);
            const double weight = weight_of(rule.weights, state.promotions[place], state.demotions[place]);
            state.weights[place] = weight;
            state.largest = std::fmax(state.largest, std::fabs(weight));
            if (rule.is_normalised) {
                const std::int32_t now = state.promotions[place] - state.demotions[place];
                state.total += rule.size_by_net[rule.weights.place(now)] - rule.size_by_net[rule.weights.place(net)];
            }
        });
        log.add(at, is_mistake);
    }
    return {last, WinnowStop::end};
}

}  // namespace conjunct
