#pragma once
#include "bits/rows.hpp"

namespace conjunct {

// Pools equal rows into cells, numbered in the order of their digit strings x1 x2 .. xn ("0..." before "1...").
// Writes  order: the rows sorted by digit string, equal rows by position; cell_of[i]: the cell of row i.
// Returns the number of cells.
// Twin    sorted(set(digit strings))
std::size_t pool_rows(Rows rows, std::int64_t* order, std::int64_t* cell_of) noexcept;

}  // namespace conjunct
