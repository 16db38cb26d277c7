#pragma once
#include "bits/rows.hpp"

namespace conjunct {

// Rows are ordered by their digit strings x1 x2 .. xn ("0..." before "1..."), equal rows by position.
// Sorting comes in pieces, blocks and then merges, so that the caller can look for signals between them.
// Twin    sorted(digit strings)

// Sorts row numbers.
void sort_rows(Rows rows, std::int64_t* order, std::size_t count) noexcept;

// Writes the first `count` row numbers of two sorted runs, merged; returns how many came from the left one.
// Needs   count <= n_left + n_right.
std::size_t merge_rows(Rows rows, const std::int64_t* left, std::size_t n_left, const std::int64_t* right,
                       std::size_t n_right, std::int64_t* merged, std::size_t count) noexcept;

}  // namespace conjunct
