#pragma once
#include <type_traits>

#include "learners/sparse_lesson.hpp"

namespace conjunct {

// What weights of a type are summed in.
template <class W>
using SumOf = std::conditional_t<std::is_same_v<W, double>, double, std::int64_t>;

// A row is positive iff its score >= predict_at; a positive row updates iff its score <= promote_upto, a negative one iff
// its score >= demote_from. Without a thick separator promote_upto is the number below predict_at, and demote_from is
// predict_at. The score is weights . row * row_scale + constant * constant_scale.
template <class Sum>
struct PerceptronRule {
    Sum predict_at, promote_upto, demote_from, row_scale, constant_scale;
};

// `lasting` sums each update times the step it was made at, for the averaged hypothesis, or is null; entry n of both is
// the constant's.
template <class W>
struct PerceptronState {
    W* weights;
    SumOf<W>* lasting;
    std::size_t n;
};

// The Perceptron on positions [first, last): weights += label * rate * row at every update.
// Given   W int32 or, where more than 2^31 rates may add up, int64 for Boolean rows, double for real ones; no sum overflows;
//         places in [0, n); log with room.
// Source  [rosenblatt1958].   Twin  conjunct.theory.run_perceptron
template <class W>
void perceptron_pass(const PerceptronRule<SumOf<W>>& rule, const SparseLesson& lesson, std::size_t first,
                     std::size_t last, PerceptronState<W>& state, UpdateLog& log) noexcept;

}  // namespace conjunct
