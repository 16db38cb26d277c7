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

// Those of one size are compared without their scale.
bool HeaviestList::IsHeavier::operator()(const Entry& a, const Entry& b) const noexcept {
    const std::size_t i = a.literals.size(), j = b.literals.size();
    const auto order = i == j ? a.size <=> b.size : scales.compare(a.size, i, b.size, j);
    if (order != 0) return order > 0;
    return i == j ? a.literals < b.literals : i < j;
}

HeaviestList::HeaviestList(WideScales scales, std::span<const std::int64_t> least, std::size_t top,
                           bool lists_sets_once)
    : scales_{scales}, least_(scales.n_sizes()), top_{top}, lists_sets_once_{lists_sets_once} {
    for (std::size_t j = 0; j < scales.n_sizes(); ++j) least_[j] = scales.is_zero(j) ? INT64_MAX : least[j];
}

void HeaviestList::begin_size(std::size_t n_literals) noexcept {
    if (entries_.size() == top_) raise_least(n_literals);
}

void HeaviestList::offer(std::int64_t sum, std::int64_t size, std::vector<std::uint32_t> literals,
                         const std::vector<std::uint64_t>& cells) {
    std::sort(literals.begin(), literals.end());
    const std::scoped_lock locked{lock_};
    const std::size_t n_literals = literals.size();
    Entry entry{sum, size, std::move(literals), {}};
    const IsHeavier is_heavier{scales_};
    if (entries_.size() == top_ && !is_heavier(entry, *entries_.rbegin())) return;
    std::uint64_t hash = 0;
    if (lists_sets_once_) {
        entry.cells = cells;
        hash = hash_of(entry.cells);
        const auto [first, last] = of_cells_.equal_range(hash);
        const auto same = std::find_if(first, last, [&](const auto& own) { return own.second->cells == entry.cells; });
        if (same != last) {
            if (!is_heavier(entry, *same->second)) return;
            remove(same->second);
        }
    }
    const auto place = entries_.insert(std::move(entry)).first;
    if (lists_sets_once_) of_cells_.emplace(hash, place);
    if (entries_.size() > top_) remove(std::prev(entries_.end()));
    n_entries_ = entries_.size();
    if (entries_.size() == top_) raise_least(n_literals);
}

void HeaviestList::remove(Entries::iterator entry) {
    if (lists_sets_once_) {
        const auto [first, last] = of_cells_.equal_range(hash_of(entry->cells));
        of_cells_.erase(std::find_if(first, last, [&](const auto& own) { return own.second == entry; }));
    }
    entries_.erase(entry);
}

// The last entry is beaten by more weight, and by as much with as few literals.
void HeaviestList::raise_least(std::size_t n_literals) noexcept {
    if (scales_.is_zero(n_literals)) return;
    const Entry& last = *entries_.rbegin();
    const std::size_t n_last = last.literals.size();
    least_[n_literals] = scales_.least_reaching(least_[n_literals], n_literals, last.size, n_last, n_literals > n_last);
}

}  // namespace conjunct
