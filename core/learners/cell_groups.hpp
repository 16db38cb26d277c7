#pragma once
#include "kernels/pair_row.hpp"

namespace conjunct {

// The rows of one cell and one label, as one row of their mass: lam is divided by it.
struct CellGroups {
    PairSource source;  // kernel values of the cells
    const SumLoops& loops;
    const std::int64_t* cell;  // of each group, a row of the source
    const double* sign;        // +1 or -1
    const double* lam;         // > 0, in the units of the scores
    std::size_t n;

    std::size_t n_cells() const noexcept { return source.rows.n_rows; }
    std::size_t cell_of(std::size_t g) const noexcept { return static_cast<std::size_t>(cell[g]); }
};

}  // namespace conjunct
