#pragma once
#include <optional>

#include "learners/sparse_lesson.hpp"
#include "learners/winnow_weights.hpp"

namespace conjunct {

// A row is positive iff its score reaches predict_at. A positive row updates iff it is a mistake or (is_thick[1]) its score
// <= edge[1], a negative one iff it is a mistake or (is_thick[0]) its score >= edge[0]. Without a thick separator edges are
// predict_at.
struct WinnowRule {
    double predict_at, edge[2];
    bool is_thick[2];
    const double* size;     // of a variable by its exponent: w+ + w-; null unless scores are divided by the sum of all
    std::int32_t constant;  // the place of a variable that every row has; -1 for none
};

struct Lasting {
    double sum;    // a weight summed over the steps before `until`
    double until;  // a whole number
};

struct WinnowState {
    Lasting* lasting;    // null where no average is wanted
    std::int64_t* n_of;  // how many variables have an exponent, where scores are divided by the sum of all sizes
};

constexpr std::int32_t most_exponent = std::int32_t{1} << 30;

enum class WinnowStop : std::int32_t { end, undecided, table_too_small, counted_out };

struct WinnowEnd {
    std::size_t position;
    WinnowStop stop;
};

// Winnow on positions [first, last): on an update every active variable is promoted or demoted `rate` times. Stops before
// a row that doubles cannot decide, or whose update needs exponents past the tables; and after one that brought an exponent
// past most_exponent. Where `known` is given, it says what happens to the first row: bit 0 an update, bit 1 a mistake.
// Given   Weights NetWeights or ApartWeights; places within them; log with room; rates below 2^30.
// Source  [littlestone1988].   Twin  conjunct.theory.run_winnow
template <class Weights>
WinnowEnd winnow_pass(const WinnowRule& rule, const SparseLesson& lesson, std::size_t first, std::size_t last,
                      const std::uint8_t* known, Weights& weights, WinnowState& state, UpdateLog& log) noexcept;

// What happens to the first of some rows, in the bits of `known`; none where doubles cannot decide.
// Given   as above; scores that are not divided by the sum of all sizes.
template <class Weights>
std::optional<std::uint8_t> winnow_verdict(const WinnowRule& rule, const SparseRows& rows, bool is_positive,
                                           const Weights& weights) noexcept;

}  // namespace conjunct
