#include "search/similarity.hpp"

#include <algorithm>

namespace conjunct {

SimilarRows::SimilarRows(std::size_t n_words, std::size_t n_kept, const CellNumbers& removals, const PairLoops& loops)
    : n_words_{n_words},
      n_kept_{(n_kept + 7) / 8 * 8},
      removals_{removals},
      loops_{loops},
      runs_{removals.runs()},
      room_((n_words + 1) * n_kept_ + 8),
      recent_(n_kept_, Recent{-1, no_lemma, 0}) {
    const auto address = reinterpret_cast<std::uintptr_t>(room_.data());
    sets_ = room_.data() + (64 - address % 64) % 64 / sizeof(std::uint64_t);
    costs_ = reinterpret_cast<std::int64_t*>(sets_ + n_words_ * n_kept_);
}

void SimilarRows::add(const std::uint64_t* cells, std::uint8_t depth, const Bound& bound) {
    if (n_kept_ == 0) return;
    recent_[next_] = {bound.lower, bound.lemma, depth};
    highest_ = std::max(highest_, bound.lower);
    if (next_ == 0) {
        highest_ = 0;
        for (const Recent& recent : recent_) highest_ = std::max(highest_, recent.lower);
    }
    for (std::size_t w = 0; w < n_words_; ++w) sets_[w * n_kept_ + next_] = cells[w];
    next_ = (next_ + 1) % n_kept_;
}

Bound SimilarRows::improved(const std::uint64_t* cells, std::uint8_t depth, Bound bound) {
    loops_.missing_costs(sets_, n_kept_, cells, runs_.data(), runs_.size(), highest_ - bound.lower, costs_);
    for (std::size_t e = 0; e < n_kept_; ++e) {
        if (recent_[e].lower - costs_[e] <= bound.lower || recent_[e].depth < depth) continue;
        if (!removals_.is_uniform_by_words()) {
            std::int64_t cost = 0;
            for (std::size_t w = 0; w < n_words_; ++w) cost += removals_.of_word(w, sets_[w * n_kept_ + e] & ~cells[w]);
            if (recent_[e].lower - cost > bound.lower) bound = {recent_[e].lower - cost, recent_[e].lemma, false, true};
        } else {
            bound = {recent_[e].lower - costs_[e], recent_[e].lemma, false, true};
        }
    }
    return bound;
}

void SimilarRows::clear() noexcept { std::fill(recent_.begin(), recent_.end(), Recent{-1, no_lemma, 0}); }

}  // namespace conjunct
