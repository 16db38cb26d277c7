#pragma once
#include "learners/sparse_lesson.hpp"

namespace conjunct {

// A row is positive iff its score >= predict_at; a positive row updates iff its score <= promote_upto, a negative one iff
// its score >= demote_from. Without a thick separator promote_upto is the number below predict_at, and demote_from is
// predict_at. The score is weights . row * row_scale + constant * constant_scale.
template <class W>
struct PerceptronRule {
    W predict_at, promote_upto, demote_from, row_scale, constant_scale;
};

// `lasting` sums each update times the step it was made at, for the averaged hypothesis, or is null; entry n of both is
// the constant's.
template <class W>
struct PerceptronState {
    W *weights, *lasting;
    std::size_t n;
};

// The Perceptron on positions [first, last): weights += label * rate * row at every update.
// Given   W int64 for Boolean rows (sums do not overflow), double for real ones; places in [0, n); log with room.
// Source  [rosenblatt1958].   Twin  conjunct.theory.run_perceptron
template <class W>
void perceptron_pass(const PerceptronRule<W>& rule, const SparseLesson& lesson, std::size_t first, std::size_t last,
                     PerceptronState<W>& state, UpdateLog& log) noexcept;

}  // namespace conjunct
