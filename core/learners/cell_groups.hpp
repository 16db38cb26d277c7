#pragma once
#include <cstddef>
#include <cstdint>

namespace conjunct {

// The rows of one cell and one label, as one row of their mass: lam is divided by it.
struct CellGroups {
    const std::int64_t* cell;
    const double* sign;  // +1 or -1
    const double* lam;   // > 0, in the units of the scores
    std::size_t n;
};

}  // namespace conjunct
