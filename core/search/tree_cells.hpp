#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "bits/rows.hpp"
#include "search/cell_sets.hpp"
#include "simd/pair_loops.hpp"

namespace conjunct {

// The data of a tree search. Every cell's least penalty is paid by every tree: it is taken off (`forced`), so that what is
// left is 0 for some class. The rest is divided by its greatest common divisor (`unit`) and written in binary: a row of weight
// 2^shift for every one of its digits, in a group for its shift and the classes that pay. Cells are sorted so that equal
// numbers stand together.
struct TreeCells {
    std::size_t n_cells = 0, n_tests = 0, n_classes = 0, n_words = 0;  // n_words: of a set of cells
    std::vector<std::uint64_t> columns;                                // by test: the cells where it is true
    std::vector<std::uint64_t> all;                                    // every cell
    CellNumbers forced, removals, sizes;
    std::int64_t unit = 1;
    bool is_sized =
        false;  // rows that no class pays for are in groups of their own, or all by their sizes if these matter
    std::size_t lanes = 0;  // which of the three widths holds all sums
    std::vector<RowGroup> groups;
    std::vector<std::vector<std::uint32_t>> cells_of_groups;

    const std::uint64_t* column(std::size_t test) const noexcept { return columns.data() + test * n_words; }
};

// Needs penalties n_cells x n_classes, not negative, sums below 2^62; removals and sizes per cell; 1 to 63 classes.
TreeCells tree_cells(Rows tests, std::size_t n_tests, std::span<const std::int64_t> penalties, std::size_t n_classes,
                     std::span<const std::int64_t> removals, std::span<const std::int64_t> sizes,
                     std::int64_t min_samples_leaf);

}  // namespace conjunct
