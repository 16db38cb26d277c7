#include "bits/name_index.hpp"

namespace conjunct {

std::int32_t NameIndex::add(std::uint64_t hash, Handle handle) {
    if (2 * (names_.size() + 1) > entries_.size()) grow();
    const auto number = static_cast<std::int32_t>(names_.size());
    names_.push_back({mixed(hash), number, handle});
    put(names_.back());
    return number;
}

// Linear probing: the names after the hole move back into it, as far as their first positions allow.
NameIndex::Handle NameIndex::pop() noexcept {
    const Entry last = names_.back();
    names_.pop_back();
    std::size_t hole = last.mixed & mask();
    while (entries_[hole].number != last.number) hole = next(hole);
    for (std::size_t position = next(hole); entries_[position].number != none; position = next(position)) {
        const std::size_t first = entries_[position].mixed & mask();
        if (((position - first) & mask()) < ((position - hole) & mask())) continue;
        entries_[hole] = entries_[position];
        hole = position;
    }
    entries_[hole] = {0, none, nullptr};
    return last.handle;
}

void NameIndex::put(const Entry& entry) noexcept {
    std::size_t position = entry.mixed & mask();
    while (entries_[position].number != none) position = next(position);
    entries_[position] = entry;
}

void NameIndex::grow() {
    std::vector<Entry> old(2 * entries_.size(), Entry{0, none, nullptr});
    old.swap(entries_);
    for (const Entry& entry : old)
        if (entry.number != none) put(entry);
}

}  // namespace conjunct
