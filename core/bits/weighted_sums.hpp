#pragma once
#include "bits/rows.hpp"

namespace conjunct {

inline constexpr std::size_t sum_words = 4;                    // of a row, looked up together
inline constexpr std::size_t sum_table = sum_words * 8 * 256;  // one sum for each value of each of their bytes

// out[i] = the sum of the weights of the ones of row i, for rows first .. last - 1.
// Given   weights: 64 per word of a row; table: scratch of sum_table values.
// Needs   the sum of the weights' absolute values to be below 2**63.
// Twin    conjunct.BitMatrix.to_array() @ weights
void weighted_sums(Rows rows, const std::int64_t* weights, std::size_t first, std::size_t last, std::int64_t* table,
                   std::int64_t* out) noexcept;

}  // namespace conjunct
