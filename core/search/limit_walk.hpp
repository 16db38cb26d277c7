#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bits/rows.hpp"
#include "simd/weigh_loops.hpp"

namespace conjunct {

// Looks whether any conjunction passes a limit under one of several weights of the cells: the walk by which a linear program
// is certified, node for node as a checker goes it, so that the nodes counted are those the checker will count. All
// conjunctions passed over hold on no cell, on the cells of a shorter one, or their positive weights stay within the limit.
class LimitWalk {
public:
    struct Settings {
        std::int64_t limit;
        std::size_t max_size;
        std::uint64_t max_nodes;
        std::size_t most_heavy;  // stop where so many pass the limit
    };
    struct Watch {
        bool (*is_over)(void*);
        void* context;
    };

    // weights: one list after another, each with a number per cell; order: literals, 2j + 1 if variable j is true, 2j if
    // it is false.
    LimitWalk(Rows rows, std::size_t n_variables, std::span<const std::int64_t> weights,
              std::vector<std::uint32_t> order, Settings settings, const WeighLoops& loops);

    void run(Watch watch);

    std::uint64_t n_nodes() const noexcept { return n_nodes_; }
    bool is_complete() const noexcept { return !is_stopped_; }
    // Conjunctions that pass the limit, in the order of the walk.
    const std::vector<std::vector<std::uint32_t>>& heavy() const noexcept { return heavy_; }

private:
    struct Visit {
        bool is_other, may_go_on;  // whether the part is neither empty nor the whole
    };

    Visit look_at(const std::uint64_t* set, const std::uint64_t* column, Watch watch);
    void walk(const std::uint64_t* set, std::span<const std::uint32_t> open, Watch watch);

    std::size_t n_words_, n_weights_;
    std::vector<std::int64_t> weights_;  // as given, then the positive parts
    std::vector<std::uint64_t> all_, columns_;
    std::vector<std::uint32_t> order_, path_;
    Settings settings_;
    WeighLoop<std::int64_t> weigh_;
    std::uint64_t n_nodes_ = 0;
    bool is_stopped_ = false;
    std::vector<std::vector<std::uint32_t>> heavy_;
};

}  // namespace conjunct
