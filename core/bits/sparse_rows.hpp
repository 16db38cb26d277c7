#pragma once
#include <cstddef>
#include <cstdint>

namespace conjunct {

// Rows as lists of their non-zero places: those of row i are places[starts[i]], .., places[starts[i + 1] - 1], with values
// alongside, or 1 everywhere where `values` is null. A negative place stands for a name that was never seen.
struct SparseRows {
    const std::int64_t* starts;
    const std::int32_t* places;
    const double* values;
    std::size_t n_rows;
};

}  // namespace conjunct
