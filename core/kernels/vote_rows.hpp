#pragma once
#include "bits/rows.hpp"
#include "kernels/exact_table.hpp"
#include "kernels/layout.hpp"

namespace conjunct {

// The hypotheses of an on-line run in order: hypothesis 0 is the zero expansion, update u adds weight[u] * K(., row of
// slot[u]) and makes hypothesis u + 1; hypothesis h has survival[h] votes.
struct Updates {
    const std::int64_t* slot;
    const std::int64_t* weight;
    const std::int64_t* survival;  // n_updates + 1
    std::size_t n_updates;
};

// votes[i] = sum over hypotheses of survival * (+1 if its score of x_i reaches the threshold, else -1), i in [first, last).
// Given   index: layout.n_summands x rows.n_rows scratch; total: n_limbs scratch.
// Source  [freund1999, Figure 1].   Twin  conjunct.theory.votes
void vote_rows(const Layout& layout, const ExactTable& table, Rows rows, Updates updates, Rows x, std::size_t first,
               std::size_t last, std::int32_t* index, std::uint64_t* total, std::int64_t* votes) noexcept;

}  // namespace conjunct
