#pragma once
#include "bits/sparse_rows.hpp"

namespace conjunct {

// Updates of a Winnow in order: the m-th promoted (label +1) or demoted (-1) the variables of row m so many times, after
// so many steps.
struct WinnowUpdates {
    SparseRows rows;
    const std::int8_t* label;
    const std::int64_t* rate;
    const std::int64_t* step;
    std::int32_t constant;  // the place of a variable that every row has; -1 for none
};

// What a weight has come to: promotions and demotions, the least that lead to it.
struct WinnowCounts {
    std::int32_t promotions, demotions;
};

// Of every place, what its weight has come to and since which step.
struct WeightSince {
    WinnowCounts* counts;
    std::int64_t* step;
};

// How promotions and demotions are counted: whether one undoes the other, and whether a demotion is for good.
struct CountRule {
    bool is_net, eliminates;
};

// Which weight a variable had; place is -1 in an empty slot.
struct WeightKey {
    std::int32_t place;
    WinnowCounts counts;
};

// A hash table by linear probing: how many steps a variable had a weight.
struct DurationTable {
    WeightKey* keys;
    std::int64_t* steps;
    std::size_t n_slots;  // a power of two
    std::size_t n_used;
};

// Replays updates [first, n_rows): adds to the table how long each weight had lasted that an update ends.
// Writes  weights, table; returns the first update not replayed, where the table is half full.
// Source  conjunct.models.WeightDurations.   Twin  tests/unit/models/test_weight_durations.py
std::size_t count_durations(const WinnowUpdates& updates, std::size_t first, const CountRule& rule,
                            const WeightSince& weights, DurationTable& table) noexcept;

}  // namespace conjunct
