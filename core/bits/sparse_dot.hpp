#pragma once
#include "bits/sparse_rows.hpp"

namespace conjunct {

// out[i] = the sum over the places of row first + i of weight * value; `unseen` is the weight of negative places.
// Given   weights of every place that is not negative; W int64 (values null) or double; sums of int64 do not overflow.
template <class W>
void sparse_dot(const SparseRows& rows, const W* weights, W unseen, std::size_t first, std::size_t last,
                W* out) noexcept;

}  // namespace conjunct
