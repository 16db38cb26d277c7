#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "search/wide_scales.hpp"

namespace conjunct {

// The heaviest conjunctions met so far. They are ordered by falling size of weight, then by how many literals they have,
// then by these, so that what is kept at the end does not depend on the order in which they were met. Weights are compared
// exactly, whatever their scales.
class HeaviestList {
public:
    struct Entry {
        std::int64_t sum, size;               // size: of the sum, or the sum itself where signs count
        std::vector<std::uint32_t> literals;  // ascending
        std::vector<std::uint64_t> cells;     // where each set is to be listed once
    };

    // scales: 0 leaves a size out. least: by the number of literals, the smallest sum to be listed.
    HeaviestList(WideScales scales, std::span<const std::int64_t> least, std::size_t top, bool lists_sets_once);

    // To be called before conjunctions of so many literals are offered, and not while others are.
    void begin_size(std::size_t n_literals) noexcept;
    // The smallest sum, or the smallest size of one, with which a conjunction of so many literals may still be listed.
    std::int64_t least(std::size_t n_literals) const noexcept {
        return least_[n_literals].load(std::memory_order_relaxed);
    }
    void offer(std::int64_t sum, std::int64_t size, std::vector<std::uint32_t> literals,
               const std::vector<std::uint64_t>& cells);

    std::size_t n_entries() const noexcept { return n_entries_.load(std::memory_order_relaxed); }
    const auto& entries() const noexcept { return entries_; }

private:
    struct IsHeavier {
        WideScales scales;

        bool operator()(const Entry& a, const Entry& b) const noexcept;
    };
    using Entries = std::set<Entry, IsHeavier>;

    void remove(Entries::iterator entry);
    void raise_least(std::size_t n_literals) noexcept;

    WideScales scales_;
    std::vector<std::atomic<std::int64_t>> least_;
    std::size_t top_;
    bool lists_sets_once_;
    std::mutex lock_;
    Entries entries_{IsHeavier{scales_}};
    std::atomic<std::size_t> n_entries_ = 0;
    std::unordered_multimap<std::uint64_t, Entries::iterator> of_cells_;
};

}  // namespace conjunct
