#include "learners/weight_durations.hpp"

#include <algorithm>

namespace conjunct {
namespace {

bool is_same(const WeightKey& a, const WeightKey& b) noexcept {
    return a.place == b.place && a.counts.promotions == b.counts.promotions && a.counts.demotions == b.counts.demotions;
}

std::size_t hashed(const WeightKey& key) noexcept {
    std::uint64_t h = static_cast<std::uint32_t>(key.place) * 0x9E3779B97F4A7C15u;
    h ^= static_cast<std::uint32_t>(key.counts.promotions) * 0xC2B2AE3D27D4EB4Fu;
    h ^= static_cast<std::uint32_t>(key.counts.demotions) * 0x165667B19E3779F9u;
    return static_cast<std::size_t>(h ^ (h >> 32));
}

void add(DurationTable& table, const WeightKey& key, std::int64_t steps) noexcept {
    std::size_t slot = hashed(key) & (table.n_slots - 1);
    while (table.keys[slot].place >= 0 && !is_same(table.keys[slot], key)) slot = (slot + 1) & (table.n_slots - 1);
    if (table.keys[slot].place < 0) {
        table.keys[slot] = key;
        ++table.n_used;
    }
    table.steps[slot] += steps;
}

WinnowCounts after(WinnowCounts counts, std::int32_t change, const CountRule& rule) noexcept {
    if (rule.eliminates && (counts.demotions || change < 0)) return {0, 1};
    (change > 0 ? counts.promotions : counts.demotions) += change > 0 ? change : -change;
    if (!rule.is_net) return counts;
    const std::int32_t undone = std::min(counts.promotions, counts.demotions);
    return {counts.promotions - undone, counts.demotions - undone};
}

}  // namespace

std::size_t count_durations(const WinnowUpdates& updates, std::size_t first, const CountRule& rule,
                            const WeightSince& weights, DurationTable& table) noexcept {
    const SparseRows& rows = updates.rows;
    std::size_t update = first;
    for (; update < rows.n_rows; ++update) {
        const std::int64_t begin = rows.starts[update], end = rows.starts[update + 1];
        if (2 * (table.n_used + static_cast<std::size_t>(end - begin) + 1) > table.n_slots) break;
        const auto rate = static_cast<std::int32_t>(updates.rate[update]);
        const std::int32_t change = updates.label[update] > 0 ? rate : -rate;
        const std::int64_t step = updates.step[update];
        const auto replay = [&](std::int32_t place) {
            WinnowCounts& counts = weights.counts[place];
            std::int64_t& since = weights.step[place];
            if (step > since) add(table, {place, counts}, step - since);
            since = step;
            counts = after(counts, change, rule);
        };
        if (updates.constant >= 0) replay(updates.constant);
        for (std::int64_t k = begin; k < end; ++k) replay(rows.places[k]);
    }
    return update;
}

}  // namespace conjunct
