#include "search/similarity.hpp"

#include <algorithm>

namespace conjunct {
namespace {

constexpr std::size_t most_literals = 4096;  // more share their room

std::size_t rounded(std::size_t n_sets) { return (n_sets + 7) / 8 * 8; }

template <class T>
T* at_line(T* room) noexcept {
    return room + (64 - reinterpret_cast<std::uintptr_t>(room) % 64) % 64 / sizeof(T);
}

}  // namespace

void ProvedSets::add(const std::uint64_t* cells, std::size_t n_words, std::uint8_t depth, const Bound& bound) noexcept {
    for (std::size_t w = 0; w < n_words; ++w) words[w * capacity + next] = cells[w];
    proved[next] = {bound.lower, bound.lemma, depth};
    n_sets = std::max(n_sets, ++next);
    highest = std::max(highest, bound.lower);
    if (next < capacity) return;
    next = 0, highest = 0;
    for (std::size_t e = 0; e < n_sets; ++e) highest = std::max(highest, proved[e].lower);
}

SimilarRows::SimilarRows(std::size_t n_words, std::size_t n_literals, std::size_t n_kept, const CellNumbers& removals,
                         const PairLoops& loops)
    : n_words_{n_words},
      n_kept_{rounded(n_kept)},
      n_buckets_{std::clamp<std::size_t>(n_literals, 1, most_literals)},
      removals_{removals},
      loops_{loops},
      runs_{removals.runs()},
      by_literal_(1 + n_buckets_),
      costs_room_(std::max(n_kept_, rounded(n_literals)) + 8) {}

ProvedSets SimilarRows::siblings(Arena& arena, std::size_t n_parts) const {
    ProvedSets sets;
    sets.capacity = static_cast<std::uint32_t>(rounded(n_parts));
    sets.words = arena.take<std::uint64_t>(sets.capacity * n_words_);
    sets.proved = arena.take<ProvedSets::Proved>(sets.capacity);
    return sets;
}

void SimilarRows::add(std::uint32_t literal, const std::uint64_t* cells, std::uint8_t depth, const Bound& bound) {
    if (n_kept_ == 0) return;
    add(by_literal_[0], cells, depth, bound);
    add(by_literal_[1 + literal % n_buckets_], cells, depth, bound);
}

void SimilarRows::add(ProvedSets& sets, const std::uint64_t* cells, std::uint8_t depth, const Bound& bound) {
    if (!sets.words) {
        const std::size_t n_room = 8 + n_kept_ * (n_words_ + sizeof(ProvedSets::Proved) / sizeof(std::uint64_t));
        rooms_.push_back(std::make_unique<std::uint64_t[]>(n_room));
        n_bytes_ += n_room * sizeof(std::uint64_t);
        sets.capacity = static_cast<std::uint32_t>(n_kept_);
        sets.words = at_line(rooms_.back().get());
        sets.proved = reinterpret_cast<ProvedSets::Proved*>(sets.words + n_kept_ * n_words_);
    }
    sets.add(cells, n_words_, depth, bound);
}

Bound SimilarRows::improved(const ProvedSets& siblings, std::span<const std::uint32_t> path, std::uint32_t literal,
                            const std::uint64_t* cells, std::uint8_t depth, Bound bound, std::int64_t enough) {
    bound = improved(of(literal), cells, depth, bound);
    if (bound.lower < enough) bound = improved(siblings, cells, depth, bound);
    if (bound.lower < enough) bound = improved(by_literal_[0], cells, depth, bound);
    for (std::size_t i = path.size(); i-- > 0 && bound.lower < enough;)
        bound = improved(of(path[i]), cells, depth, bound);
    return bound;
}

Bound SimilarRows::improved(const ProvedSets& sets, const std::uint64_t* cells, std::uint8_t depth, Bound bound) {
    if (sets.highest <= bound.lower) return bound;
    std::int64_t* costs = at_line(costs_room_.data());
    loops_.missing_costs(sets.words, sets.capacity, rounded(sets.n_sets), cells, runs_.data(), runs_.size(),
                         sets.highest - bound.lower, costs);
    for (std::size_t e = 0; e < sets.n_sets; ++e) {
        const ProvedSets::Proved& other = sets.proved[e];
        if (other.lower - costs[e] <= bound.lower || other.depth < depth) continue;
        std::int64_t cost = costs[e];
        if (!removals_.is_uniform_by_words()) {
            cost = 0;
            for (std::size_t w = 0; w < n_words_; ++w)
                cost += removals_.of_word(w, sets.words[w * sets.capacity + e] & ~cells[w]);
        }
        if (other.lower - cost > bound.lower) bound = {other.lower - cost, other.lemma, false, true};
    }
    return bound;
}

void SimilarRows::clear() noexcept {
    std::fill(by_literal_.begin(), by_literal_.end(), ProvedSets{});
    rooms_.clear();
    n_bytes_ = 0;
}

}  // namespace conjunct
