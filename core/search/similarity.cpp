#include "search/similarity.hpp"

#include <algorithm>

namespace conjunct {

void SimilarRows::add(const std::uint64_t* cells, std::uint8_t depth, const Bound& bound) {
    if (n_kept_ == 0) return;
    if (recent_.size() < n_kept_) recent_.push_back({});
    recent_[next_] = {bound.lower, bound.lemma, depth};
    std::copy_n(cells, n_words_, cells_.data() + next_ * n_words_);
    next_ = (next_ + 1) % n_kept_;
}

Bound SimilarRows::improved(const std::uint64_t* cells, std::uint8_t depth, Bound bound, std::int64_t target,
                            const CellNumbers& removals) const noexcept {
    for (std::size_t i = 0; i < recent_.size() && bound.lower < target; ++i) {
        const Recent& recent = recent_[i];
        if (recent.lower <= bound.lower || recent.depth < depth) continue;
        const std::int64_t limit = recent.lower - bound.lower - 1;
        const std::int64_t loss = removals.sum_missing(cells_.data() + i * n_words_, cells, limit);
        if (loss <= limit) bound = {recent.lower - loss, recent.lemma, false, true};
    }
    return bound;
}

}  // namespace conjunct
