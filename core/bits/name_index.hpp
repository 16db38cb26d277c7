#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace conjunct {

// Names to numbers, without collisions. A name is an opaque handle with a hash, and equality is the caller's; names are
// numbered from 0 in the order of their coming. Large tables lie far from the machine: where many names are looked up, call
// approach() for all of them, then arrive(), then find(), so that their ways there are made at the same time.
class NameIndex {
public:
    using Handle = void*;
    static constexpr std::int32_t none = -1;

    [[gnu::always_inline]] void approach(std::uint64_t hash) const noexcept {
        __builtin_prefetch(entries_.data() + first_position(hash));
    }
    [[gnu::always_inline]] void arrive(std::uint64_t hash) const noexcept {
        const Entry& entry = entries_[first_position(hash)];
        if (entry.mixed == mixed(hash)) __builtin_prefetch(entry.handle);
    }

    // The number of a name; none where it has none. `is_same` is asked about handles that may be of equal hashes; it may
    // change the table, or throw.
    template <class IsSame>
    std::int32_t find(std::uint64_t hash, IsSame is_same) const {
        for (std::size_t position = first_position(hash);; position = next(position)) {
            const Entry entry = entries_[position & mask()];
            if (entry.number == none) return none;
            if (entry.mixed == mixed(hash) && is_same(entry.handle)) return entry.number;
        }
    }

    // Gives the next number to a name that has none.
    std::int32_t add(std::uint64_t hash, Handle handle);

    std::size_t size() const noexcept { return names_.size(); }
    Handle name(std::size_t number) const noexcept { return names_[number].handle; }

    // Forgets the last name, and returns it.
    Handle pop() noexcept;

private:
    struct Entry {
        std::uint32_t mixed;  // of the hash; its low bits are the first position to look
        std::int32_t number;
        Handle handle;
    };
    static std::uint32_t mixed(std::uint64_t hash) noexcept {
        return static_cast<std::uint32_t>(hash * 0x9e3779b97f4a7c15ULL >> 32);
    }
    std::size_t mask() const noexcept { return entries_.size() - 1; }
    std::size_t first_position(std::uint64_t hash) const noexcept { return mixed(hash) & mask(); }
    std::size_t next(std::size_t position) const noexcept { return (position + 1) & mask(); }
    void put(const Entry& entry) noexcept;
    void grow();

    std::vector<Entry> entries_ =
        std::vector<Entry>(64, Entry{0, none, nullptr});  // a power of two, at most half taken
    std::vector<Entry> names_;                            // by number
};

}  // namespace conjunct
