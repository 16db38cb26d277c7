#pragma once
#include <algorithm>

#include "search/conjunction_search.hpp"

namespace conjunct {

// The largest of what literals take away, and their sum. Sums stop at `most_sum`, which no set passes.
struct ConjunctionSearch::Gains {
    static constexpr std::size_t most = 16;  // from so many on, they may take away everything

    explicit Gains(std::size_t n_literals) noexcept : n{n_literals} {}

    void add(std::int64_t gain) noexcept {
        if (n >= most || gain <= largest[n - 1]) return;
        std::size_t i = n - 1;
        for (; i > 0 && largest[i - 1] < gain; --i) largest[i] = largest[i - 1];
        largest[i] = gain;
    }
    void close() noexcept {
        const std::int64_t everything = WeightedCells::most_sum;
        all = n >= most ? everything : 0;
        for (std::size_t i = 0; i < n && all < everything; ++i) {
            others = all;
            all = std::min(all + largest[i], everything);
        }
    }
    // Of one literal less, where one with this gain is taken already.
    std::int64_t beside(std::int64_t own) const noexcept {
        if (n >= most) return all;
        return n > 1 && own >= largest[n - 2] ? all - own : others;
    }

    std::size_t n;  // at least 1
    std::int64_t largest[most] = {};
    std::int64_t all = 0, others = 0;  // the sum of the n largest, and of one less
};

// One thread's way through the conjunctions of a size.
struct ConjunctionSearch::Walk {
    Walk(ConjunctionSearch& search, const Watch* watch);
    Walk(const Walk&) = delete;
    ~Walk() { tell(); }

    // Goes through the tasks left: the literals kept at the root, each with those after it.
    void work(std::span<const Candidate> root);
    // Weighs the open literals on a set and keeps those below which to go on; of one literal to come, lists them.
    // above: the sums of the set on which the open ones were weighed.
    void expand(const std::uint64_t* set, CellSums sums, std::span<const Candidate> open, CellSums above);
    void descend(const std::uint64_t* set, CellSums sums, std::span<const Candidate> kept, std::size_t i);

    void keep_distinct(std::vector<Candidate>& kept, const std::uint64_t* set);
    void keep_reachable(std::vector<Candidate>& kept, CellSums sums, std::size_t n_to_come) noexcept;
    void offer(const std::uint64_t* set, std::uint32_t literal, std::int64_t sum);
    void look() noexcept;
    void tell() noexcept { search.n_nodes_ += n_nodes - n_told, n_told = n_nodes; }
    void leave_out(std::int64_t bound) noexcept { unvisited = std::max(unvisited, bound); }

    ConjunctionSearch& search;
    const Watch* watch;  // null where another thread looks
    std::vector<std::uint32_t> path;
    std::vector<std::vector<Candidate>> kept;      // by level
    std::vector<std::vector<std::uint64_t>> sets;  // by level
    std::vector<std::uint32_t> slots;              // of candidates, by their sums
    std::uint64_t n_nodes = 0, n_told = 0, next_look;
    std::int64_t unvisited = INT64_MIN;
};

}  // namespace conjunct
