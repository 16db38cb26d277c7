#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/lemma_log.hpp"

namespace conjunct {

// What is known of the cheapest tree on some rows.
struct Bound {
    std::int64_t lower;
    std::uint32_t lemma = no_lemma;  // what proves it; none: the trivial value
    bool is_exact = false;           // a tree of that cost exists
    bool is_hint = false;            // the lemma is about similar rows
    bool is_counted = false;         // by pair counts; its lemma is written where a split rests on it
};

// Bounds by row set and depth. A set is stored as one path that leads to it, and compared in full: the tests of the path are
// intersected again. So an entry takes 48 bytes and its path, however many rows there are.
class BoundMemo {
public:
    // columns: word w of the cells where test j is true, at columns[j * n_words + w].
    BoundMemo(const std::uint64_t* columns, const std::uint64_t* all_cells, std::size_t n_words);

    void prefetch(std::uint64_t hash) const noexcept { __builtin_prefetch(&slots_[place(hash)]); }
    // Whether an entry may be there: a look at the hash alone.
    bool may_hold(std::uint64_t hash) const noexcept;
    // The best lower bound for trees of that depth or deeper, exact where the depth is the same.
    Bound find(const std::uint64_t* cells, std::uint64_t hash, std::uint8_t depth) const noexcept;
    // The first test of the cheapest tree where it is known exactly: a test, or -1 for a leaf; -2 otherwise.
    std::int32_t choice(const std::uint64_t* cells, std::uint64_t hash, std::uint8_t depth) const noexcept;
    void store(const std::uint64_t* cells, std::uint64_t hash, std::uint8_t depth, const Bound& bound,
               std::int32_t choice, std::span<const std::uint32_t> path);
    void clear();
    std::size_t n_bytes() const noexcept;
    std::size_t size() const noexcept { return entries_.size(); }

private:
    static constexpr unsigned least_shift = 53;  // 2^11 slots
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    struct Slot {
        std::uint32_t tag, entry;
    };
    struct Entry {
        std::int64_t lower;
        std::uint64_t path;
        std::uint64_t hash;
        std::uint32_t lemma;
        std::int32_t choice;
        std::uint16_t n_literals;
        std::uint8_t depth;
        bool is_exact;
    };

    // Linear hashes have their best bits on top; the tag has others than the place.
    static std::uint32_t tag(std::uint64_t hash) noexcept {
        return static_cast<std::uint32_t>((hash * 0xD6E8FEB86659FD93ULL) >> 32);
    }
    std::size_t place(std::uint64_t hash) const noexcept {
        return static_cast<std::size_t>((hash ^ hash >> 29) * 0x9E3779B97F4A7C15ULL >> shift_);
    }
    bool is_of(const Entry& entry, const std::uint64_t* cells) const noexcept;
    void grow();
    void insert(std::uint32_t entry) noexcept;

    const std::uint64_t* columns_;
    const std::uint64_t* all_cells_;
    std::size_t n_words_;
    unsigned shift_ = least_shift;
    std::vector<Slot> slots_;
    std::vector<Entry> entries_;
    std::vector<std::uint32_t> literals_;
};

}  // namespace conjunct
