#include "search/bound_memo.hpp"

#include <algorithm>

namespace conjunct {

BoundMemo::BoundMemo(const std::uint64_t* columns, const std::uint64_t* all_cells, std::size_t n_words)
    : columns_{columns},
      all_cells_{all_cells},
      n_words_{n_words},
      slots_(std::size_t{1} << (64 - shift_), Slot{0, none}) {}

bool BoundMemo::is_of(const Entry& entry, const std::uint64_t* cells) const noexcept {
    const std::uint32_t* path = literals_.data() + entry.path;
    for (std::size_t w = 0; w < n_words_; ++w) {
        std::uint64_t word = all_cells_[w];
        for (std::size_t l = 0; l < entry.n_literals; ++l)
            word &= columns_[(path[l] >> 1) * n_words_ + w] ^ (std::uint64_t{path[l] & 1} - 1);
        if (word != cells[w]) return false;
    }
    return true;
}

bool BoundMemo::may_hold(std::uint64_t hash) const noexcept {
    for (std::size_t s = place(hash); slots_[s].entry != none; s = (s + 1) & (slots_.size() - 1))
        if (slots_[s].tag == tag(hash)) {
            __builtin_prefetch(&entries_[slots_[s].entry]);
            return true;
        }
    return false;
}

Bound BoundMemo::find(const std::uint64_t* cells, std::uint64_t hash, std::uint8_t depth) const noexcept {
    Bound best{-1};
    for (std::size_t s = place(hash); slots_[s].entry != none; s = (s + 1) & (slots_.size() - 1)) {
        if (slots_[s].tag != tag(hash)) continue;
        const Entry& entry = entries_[slots_[s].entry];
        if (entry.hash != hash || entry.depth < depth || entry.lower < best.lower || !is_of(entry, cells)) continue;
        if (entry.lower > best.lower) best = {entry.lower, entry.lemma};
        best.is_exact = best.is_exact || (entry.depth == depth && entry.is_exact);
    }
    return best;
}

std::int32_t BoundMemo::choice(const std::uint64_t* cells, std::uint64_t hash, std::uint8_t depth) const noexcept {
    for (std::size_t s = place(hash); slots_[s].entry != none; s = (s + 1) & (slots_.size() - 1)) {
        const Entry& entry = entries_[slots_[s].entry];
        if (entry.hash == hash && entry.depth == depth && entry.is_exact && is_of(entry, cells)) return entry.choice;
    }
    return -2;
}

void BoundMemo::store(const std::uint64_t* cells, std::uint64_t hash, std::uint8_t depth, const Bound& bound,
                      std::int32_t choice, std::span<const std::uint32_t> path) {
    for (std::size_t s = place(hash); slots_[s].entry != none; s = (s + 1) & (slots_.size() - 1)) {
        if (slots_[s].tag != tag(hash)) continue;
        Entry& entry = entries_[slots_[s].entry];
        if (entry.hash != hash || entry.depth != depth || !is_of(entry, cells)) continue;
        if (bound.lower > entry.lower || (bound.is_exact && !entry.is_exact)) {
            entry.lower = bound.lower, entry.lemma = bound.lemma;
            entry.is_exact = bound.is_exact, entry.choice = choice;
        }
        return;
    }
    if (2 * (entries_.size() + 1) > slots_.size()) grow();
    entries_.push_back({bound.lower, literals_.size(), hash, bound.lemma, choice,
                        static_cast<std::uint16_t>(path.size()), depth, bound.is_exact});
    literals_.insert(literals_.end(), path.begin(), path.end());
    insert(static_cast<std::uint32_t>(entries_.size() - 1));
}

void BoundMemo::insert(std::uint32_t entry) noexcept {
    const std::uint64_t hash = entries_[entry].hash;
    std::size_t s = place(hash);
    while (slots_[s].entry != none) s = (s + 1) & (slots_.size() - 1);
    slots_[s] = {tag(hash), entry};
}

// Gives the memory back: what is kept would count against the limit for good.
void BoundMemo::clear() {
    shift_ = least_shift;
    slots_ = std::vector<Slot>(std::size_t{1} << (64 - shift_), Slot{0, none});
    std::vector<Entry>().swap(entries_);
    std::vector<std::uint32_t>().swap(literals_);
}

void BoundMemo::grow() {
    std::vector<Slot> fresh(2 * slots_.size(), Slot{0, none});
    slots_.swap(fresh);
    --shift_;
    for (std::uint32_t i = 0; i < entries_.size(); ++i) insert(i);
}

std::size_t BoundMemo::n_bytes() const noexcept {
    return slots_.capacity() * sizeof(Slot) + entries_.capacity() * sizeof(Entry) +
           literals_.capacity() * sizeof(std::uint32_t);
}

}  // namespace conjunct
