#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace conjunct {

// Conjunctions of names to slots, without collisions: a conjunction is the slot of all its names but the last, and the
// last; so a key is a pair of numbers. Names are numbers here, given in increasing order. Slots count from 0 in the order
// of their coming and stay.
class SlotTable {
public:
    static constexpr std::int32_t none = -1, full = -2;

    // The slot of (conjunction in slot `parent`, or none; name); none if it has none, or a new one where `grows`; full if
    // there would be more than `most`.
    std::int32_t slot(std::int32_t parent, std::int32_t name, bool grows, std::size_t most);

    std::size_t size() const noexcept { return n_slots_; }

    // Forgets all slots but the first n.
    void shrink(std::size_t n) noexcept;

    // keys[slot]: parent + 1 in the high half, the name in the low one.
    std::vector<std::uint64_t> keys() const;

private:
    struct Entry {
        std::uint64_t key;
        std::int32_t slot;
    };
    std::size_t first_position(std::uint64_t key) const noexcept;
    std::size_t position_of(std::uint64_t key) const noexcept;
    void remove(std::size_t position) noexcept;
    void grow();

    std::vector<Entry> entries_ = std::vector<Entry>(64, Entry{0, none});  // a power of two of them, at most half taken
    std::size_t n_slots_ = 0;
};

// How many conjunctions of at most max_size of n names there are; most + 1 for more than `most`, which is below 2^32.
std::size_t count_conjunctions(std::size_t n, std::size_t max_size, std::size_t most) noexcept;

// Appends the slots of all conjunctions of at most max_size of the names, which are sorted: negative ones (never seen) make
// every conjunction they are in a `none`. Returns false when the table is full.
bool append_slots(SlotTable& table, std::span<const std::int32_t> names, std::size_t max_size, bool grows,
                  std::size_t most, std::vector<std::int32_t>& slots);

}  // namespace conjunct
