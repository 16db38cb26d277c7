#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "search/tree_search.hpp"

namespace conjunct {

// The least errors by number of leaves: for L = 1 .. 2^depth the least cost of errors over all trees of at most that depth with
// at most L leaves, and a tree that attains each.
// Idea    the least errors of a set are a list, of a split the least sums of both parts' entries over how the leaves are shared
//         out. Lists of depth 2 come from pair counts; those of depth 2 below depth 4 are remembered by row set.
// Exact   every tree is covered: a first test is passed over only where bounds of its parts' lists improve no entry.
// Skipped first tests whose parts' errors of one leaf and two, and of one side of three (peel), leave nothing to improve.
class FrontierSearch : private TreeSearch {
public:
    static constexpr std::uint8_t most_depth = 4;

    // Of the settings those of depth (at most 4), least rows, and bytes count.
    FrontierSearch(TreeCells cells, const TreeSearchSettings& settings, const PairLoops& loops);

    // The watch is told how many of the first tests are done, and how many there are.
    void run(Watch watch);

    const std::vector<std::int64_t>& errors() const noexcept { return errors_; }             // entry L - 1 for L leaves
    const std::vector<std::vector<std::int64_t>>& trees() const noexcept { return trees_; }  // in preorder
    std::size_t n_splits() const noexcept { return n_splits_; }                              // distinct, of all rows
    using TreeSearch::stats;
    using TreeSearch::stopped_by;

private:
    static constexpr std::size_t most_leaves = std::size_t{1} << most_depth;
    // How an entry is attained: a column and the leaves of its parts; no column: a leaf.
    struct Choice {
        std::int32_t column = -1;
        std::uint8_t n_leaves[2] = {0, 0};  // where it is false, and true
    };
    // Units beyond what is forced, by number of leaves; only the first 2^depth entries count.
    using Errors = std::array<std::int64_t, most_leaves>;
    struct List {
        Errors errors;
        std::array<Choice, most_leaves> choices;
        std::size_t size;
    };
    // What is known of the two parts of a column.
    struct Sides {
        Errors errors[2];
        std::size_t size;
        bool is_exact[2];
    };

    List solve(const Node& node);
    Errors solve_part(const Part& part);
    void split(const Node& node, const PairMinima* minima, List& list);
    const PairMinima* pair_minima(const Node& node, bool with_peel);
    Sides bounds(const Node& node, std::size_t column, const PairMinima& minima) const noexcept;
    static bool improves(const List& list, const Sides& sides) noexcept;
    static void improve(List& list, const Sides& sides, std::size_t column) noexcept;
    void write(const Node& node, const List& list, std::size_t n_leaves, std::vector<std::int64_t>& tree);
    bool has_to_stop(std::size_t n_lanes);

    std::uint8_t depth_;
    std::vector<Errors> remembered_;  // by number of the memo's entry
    std::vector<std::int64_t> errors_;
    std::vector<std::vector<std::int64_t>> trees_;
    std::size_t n_splits_ = 0, n_done_ = 0;
    std::uint64_t n_lanes_ = 0;  // lanes counted since the last look
};

}  // namespace conjunct
