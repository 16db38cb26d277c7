#include "bits/sparse_take.hpp"

#include <algorithm>

namespace conjunct {

void sparse_take(const SparseRows& rows, const std::int64_t* index, const std::int64_t* starts, std::size_t n_index,
                 std::int32_t* places, double* values) noexcept {
    for (std::size_t k = 0; k < n_index; ++k) {
        const std::int64_t first = rows.starts[index[k]], last = rows.starts[index[k] + 1];
        std::copy(rows.places + first, rows.places + last, places + starts[k]);
        if (rows.values) std::copy(rows.values + first, rows.values + last, values + starts[k]);
    }
}

}  // namespace conjunct
