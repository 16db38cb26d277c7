#pragma once
#include <cstddef>

#include "simd/sum_loops.hpp"

namespace conjunct {

// What the quadratic duals charge a cell of p positive and n negative rows for the score f:
// svm    p [1-f]_+^2 + n [1+f]_+^2,   ridge  p (1-f)^2 + n (1+f)^2,   both over lam;
// box    2 ((p+n) - (p-n) f) / lam with f within [-1, 1].
enum class CellLoss { svm, ridge, box };

// Some cells with all else fixed.
struct CellBlock {
    const double* gram;      // n x n
    const double* positive;  // the mass of positive rows of each cell
    const double* negative;
    double lam;
    std::size_t n;
};

// n_sweeps times, cell after cell: the weight b_c that is best given all other weights, and scores that follow.
// Given   weights and scores of the cells, scores = K weights over all cells, these and others.
// Needs   gram diagonal > 0, lam > 0, masses >= 0.
// Writes  weights, scores: both of this block only.
// Source  [kowalczyk2002], in the form of one net weight per cell; the step of `box` solves |z| <= 1 or its ends.
// Twin    tests/property/test_quadratic_descent.py
void cell_descent(CellLoss loss, const CellBlock& block, std::size_t n_sweeps, const SumLoops& loops, double* weights,
                  double* scores) noexcept;

}  // namespace conjunct
