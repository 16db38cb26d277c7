#include "bits/slot_table.hpp"

namespace conjunct {

std::size_t SlotTable::first_position(std::uint64_t key) const noexcept {
    std::uint64_t mixed = (key ^ key >> 30) * 0xbf58476d1ce4e5b9ULL;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebULL;
    return static_cast<std::size_t>(mixed ^ mixed >> 31) & (entries_.size() - 1);
}

std::size_t SlotTable::position_of(std::uint64_t key) const noexcept {
    const std::size_t mask = entries_.size() - 1;
    std::size_t position = first_position(key);
    while (entries_[position].slot != none && entries_[position].key != key) position = (position + 1) & mask;
    return position;
}

void SlotTable::grow() {
    std::vector<Entry> old(2 * entries_.size(), Entry{0, none});
    old.swap(entries_);
    for (const Entry& entry : old)
        if (entry.slot != none) entries_[position_of(entry.key)] = entry;
}

// Linear probing: what comes after the hole moves back into it, as far as its first position allows.
void SlotTable::remove(std::size_t hole) noexcept {
    const std::size_t mask = entries_.size() - 1;
    for (std::size_t position = (hole + 1) & mask; entries_[position].slot != none; position = (position + 1) & mask) {
        const std::size_t first = first_position(entries_[position].key);
        if (((position - first) & mask) < ((position - hole) & mask)) continue;
        entries_[hole] = entries_[position];
        hole = position;
    }
    entries_[hole] = {0, none};
}

void SlotTable::shrink(std::size_t n) noexcept {
    // Only entries that stay can move to a position that was passed: round the end, from positions passed before.
    for (std::size_t position = 0; position < entries_.size(); ++position)
        while (entries_[position].slot != none && static_cast<std::size_t>(entries_[position].slot) >= n)
            remove(position);
    n_slots_ = n;
}

std::vector<std::uint64_t> SlotTable::keys() const {
    std::vector<std::uint64_t> keys(n_slots_);
    for (const Entry& entry : entries_)
        if (entry.slot != none) keys[static_cast<std::size_t>(entry.slot)] = entry.key;
    return keys;
}

std::int32_t SlotTable::slot(std::int32_t parent, std::int32_t name, bool grows, std::size_t most) {
    const std::uint64_t key =
        static_cast<std::uint64_t>(static_cast<std::uint32_t>(parent + 1)) << 32 | static_cast<std::uint32_t>(name);
    std::size_t position = position_of(key);
    if (entries_[position].slot != none || !grows) return entries_[position].slot;
    if (n_slots_ >= most) return full;
    if (2 * (n_slots_ + 1) > entries_.size()) {
        grow();
        position = position_of(key);
    }
    entries_[position] = {key, static_cast<std::int32_t>(n_slots_)};
    return static_cast<std::int32_t>(n_slots_++);
}

namespace {

bool append_from(SlotTable& table, std::span<const std::int32_t> names, std::int32_t parent, bool is_known,
                 std::size_t max_size, bool grows, std::size_t most, std::vector<std::int32_t>& slots) {
    for (std::size_t k = 0; k < names.size(); ++k) {
        std::int32_t slot = SlotTable::none;
        if (is_known && names[k] >= 0) slot = table.slot(parent, names[k], grows, most);
        if (slot == SlotTable::full) return false;
        slots.push_back(slot);
        if (max_size > 1 &&
            !append_from(table, names.subspan(k + 1), slot, slot >= 0, max_size - 1, grows, most, slots))
            return false;
    }
    return true;
}

}  // namespace

std::size_t count_conjunctions(std::size_t n, std::size_t max_size, std::size_t most) noexcept {
    std::size_t total = 0, of_size = 1;
    for (std::size_t size = 1; size <= max_size && size <= n; ++size) {
        of_size = of_size * (n - size + 1) / size;
        total += of_size;
        if (of_size > most || total > most) return most + 1;
    }
    return total;
}

bool append_slots(SlotTable& table, std::span<const std::int32_t> names, std::size_t max_size, bool grows,
                  std::size_t most, std::vector<std::int32_t>& slots) {
    return append_from(table, names, SlotTable::none, true, max_size, grows, most, slots);
}

}  // namespace conjunct
