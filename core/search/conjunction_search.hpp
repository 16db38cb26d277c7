#pragma once
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/heaviest_list.hpp"
#include "search/weighted_cells.hpp"

namespace conjunct {

struct ConjunctionSettings {
    std::size_t max_size;
    bool has_negations;    // both literals, or positive ones only
    bool is_signed;        // heaviest by the weight itself, not by its size
    bool lists_sets_once;  // of conjunctions that hold on the same cells only the first is listed
    std::size_t top;       // list at most so many: heavier ones push out others
    std::size_t most;      // stop where so many are listed
    std::uint64_t max_nodes;
    std::chrono::steady_clock::time_point deadline;
};

// Finds the heaviest conjunctions of weighted cells: T weighs the scale of its number of literals times the sum of the
// weights of the cells on which it holds.
//
// Sizes are gone through one by one, so that what small conjunctions weigh cuts off large ones. For a size, depth first: a
// node is a conjunction T with its set S of cells, their sums P of positive and N of negative weights, and the literals
// still open. All open literals are weighed on S, unless what they weigh on the set above rules them out. T with a literal
// l and r more weighs at most
//
//     P(S and l) + min(0, N(S and l) + the r largest of N(S and l') - N(S)),
//
// since positive weights only fall, and a further literal takes away at most the negative weights that it takes away from
// S; likewise from below. A literal whose bounds do not reach the list is not open below T.
class ConjunctionSearch {
public:
    enum class StopReason : int { none, nodes, time, found, memory, interrupt };
    // Whether to stop; asked only on the thread that called `run`.
    struct Watch {
        bool (*is_over)(void*);
        void* context;
    };

    // scales, least: by the number of literals; see HeaviestList.
    ConjunctionSearch(const WeightedCells& cells, const ConjunctionSettings& settings, WideScales scales,
                      std::span<const std::int64_t> least);

    void run(std::size_t n_threads, Watch watch);

    StopReason stopped_by() const noexcept { return stopped_by_.load(); }
    std::uint64_t n_nodes() const noexcept { return n_nodes_.load(); }
    const HeaviestList& list() const noexcept { return list_; }
    // By the number of literals: what conjunctions that were not looked at weigh at most, before scaling; INT64_MIN where
    // none was left out.
    const std::vector<std::int64_t>& unvisited() const noexcept { return unvisited_; }

private:
    struct Candidate {
        std::uint32_t literal;
        CellSums sums;  // of the cells of the node on which it holds
    };
    struct Gains;
    struct Walk;  // of one thread

    void go_through_size(std::size_t size, std::size_t n_threads, Watch watch);
    void work_in_threads(Walk& first, std::size_t n_threads, Watch watch);
    std::int64_t bound_of_all(std::size_t size) const noexcept;
    std::int64_t size_of(std::int64_t sum) const noexcept { return settings_.is_signed || sum > 0 ? sum : -sum; }
    std::int64_t reach(CellSums most, CellSums least, std::int64_t gain, std::int64_t loss) const noexcept;
    void stop(StopReason reason) noexcept;
    bool is_stopped() const noexcept { return stopped_by_.load(std::memory_order_relaxed) != StopReason::none; }

    const WeightedCells& cells_;
    ConjunctionSettings settings_;
    WideScales scales_;
    HeaviestList list_;
    std::vector<std::int64_t> unvisited_;
    CellSums all_;
    std::vector<Candidate> literals_;  // in the order of the search
    std::size_t size_ = 0;             // of the conjunctions looked for
    bool drops_equal_sets_ = false;    // whether a literal may go where another, or none, leads to the same cells
    std::atomic<std::size_t> next_task_ = 0;
    std::atomic<std::uint64_t> n_nodes_ = 0;
    std::atomic<StopReason> stopped_by_ = StopReason::none;
};

}  // namespace conjunct
