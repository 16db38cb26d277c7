#include "streams/name_index.hpp"

namespace conjunct {

std::int32_t NameIndex::add(std::uint64_t hash, Handle handle) {
    if (2 * (names_.size() + 1) > entries_.size()) refill(2 * entries_.size(), names_.size());
    const auto number = static_cast<std::int32_t>(names_.size());
    names_.push_back(handle);
    put({mixed(hash), number, handle});
    return number;
}

void NameIndex::shrink(std::size_t n) {
    refill(entries_.size(), n);
    names_.resize(n);
}

void NameIndex::put(const Entry& entry) noexcept {
    std::size_t place = entry.mixed & mask();
    while (entries_[place].number != none) place = next(place);
    entries_[place] = entry;
}

void NameIndex::refill(std::size_t n_entries, std::size_t n_names) {
    std::vector<Entry> old(n_entries, Entry{0, none, nullptr});
    old.swap(entries_);
    for (const Entry& entry : old)
        if (entry.number != none && static_cast<std::size_t>(entry.number) < n_names) put(entry);
}

}  // namespace conjunct
