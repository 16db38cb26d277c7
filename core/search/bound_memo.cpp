#include "search/bound_memo.hpp"

#include <algorithm>

namespace conjunct {

BoundMemo::BoundMemo(const std::uint64_t* columns, const std::uint64_t* all_cells, std::size_t n_words)
    : columns_{columns}, all_cells_{all_cells}, n_words_{n_words}, heads_(1 << 10, end) {}

bool BoundMemo::is_of(const Entry& entry, const std::uint64_t* cells) const noexcept {
    const std::uint32_t* path = literals_.data() + entry.path;
    for (std::size_t w = 0; w < n_words_; ++w) {
        std::uint64_t word = all_cells_[w];
        for (std::size_t l = 0; l < entry.n_literals; ++l)
            word &= columns_[(path[l] >> 1) * n_words_ + w] ^ (path[l] & 1 ? 0 : ~std::uint64_t{0});
        if (word != cells[w]) return false;
    }
    return true;
}

Bound BoundMemo::find(const std::uint64_t* cells, std::uint64_t hash, std::uint8_t depth) const noexcept {
    Bound best{-1};
    for (std::uint32_t i = heads_[hash & (heads_.size() - 1)]; i != end; i = entries_[i].next) {
        const Entry& entry = entries_[i];
        if (entry.hash != hash || entry.depth < depth || entry.lower < best.lower || !is_of(entry, cells)) continue;
        if (entry.lower > best.lower) best = {entry.lower, entry.lemma};
        best.is_exact = best.is_exact || (entry.depth == depth && entry.is_exact);
    }
    return best;
}

std::int32_t BoundMemo::choice(const std::uint64_t* cells, std::uint64_t hash, std::uint8_t depth) const noexcept {
    for (std::uint32_t i = heads_[hash & (heads_.size() - 1)]; i != end; i = entries_[i].next) {
        const Entry& entry = entries_[i];
        if (entry.hash == hash && entry.depth == depth && entry.is_exact && is_of(entry, cells)) return entry.choice;
    }
    return -2;
}

void BoundMemo::store(const std::uint64_t* cells, std::uint64_t hash, std::uint8_t depth, const Bound& bound,
                      std::int32_t choice, std::span<const std::uint32_t> path) {
    for (std::uint32_t i = heads_[hash & (heads_.size() - 1)]; i != end; i = entries_[i].next) {
        Entry& entry = entries_[i];
        if (entry.hash != hash || entry.depth != depth || !is_of(entry, cells)) continue;
        if (bound.lower > entry.lower || (bound.is_exact && !entry.is_exact)) {
            entry.lower = bound.lower, entry.lemma = bound.lemma;
            entry.is_exact = bound.is_exact, entry.choice = choice;
        }
        return;
    }
    if (entries_.size() >= heads_.size()) grow();
    std::uint32_t& head = heads_[hash & (heads_.size() - 1)];
    entries_.push_back({hash, bound.lower, literals_.size(), head, bound.lemma, choice,
                        static_cast<std::uint16_t>(path.size()), depth, bound.is_exact});
    head = static_cast<std::uint32_t>(entries_.size() - 1);
    literals_.insert(literals_.end(), path.begin(), path.end());
}

void BoundMemo::clear() {
    std::fill(heads_.begin(), heads_.end(), end);
    entries_.clear();
    literals_.clear();
}

void BoundMemo::grow() {
    std::vector<std::uint32_t> heads(2 * heads_.size(), end);
    for (std::uint32_t i = 0; i < entries_.size(); ++i) {
        std::uint32_t& head = heads[entries_[i].hash & (heads.size() - 1)];
        entries_[i].next = head;
        head = i;
    }
    heads_.swap(heads);
}

std::size_t BoundMemo::n_bytes() const noexcept {
    return heads_.capacity() * sizeof(std::uint32_t) + entries_.capacity() * sizeof(Entry) +
           literals_.capacity() * sizeof(std::uint32_t);
}

}  // namespace conjunct
