#include "learners/cell_descent.hpp"

namespace conjunct {
namespace {

// A cell by itself: k its kernel value, rest its score without its own weight.
struct Cell {
    double p, n, k, rest;
};

// b solves lam b = p [1-f]_+ - n [1+f]_+ with f = rest + k b, in one of three pieces; which one is told by the data, not
// by f, of which little is left to tell where k / lam is large.
double svm_step(const Cell& c, double lam) noexcept {
    if (lam * (c.rest - 1) > 2 * c.k * c.n) return -c.n * (1 + c.rest) / (lam + c.k * c.n);
    if (lam * (c.rest + 1) < -2 * c.k * c.p) return c.p * (1 - c.rest) / (lam + c.k * c.p);
    return (c.p - c.n - (c.p + c.n) * c.rest) / (lam + c.k * (c.p + c.n));
}

double ridge_step(const Cell& c, double lam) noexcept {
    const double mass = c.p + c.n;
    return mass > 0 ? (c.p - c.n - mass * c.rest) / (lam + mass * c.k) : 0.0;
}

double box_step(const Cell& c, double lam) noexcept {
    const double end = (c.p - c.n) / lam, z = c.rest + c.k * end;
    if (z > 1) return (1 - c.rest) / c.k;
    if (z < -1) return (-1 - c.rest) / c.k;
    return end;
}

template <double step(const Cell&, double) noexcept>
void descend(const CellBlock& block, std::size_t n_sweeps, const SumLoops& loops, double* weights,
             double* scores) noexcept {
    for (std::size_t sweep = 0; sweep < n_sweeps; ++sweep)
        for (std::size_t i = 0; i < block.n; ++i) {
            // 1. The best weight of the cell, all others fixed; its score without its own weight is what they make.
            const double* row = block.gram + i * block.n;
            const double best =
                step({block.positive[i], block.negative[i], row[i], scores[i] - row[i] * weights[i]}, block.lam);
            // 2. The scores of the block follow; most cells far from the margin stay, and cost nothing more.
            const double change = best - weights[i];
            if (change == 0) continue;
            weights[i] = best;
            loops.add_multiple(change, row, block.n, scores);
        }
}

}  // namespace

void cell_descent(CellLoss loss, const CellBlock& block, std::size_t n_sweeps, const SumLoops& loops, double* weights,
                  double* scores) noexcept {
    switch (loss) {
        case CellLoss::svm:
            return descend<svm_step>(block, n_sweeps, loops, weights, scores);
        case CellLoss::ridge:
            return descend<ridge_step>(block, n_sweeps, loops, weights, scores);
        case CellLoss::box:
            return descend<box_step>(block, n_sweeps, loops, weights, scores);
    }
}

}  // namespace conjunct
