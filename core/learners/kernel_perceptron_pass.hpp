#pragma once
#include "bits/rows.hpp"
#include "kernels/exact_table.hpp"
#include "kernels/layout.hpp"

namespace conjunct {

// The rows a learner is shown: row i is cells.row(cell_of[i]), of label +1 or -1; a mistake on it weighs rate[i] > 0.
struct Lesson {
    Rows cells;
    const std::int64_t* cell_of;
    const std::int8_t* label;
    const std::int64_t* rate;
    const std::int64_t* order;  // the rows, in the order of this pass
};

// What a kernel Perceptron has learned: the distinct rows of its mistakes, their summed weights.
struct Support {
    std::uint64_t* words;        // room for every cell
    std::int64_t* weight;        // likewise
    std::int64_t* slot_of_cell;  // -1: not yet a mistake
    std::size_t n_rows;
};

struct PassEnd {
    std::size_t position;    // the first position of the order not yet visited
    std::size_t n_mistakes;  // written
};

// The kernel Perceptron on positions [first, last) of a pass: predict +1 iff the score reaches the threshold; on a
// mistake add label * rate * K(row, .).  Stops early, at a row boundary, when `work` word operations are spent, so that
// the caller can look for signals.
// Given   histogram: n_values scratch; limbs: n_limbs scratch; |weights| stay below 2^62 in sum.
// Writes  support in place; mistaken[m] = position of the m-th mistake (room for last - first).
// Source  [khardon2005, Section 3.1].   Twin  tests/reference/kernel_perceptron.py
PassEnd kernel_perceptron_pass(const Layout& layout, const ExactTable& table, const Lesson& lesson, Support& support,
                               std::size_t first, std::size_t last, std::size_t work, std::int64_t* histogram,
                               std::uint64_t* limbs, std::int64_t* mistaken) noexcept;

}  // namespace conjunct
