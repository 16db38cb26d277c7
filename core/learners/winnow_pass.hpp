#pragma once
#include <algorithm>

#include "learners/sparse_lesson.hpp"

namespace conjunct {

// What a variable's weight is after p promotions and d demotions, in doubles that are off by at most a few units in the
// last place: by_net[p - d + n_net], or a product of two scaled numbers where the two factors differ; 0 once demoted
// where demotion eliminates. Weights keep their exponents, so they are right however often they changed.
struct WeightRule {
    const double* by_net;  // 2 n_net + 1 entries; null: the factors differ
    const std::uint8_t* is_exact;  // whether an entry of by_net has no rounding error
    std::int32_t n_net;
    const double *by_promotions, *by_demotions;  // n_net + 1 entries each, to be times 2^exponent
    const std::int32_t *promotion_exponents, *demotion_exponents;
    bool eliminates;
    bool is_saturated;  // by_net ends past the range of doubles: what is beyond has the value at its end

    std::size_t place(std::int32_t net) const noexcept {
        return static_cast<std::size_t>(std::clamp(net, -n_net, n_net) + n_net);
    }
};

// A row is positive iff its score reaches predict_at; the other two are those of a thick separator, equal to predict_at
// without one: a positive row updates iff it is a mistake or (is_thick) its score <= promote_upto, a negative one iff it
// is a mistake or (is_thick) its score >= demote_from.
struct WinnowRule {
    WeightRule weights;
    double predict_at, promote_upto, demote_from;
    bool is_thick_above, is_thick_below;
    bool is_exact;       // stop where doubles cannot decide; else they decide
    bool is_normalised;  // scores are divided by `total`, the sum of w+ and w- over all variables
    const double* size_by_net;  // w+ + w- of a variable, where normalised
    std::int32_t constant;      // the place of a variable that every row has; -1 for none
};

struct WinnowState {
    std::int32_t *promotions, *demotions;
    double* weights;
    double* lasted;  // each weight summed over the steps before `since`; null where no average is wanted
    std::int64_t* since;
    double total;
    double largest;  // no weight is or was larger, in absolute value
};

enum class WinnowStop : std::int32_t { end, undecided, table_too_small };

struct WinnowEnd {
    std::size_t position;
    WinnowStop stop;
};

// Winnow on positions [first, last): on an update every active variable is promoted or demoted `rate` times. Stops before
// a row that doubles cannot decide, or whose update needs exponents past the table. Where `known` is given, it says what
// happens to the first row: bit 0 an update, bit 1 a mistake.
// Given   places within the state; log with room.   Source  [littlestone1988].   Twin  conjunct.theory.run_winnow
WinnowEnd winnow_pass(const WinnowRule& rule, const SparseLesson& lesson, std::size_t first, std::size_t last,
                      const std::uint8_t* known, WinnowState& state, UpdateLog& log) noexcept;

}  // namespace conjunct
