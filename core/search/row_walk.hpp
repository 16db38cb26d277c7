#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bits/rows.hpp"
#include "simd/level.hpp"

namespace conjunct {

// Looks for conjunctions whose cells weigh more than a limit, under weights of both signs, row by row. A charged cell, one
// that weighs less than 0, is excluded by a literal that is false on it, or kept. A visit weighs what each open literal
// would leave of the cells above 0, and closes those that leave all its cells, or the same cells as one before. The charged cells on which all open literals hold are kept by whatever is left; literals
// that, with these, leave no more than the limit are closed, which may keep more. Then it picks another charged cell, tries
// the open literals that are false on it, those first that leave least, those tried before closed, and goes on with all of
// them closed: so every set of literals is met once. It ends where its cells above 0, with those that are kept, are within the limit.
// The cell picked is the one with the fewest such literals for its charge, the first of equals. Where charges exceed all
// that is above 0, what passes is pure: it holds on no charged cell. Node for node as a checker goes, who is told the
// cells. Twin  conjunct.theory.walk_by_rows
class RowWalk {
public:
    struct Settings {
        std::int64_t limit;
        std::size_t max_size;
        std::uint64_t max_nodes;
        std::size_t most_heavy;  // stop where so many pass the limit; with raises_limit keep the last so many
        bool raises_limit;       // to the weight of each conjunction met; else nothing below it is looked at
        bool keeps_trace;
    };
    struct Watch {
        bool (*is_over)(void*);
        void* context;
    };

    // weights: a number per cell, without their signs at most 2^61 together; literals: different ones, 2j + 1 if variable j
    // is true, 2j if it is false, those first that are tried first where they leave as much.
    RowWalk(Rows rows, std::size_t n_variables, std::span<const std::int64_t> weights,
            std::vector<std::uint32_t> literals, Settings settings, const Level& level);

    void run(Watch watch);

    // Conjunctions weighed.
    std::uint64_t n_nodes() const noexcept { return n_nodes_; }
    bool is_complete() const noexcept { return !is_stopped_; }
    // Conjunctions that pass the limit, in the order of the walk; their literals ascend.
    const std::vector<std::vector<std::uint32_t>>& heavy() const noexcept { return heavy_; }
    // The cells picked, in the order of the walk.
    const std::vector<std::uint32_t>& trace() const noexcept { return trace_; }

private:
    // Of a visit, in words: its cells above 0 and its charged ones, the literals that are open, by their places; what the
    // cells above 0 weigh on which each of them holds, then what all of them weigh; how many literals are to be tried,
    // and these, the next one last.
    struct Frame {
        std::uint64_t *above, *charged, *open;
        std::int64_t* heights;
        std::uint32_t *n_to_try, *to_try;
    };

    Frame frame(std::size_t i) noexcept;
    std::int64_t weigh(const std::uint64_t* set, const std::uint64_t* column) const noexcept;
    std::int64_t charge(const std::uint64_t* set) const noexcept;
    bool visit(Frame upper, std::size_t place, Frame own);
    bool pick(Frame own);
    void close_needless(Frame own) noexcept;
    void keep(Frame own) noexcept;
    void record(std::int64_t weight);

    std::size_t n_above_ = 0, n_charged_ = 0, n_open_;  // words
    std::vector<std::uint32_t> literals_, charged_;     // charged_: which cells these are
    std::vector<std::int32_t> narrow_;  // weights above 0, if 32 bits hold their sum; else those of 64 bits
    std::vector<std::int64_t> wide_;
    std::vector<std::int64_t> charges_;    // of the charged cells, above 0
    std::vector<std::uint64_t> columns_;   // by place, then for the empty conjunction: cells above 0, charged ones
    std::vector<std::uint64_t> false_on_;  // by charged cell: the places of the literals that are false on it
    std::vector<std::uint64_t> frames_;    // all cells, then a frame for each size of a conjunction
    std::vector<std::int64_t> heights_;    // of the frames
    std::vector<std::uint32_t> to_try_;    // of the frames, each after its number
    std::vector<std::uint64_t> kept_;      // scratch, as is a table of places by their heights, 0 where it is empty
    std::vector<std::uint32_t> by_height_;
    int height_shift_;
    Settings settings_;
    WeighLoops weigh_;
    FewestLoop fewest_;
    std::vector<std::uint32_t> path_, trace_;
    std::uint64_t n_nodes_ = 0;
    bool is_stopped_ = false;
    std::vector<std::vector<std::uint32_t>> heavy_;
};

}  // namespace conjunct
