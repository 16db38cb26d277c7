#pragma once
#include <cstddef>
#include <cstdint>

#include "bits/rows.hpp"
#include "kernels/layout.hpp"
#include "simd/sum_loops.hpp"

namespace conjunct {

// Where the kernel values of one row with all rows come from: counts kept for every pair, or else the rows themselves.
struct PairSource {
    Layout layout;
    Rows rows;
    const double* table;          // layout.n_values; 256 or 65536 of them where counts are kept
    const std::uint8_t* bytes;    // counts of all pairs, or null
    const std::uint16_t* shorts;  // the same, wider, or null
};

// out[j] = K(x_i, x_j) for all j, the summands added in order: the same bits from kept counts and at every level.
// Given   i < source.rows.n_rows.
// Writes  out: one value per row.
// Twin    conjunct.theory.conjunctions_kernel and its kin, up to the rounding of the table and of sums of summands.
void pair_row(const PairSource& source, const SumLoops& loops, std::size_t i, double* out) noexcept;

}  // namespace conjunct
