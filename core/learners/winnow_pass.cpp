#include "learners/winnow_pass.hpp"

#include <cmath>
#include <limits>
#include <tuple>

namespace conjunct {
namespace {

// Calls see(place) for every place of a row, the constant's first.
template <class See>
void for_each_place(const WinnowRule& rule, const SparseRows& rows, std::int64_t row, See see) noexcept {
    if (rule.constant >= 0) see(rule.constant);
    for (std::int64_t k = rows.starts[row]; k < rows.starts[row + 1]; ++k) see(rows.places[k]);
}

// The sum of weights in four parts, so that additions need not wait for each other.
template <bool is_within, class Weights>
double fast_sum(const WinnowRule& rule, const SparseRows& rows, std::int64_t row, const Weights& weights) noexcept {
    double sums[4] = {rule.constant >= 0 ? weights.template weight<is_within>(rule.constant) : 0, 0, 0, 0};
    std::int64_t k = rows.starts[row];
    const std::int64_t end = rows.starts[row + 1];
    for (; k + 4 <= end; k += 4)
        for (std::int64_t part = 0; part < 4; ++part)
            sums[part] += weights.template weight<is_within>(rows.places[k + part]);
    for (; k < end; ++k) sums[0] += weights.template weight<is_within>(rows.places[k]);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// The sum of weights, where every weight and every addition is without rounding error; false where one is not.
template <class Weights>
bool exact_sum(const WinnowRule& rule, const SparseRows& rows, std::int64_t row, const Weights& weights,
               double& sum) noexcept {
    bool is_exact = true;
    sum = 0;
    for_each_place(rule, rows, row, [&](std::int32_t place) {
        const double weight = weights.template weight<false>(place), next = sum + weight, back = next - sum;
        const double error = (sum - (next - back)) + (weight - back);  // of the addition, without rounding
        is_exact = is_exact && error == 0 && weights.has_exact(place);
        sum = next;
    });
    return is_exact;
}

// No sum of so many weights is farther off, nor a product that it is compared with. Size is not less than the sum of
// absolute values.
double rounding(std::int64_t n_terms, double size, double cut, double edge) noexcept {
    constexpr double unit = std::numeric_limits<double>::epsilon(), least = std::numeric_limits<double>::min();
    const double n = static_cast<double>(n_terms + 8);
    return unit * (n * size + 4 * (std::fabs(cut) + std::fabs(edge))) + n * least;
}

// Whether a sum is farther from both than it may be off; not where something is not finite.
bool is_far(double sum, double cut, double edge, double error) noexcept {
    return (std::fabs(sum - cut) > error) & (std::fabs(sum - edge) > error);
}

// The sum where the size of this row's own weights decides, however large others have become: true where that is enough.
// A weight past the range of doubles outweighs all that are well within it.
template <class Weights>
bool careful_sum(const WinnowRule& rule, const SparseRows& rows, std::int64_t row, const Weights& weights, double cut,
                 double edge, double& sum) noexcept {
    constexpr double huge = 1e290, infinity = std::numeric_limits<double>::infinity();
    bool has_above = false, has_below = false;
    double total = 0, size = 0;
    for_each_place(rule, rows, row, [&](std::int32_t place) {
        const double weight = weights.template weight<false>(place);
        if (std::isfinite(weight)) {
            total += weight;
            size += std::fabs(weight);
        } else {
            (weight > 0 ? has_above : has_below) = true;
        }
    });
    sum = has_above ? infinity : has_below ? -infinity : total;
    if (has_above || has_below)
        return !(has_above && has_below) && size < huge && std::fabs(cut) < huge && std::fabs(edge) < huge;
    return is_far(total, cut, edge, rounding(rows.starts[row + 1] - rows.starts[row] + 1, size, cut, edge));
}

// The sum of the sizes of all variables, and what it may be off: terms are positive, a product and an addition each.
template <class Weights>
std::pair<double, double> total_size(const WinnowRule& rule, const WinnowState& state,
                                     const Weights& weights) noexcept {
    const std::int32_t lowest = weights.clamped(weights.reach.lowest), highest = weights.clamped(weights.reach.highest);
    double total = 0;
    for (std::int32_t k = lowest; k <= highest; ++k)
        if (state.n_of[k]) total += static_cast<double>(state.n_of[k]) * rule.size[k];
    return {total, std::numeric_limits<double>::epsilon() * (2.0 * (highest - lowest) + 8) * total};
}

struct Verdict {
    bool is_mistake, updates;
};

// Without branches that depend on the row: a wrong guess would keep the machine from the weights of the next one.
Verdict judged(bool is_positive, bool is_thick, double sum, double cut, double edge) noexcept {
    const bool is_mistake = is_positive != (sum >= cut);
    const bool is_near = (is_positive & (sum <= edge)) | (!is_positive & (sum >= edge));
    return {is_mistake, static_cast<bool>(is_mistake | (is_thick & is_near))};
}

// False where doubles cannot. Inlined at any cost: it is nearly all of a pass.
template <class Weights>
[[gnu::always_inline]] inline bool decide(const WinnowRule& rule, const SparseRows& rows, std::int64_t row,
                                          bool is_positive, const Weights& weights, double scale, double scale_error,
                                          Verdict& verdict) noexcept {
    const double cut = rule.predict_at * scale, edge = rule.edge[is_positive] * scale;
    double sum =
        weights.is_within() ? fast_sum<true>(rule, rows, row, weights) : fast_sum<false>(rule, rows, row, weights);
    const std::int64_t n_terms = rows.starts[row + 1] - rows.starts[row] + 1;
    const double error = rounding(n_terms, static_cast<double>(n_terms) * weights.reach.largest, cut, edge) +
                         scale_error * (std::fabs(rule.predict_at) + std::fabs(rule.edge[is_positive]));
    if (!is_far(sum, cut, edge, error) && (rule.size || (!careful_sum(rule, rows, row, weights, cut, edge, sum) &&
                                                         !exact_sum(rule, rows, row, weights, sum))))
        return false;
    verdict = judged(is_positive, rule.is_thick[is_positive], sum, cut, edge);
    return true;
}

}  // namespace

template <class Weights>
std::optional<std::uint8_t> winnow_verdict(const WinnowRule& rule, const SparseRows& rows, bool is_positive,
                                           const Weights& weights) noexcept {
    Verdict verdict;
    if (!decide(rule, rows, 0, is_positive, weights, 1.0, 0.0, verdict)) return std::nullopt;
    return static_cast<std::uint8_t>((verdict.updates ? 1 : 0) + (verdict.is_mistake ? 2 : 0));
}

template std::optional<std::uint8_t> winnow_verdict(const WinnowRule&, const SparseRows&, bool,
                                                    const NetWeights&) noexcept;
template std::optional<std::uint8_t> winnow_verdict(const WinnowRule&, const SparseRows&, bool,
                                                    const ApartWeights&) noexcept;

template <class Weights>
WinnowEnd winnow_pass(const WinnowRule& rule, const SparseLesson& lesson, std::size_t first, std::size_t last,
                      const std::uint8_t* known, Weights& weights, WinnowState& state, UpdateLog& log) noexcept {
    const SparseRows& rows = lesson.rows;
    auto [scale, scale_error] = rule.size ? total_size(rule, state, weights) : std::pair{1.0, 0.0};
    for (std::size_t at = first; at < last; ++at) {
        lesson.look_ahead(at, last);
        const std::int64_t row = lesson.row(at);
        const bool is_positive = lesson.label[row] > 0;
        Verdict verdict;
        if (known && at == first)
            verdict = {(*known & 2) != 0, (*known & 1) != 0};
        else if (!decide(rule, rows, row, is_positive, weights, scale, scale_error, verdict))
            return {at, WinnowStop::undecided};
        if (!verdict.updates) continue;
        const auto rate = static_cast<std::int32_t>(lesson.rate[row]), change = is_positive ? rate : -rate;
        if (weights.reach.farthest() > weights.n - rate) {
            bool has_room = true;
            for_each_place(rule, rows, row, [&](std::int32_t place) { has_room &= weights.has_room(place, change); });
            if (!has_room) return {at, WinnowStop::table_too_small};
        }
        const auto step = static_cast<double>(lesson.first_step + static_cast<std::int64_t>(at));
        for_each_place(rule, rows, row, [&](std::int32_t place) {
            if (state.lasting) {
                Lasting& lasting = state.lasting[place];
                lasting.sum += weights.template weight<false>(place) * (step - lasting.until);
                lasting.until = step;
            }
            const auto [before, now] = weights.update(place, change);
            if (rule.size) --state.n_of[weights.clamped(before)], ++state.n_of[weights.clamped(now)];
        });
        weights.settle();
        if (rule.size) std::tie(scale, scale_error) = total_size(rule, state, weights);
        log.add(at, verdict.is_mistake);
        if (weights.reach.farthest() > most_exponent) return {at + 1, WinnowStop::counted_out};
    }
    return {last, WinnowStop::end};
}

template WinnowEnd winnow_pass(const WinnowRule&, const SparseLesson&, std::size_t, std::size_t, const std::uint8_t*,
                               NetWeights&, WinnowState&, UpdateLog&) noexcept;
template WinnowEnd winnow_pass(const WinnowRule&, const SparseLesson&, std::size_t, std::size_t, const std::uint8_t*,
                               ApartWeights&, WinnowState&, UpdateLog&) noexcept;

}  // namespace conjunct
