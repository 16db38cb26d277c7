#pragma once
#include "bits/sparse_rows.hpp"

namespace conjunct {

// Copies the rows of these numbers, one after the other.
// Given   starts[k]: where the k-th of them begins in the copy.   Writes  places, and values where the rows have some.
void sparse_take(const SparseRows& rows, const std::int64_t* index, const std::int64_t* starts, std::size_t n_index,
                 std::int32_t* places, double* values) noexcept;

}  // namespace conjunct
