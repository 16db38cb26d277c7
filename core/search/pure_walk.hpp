#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bits/rows.hpp"
#include "simd/level.hpp"

namespace conjunct {

// Looks for conjunctions that hold on no negative cell and whose positive cells weigh more than a limit, row by row: such a
// conjunction has a literal that is false on any negative cell one picks. A visit tries all open literals that are false on
// the cell it picks, in their order; those tried before stay closed, so that every set of literals is met once. Nothing
// below a visit weighs more than it: a literal is live if, added, it leaves more than the limit. The cell picked is the one
// on which the fewest live literals are false, the first of equals; where there are none, nothing is below. Node for node
// as a checker goes, who is told the cells. Twin  conjunct.theory.walk_pure
class PureWalk {
public:
    struct Settings {
        std::int64_t limit;
        std::size_t max_size;
        std::uint64_t max_nodes;
        std::size_t most_heavy;  // stop where so many pass the limit; with raises_limit keep the last so many
        bool raises_limit;       // to the weight of each conjunction found
        bool keeps_trace;
    };
    struct Watch {
        bool (*is_over)(void*);
        void* context;
    };

    // weights: a number per cell, 0 or more, 0 on negative cells; order: different literals, 2j + 1 if variable j is true,
    // 2j if it is false.
    PureWalk(Rows rows, std::size_t n_variables, std::span<const std::int64_t> weights,
             std::span<const std::uint8_t> is_negative, std::vector<std::uint32_t> order, Settings settings,
             const Level& level);

    void run(Watch watch);

    std::uint64_t n_nodes() const noexcept { return n_nodes_; }
    bool is_complete() const noexcept { return !is_stopped_; }
    // Conjunctions that pass the limit, in the order of the walk; their literals ascend.
    const std::vector<std::vector<std::uint32_t>>& heavy() const noexcept { return heavy_; }
    // The cells picked, in the order of the visits.
    const std::vector<std::uint32_t>& trace() const noexcept { return trace_; }

private:
    // Of a visit, in words: its positive and its negative cells, the literals that are open, by their places in the order,
    // and of these those to try and those that are live.
    struct Frame {
        std::uint64_t *positive, *negative, *open, *to_try, *live;
    };

    Frame frame(std::size_t i) noexcept;
    std::int64_t weigh(const std::uint64_t* set, const std::uint64_t* column) const noexcept;
    bool visit(Frame above, std::size_t place, Frame own);
    void record(std::int64_t weight);
    void find_live(Frame above, Frame own) const noexcept;
    void pick(Frame own);

    std::size_t n_positive_ = 0, n_negative_ = 0, n_open_;  // words
    std::vector<std::uint32_t> order_, negative_;           // negative_: which cells these are
    std::vector<std::int32_t> narrow_;                      // weights, if 32 bits hold their sum; else those of 64 bits
    std::vector<std::int64_t> wide_;
    std::vector<std::uint64_t> columns_;   // by place, then for the empty conjunction: positive cells, negative ones
    std::vector<std::uint64_t> false_on_;  // by negative cell: the places of the literals that are false on it
    std::vector<std::uint64_t> frames_;    // all cells, then a frame for each size of a conjunction
    Settings settings_;
    WeighLoops weigh_;
    FewestLoop fewest_;
    std::vector<std::uint32_t> path_, trace_;
    std::uint64_t n_nodes_ = 0;
    bool is_stopped_ = false;
    std::vector<std::vector<std::uint32_t>> heavy_;
};

}  // namespace conjunct
