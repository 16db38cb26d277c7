#include "search/heaviest_list.hpp"

#include <algorithm>

namespace conjunct {
namespace {

std::uint64_t hash_of(const std::vector<std::uint64_t>& cells) noexcept {
    std::uint64_t hash = 0;
    for (const std::uint64_t word : cells) hash = (hash ^ word) * 0x9e3779b97f4a7c15 + (hash >> 29);
    return hash;
}

}  // namespace

HeaviestList::HeaviestList(std::span<const std::int64_t> scales, std::span<const std::int64_t> least, std::size_t top,
                           bool lists_sets_once)
    : scales_{scales.begin(), scales.end()}, least_(scales.size()), top_{top}, lists_sets_once_{lists_sets_once} {
    for (std::size_t j = 0; j < scales.size(); ++j) least_[j] = scales[j] ? least[j] : INT64_MAX;
}

void HeaviestList::offer(std::int64_t sum, std::int64_t size, std::vector<std::uint32_t> literals,
                         const std::vector<std::uint64_t>& cells) {
    std::sort(literals.begin(), literals.end());
    const std::scoped_lock locked{lock_};
    Entry entry{Key{size} * scales_[literals.size()], sum, std::move(literals), {}};
    if (entries_.size() == top_ && !IsHeavier{}(entry, *entries_.rbegin())) return;
    std::uint64_t hash = 0;
    if (lists_sets_once_) {
        entry.cells = cells;
        hash = hash_of(entry.cells);
        const auto [first, last] = of_cells_.equal_range(hash);
        const auto same = std::find_if(first, last, [&](const auto& own) { return own.second->cells == entry.cells; });
        if (same != last) {
            if (!IsHeavier{}(entry, *same->second)) return;
            remove(same->second);
        }
    }
    const auto place = entries_.insert(std::move(entry)).first;
    if (lists_sets_once_) of_cells_.emplace(hash, place);
    if (entries_.size() > top_) remove(std::prev(entries_.end()));
    n_entries_ = entries_.size();
    if (entries_.size() == top_) raise_least();
}

void HeaviestList::remove(Entries::iterator entry) {
    if (lists_sets_once_) {
        const auto [first, last] = of_cells_.equal_range(hash_of(entry->cells));
        of_cells_.erase(std::find_if(first, last, [&](const auto& own) { return own.second == entry; }));
    }
    entries_.erase(entry);
}

// The last entry is beaten by more weight, and by as much with as few literals.
void HeaviestList::raise_least() {
    const Entry& last = *entries_.rbegin();
    for (std::size_t j = 0; j < scales_.size(); ++j) {
        if (scales_[j] == 0) continue;
        Key quotient = last.key / scales_[j], rest = last.key % scales_[j];
        if (rest < 0) --quotient, rest += scales_[j];
        const Key least = quotient + (j > last.literals.size() || rest > 0);
        if (least > least_[j]) least_[j] = static_cast<std::int64_t>(std::min<Key>(least, INT64_MAX));
    }
}

}  // namespace conjunct
