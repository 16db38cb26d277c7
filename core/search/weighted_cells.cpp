#include "search/weighted_cells.hpp"

#include <algorithm>

namespace conjunct {

WeightedCells::WeightedCells(Rows rows, std::size_t n_variables, std::span<const std::int64_t> weights,
                             const WeighLoops& loops)
    : n_literals_{2 * n_variables}, loops_{loops} {
    const auto n_positive =
        static_cast<std::size_t>(std::count_if(weights.begin(), weights.end(), [](auto own) { return own > 0; }));
    n_first_ = (n_positive + 63) / 64;
    n_words_ = n_first_ + (weights.size() - n_positive + 63) / 64;
    all_.resize(n_words_), columns_.resize(n_literals_ * n_words_), wide_.resize(64 * n_words_);
    std::size_t places[2] = {64 * n_first_, 0};  // of the next cell, by whether its weight is positive
    std::int64_t size = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const std::size_t place = places[weights[i] > 0]++, word = place / 64;
        const std::uint64_t bit = std::uint64_t{1} << place % 64;
        wide_[place] = weights[i], all_[word] |= bit, size += weights[i] > 0 ? weights[i] : -weights[i];
        for (std::size_t j = 0; j < n_variables; ++j)
            columns_[(2 * j + (rows.row(i)[j / 64] >> j % 64 & 1)) * n_words_ + word] |= bit;
    }
    is_narrow_ = size <= INT32_MAX;
    if (is_narrow_) narrow_.assign(wide_.begin(), wide_.end()), wide_.clear();
}

}  // namespace conjunct
