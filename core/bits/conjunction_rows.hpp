#pragma once
#include "bits/rows.hpp"

namespace conjunct {

// The columns of all conjunctions of 1 .. max_size of a row's true literals, in rising order, for rows first ..
// last - 1: those of row i at columns[starts[i] .. starts[i + 1]).
// A conjunction l_1 < .. < l_k has the column bases[k - 1] + the sum over i of shares[(k - i) * n_literals + l_i]; all
// of it modulo the range of Column, so that parts of the sum may be negative or large.
// Given   literals: variable v is literal v; with negations, variable v is literal 2 v and its negation 2 v + 1.
//         scratch of (max_size + 1) * n_variables; sums and marks: scratch of max_size.
// Returns -1, or the first row whose number of conjunctions is not starts[i + 1] - starts[i]; nothing of it is written.
// Twin    itertools.combinations
template <class Column>
std::int64_t conjunction_rows(Rows rows, std::size_t n_variables, std::size_t max_size, bool has_negations,
                              const Column* bases, const Column* shares, const std::int64_t* starts, std::size_t first,
                              std::size_t last, Column* scratch, Column* sums, std::size_t* marks,
                              Column* columns) noexcept;

}  // namespace conjunct
