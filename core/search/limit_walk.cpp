#include "search/limit_walk.hpp"

#include <algorithm>

namespace conjunct {

LimitWalk::LimitWalk(Rows rows, std::size_t n_variables, std::span<const std::int64_t> weights,
                     std::vector<std::uint32_t> order, Settings settings, const WeighLoops& loops)
    : n_words_{(rows.n_rows + 63) / 64},
      n_weights_{weights.size() / rows.n_rows},
      weights_(2 * n_weights_ * 64 * n_words_),
      all_(n_words_),
      columns_(2 * n_variables * n_words_),
      order_{std::move(order)},
      settings_{settings},
      weigh_{loops.wide} {
    for (std::size_t i = 0; i < rows.n_rows; ++i) {
        const std::uint64_t bit = std::uint64_t{1} << i % 64;
        all_[i / 64] |= bit;
        for (std::size_t j = 0; j < n_variables; ++j)
            columns_[(2 * j + (rows.row(i)[j / 64] >> j % 64 & 1)) * n_words_ + i / 64] |= bit;
        for (std::size_t k = 0; k < n_weights_; ++k) {
            const std::int64_t weight = weights[k * rows.n_rows + i];
            weights_[k * 64 * n_words_ + i] = weight;
            weights_[(n_weights_ + k) * 64 * n_words_ + i] = std::max<std::int64_t>(weight, 0);
        }
    }
}

void LimitWalk::run(Watch watch) {
    if (look_at(all_.data(), all_.data(), watch).may_go_on && settings_.max_size > 0) walk(all_.data(), order_, watch);
}

LimitWalk::Visit LimitWalk::look_at(const std::uint64_t* set, const std::uint64_t* column, Watch watch) {
    constexpr std::uint64_t nodes_between_looks = 1 << 10;
    bool is_heavy = false, may_go_on = false;
    for (std::size_t k = 0; k < n_weights_; ++k) {
        const auto sum = [&](std::size_t list) {
            return weigh_(set, column, weights_.data() + list * 64 * n_words_, n_words_, n_words_);
        };
        const Weighed own = sum(k);
        if (set != column && (!own.kept || !own.lost)) return {false, false};
        is_heavy = is_heavy || own.first > settings_.limit;
        may_go_on = may_go_on || sum(n_weights_ + k).first > settings_.limit;
    }
    ++n_nodes_;
    if (is_heavy) heavy_.push_back(path_);
    is_stopped_ = is_stopped_ || heavy_.size() >= settings_.most_heavy || n_nodes_ > settings_.max_nodes ||
                  (n_nodes_ % nodes_between_looks == 0 && watch.is_over(watch.context));
    return {true, may_go_on && !is_stopped_};
}

void LimitWalk::walk(const std::uint64_t* set, std::span<const std::uint32_t> open, Watch watch) {
    std::vector<std::uint32_t> kept;
    for (const std::uint32_t literal : open) {
        path_.push_back(literal);
        const Visit visit = look_at(set, columns_.data() + literal * n_words_, watch);
        path_.pop_back();
        if (is_stopped_) return;
        if (visit.is_other && visit.may_go_on && path_.size() + 1 < settings_.max_size) kept.push_back(literal);
    }
    std::vector<std::uint64_t> part(n_words_);
    for (std::size_t i = 0; i < kept.size() && !is_stopped_; ++i) {
        const std::uint64_t* column = columns_.data() + kept[i] * n_words_;
        for (std::size_t w = 0; w < n_words_; ++w) part[w] = set[w] & column[w];
        path_.push_back(kept[i]);
        walk(part.data(), std::span{kept}.subspan(i + 1), watch);
        path_.pop_back();
    }
}

}  // namespace conjunct
