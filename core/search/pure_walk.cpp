#include "search/pure_walk.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace conjunct {
namespace {

bool holds(const std::uint64_t* row, std::uint32_t literal) noexcept {
    return ((row[literal / 128] >> literal / 2 % 64 ^ literal) & 1) == 0;
}

// Writes n bits, 64 to a word, without a branch for each: they are most of the time of a short walk.
template <class Bit>
void pack(std::size_t n, std::uint64_t* words, Bit bit) noexcept {
    for (std::size_t first = 0; first < n; first += 64) {
        std::uint64_t word = 0;
        for (std::size_t i = first; i < std::min(n, first + 64); ++i) word |= std::uint64_t{bit(i)} << (i - first);
        words[first / 64] = word;
    }
}

}  // namespace

PureWalk::PureWalk(Rows rows, std::size_t n_variables, std::span<const std::int64_t> weights,
                   std::span<const std::uint8_t> is_negative, std::vector<std::uint32_t> order, Settings settings,
                   const Level& level)
    : n_open_{(order.size() + 63) / 64},
      order_{std::move(order)},
      settings_{settings},
      weigh_{level.weights},
      fewest_{level.fewest} {
    std::vector<std::uint32_t> positive;  // a cell without weight changes nothing
    for (std::uint32_t i = 0; i < rows.n_rows; ++i)
        if (is_negative[i])
            negative_.push_back(i);
        else if (weights[i])
            positive.push_back(i);
    n_positive_ = (positive.size() + 63) / 64, n_negative_ = (negative_.size() + 63) / 64;

    const bool is_narrow = std::accumulate(weights.begin(), weights.end(), std::int64_t{0}) <= INT32_MAX;
    narrow_.resize(is_narrow ? 64 * n_positive_ : 0), wide_.resize(is_narrow ? 0 : 64 * n_positive_);
    for (std::size_t i = 0; i < positive.size(); ++i)
        if (is_narrow)
            narrow_[i] = static_cast<std::int32_t>(weights[positive[i]]);
        else
            wide_[i] = weights[positive[i]];

    columns_.resize((order_.size() + 1) * (n_positive_ + n_negative_));
    false_on_.resize(negative_.size() * n_open_);
    for (std::size_t p = 0; p < order_.size(); ++p) {
        std::uint64_t* column = columns_.data() + p * (n_positive_ + n_negative_);
        pack(positive.size(), column, [&](std::size_t i) { return holds(rows.row(positive[i]), order_[p]); });
        pack(negative_.size(), column + n_positive_,
             [&](std::size_t i) { return holds(rows.row(negative_[i]), order_[p]); });
    }
    for (std::size_t i = 0; i < negative_.size(); ++i)
        pack(order_.size(), false_on_.data() + i * n_open_,
             [&, row = rows.row(negative_[i])](std::size_t p) { return !holds(row, order_[p]); });
    std::uint64_t* last = columns_.data() + order_.size() * (n_positive_ + n_negative_);
    pack(positive.size(), last, [](std::size_t) { return true; });
    pack(negative_.size(), last + n_positive_, [](std::size_t) { return true; });

    // A conjunction of more literals than variables holds on no cell: the last frame is never written.
    const std::size_t most_size = std::min({settings_.max_size, n_variables, order_.size()});
    frames_.resize((most_size + 3) * (n_positive_ + n_negative_ + 3 * n_open_));
    path_.reserve(most_size + 1);
    std::copy_n(last, n_positive_ + n_negative_, frame(0).positive);
    pack(order_.size(), frame(0).open, [](std::size_t) { return true; });
    std::copy_n(frame(0).open, n_open_, frame(0).live);
}

// A visit that goes on has its frame, that of conjunctions of its size; coming back to it, it tries its next literal.
void PureWalk::run(Watch watch) {
    constexpr std::uint64_t nodes_between_looks = 1 << 8;
    if (!visit(frame(0), order_.size(), frame(1))) return;
    for (std::size_t i = 1; i > 0 && !is_stopped_;) {
        const Frame own = frame(i);
        std::size_t w = 0;
        while (w < n_open_ && !own.to_try[w]) ++w;
        if (w == n_open_) {
            --i;
            if (!path_.empty()) path_.pop_back();
            continue;
        }
        const std::uint64_t lowest = own.to_try[w] & (0 - own.to_try[w]);
        own.to_try[w] ^= lowest, own.open[w] ^= lowest;
        const std::size_t place = 64 * w + static_cast<std::size_t>(std::countr_zero(lowest));
        if (!(own.live[w] & lowest)) {  // it would end at once
            is_stopped_ = ++n_nodes_ > settings_.max_nodes;
            continue;
        }
        path_.push_back(order_[place]);
        if (visit(own, place, frame(i + 1)))
            ++i;
        else
            path_.pop_back();
        if (n_nodes_ % nodes_between_looks == 0 && watch.is_over(watch.context)) is_stopped_ = true;
    }
}

PureWalk::Frame PureWalk::frame(std::size_t i) noexcept {
    std::uint64_t* words = frames_.data() + i * (n_positive_ + n_negative_ + 3 * n_open_);
    std::uint64_t* open = words + n_positive_ + n_negative_;
    return {words, words + n_positive_, open, open + n_open_, open + 2 * n_open_};
}

std::int64_t PureWalk::weigh(const std::uint64_t* set, const std::uint64_t* column) const noexcept {
    return (wide_.empty() ? weigh_.narrow(set, column, narrow_.data(), n_positive_, n_positive_)
                          : weigh_.wide(set, column, wide_.data(), n_positive_, n_positive_))
        .first;
}

// Looks at the conjunction of the path, whose last literal has that place; true, and its frame is written, if it goes on.
bool PureWalk::visit(Frame above, std::size_t place, Frame own) {
    const std::uint64_t* column = columns_.data() + place * (n_positive_ + n_negative_);
    is_stopped_ = ++n_nodes_ > settings_.max_nodes;
    const std::int64_t weight = weigh(above.positive, column);
    if (weight <= settings_.limit) return false;
    std::uint64_t left = 0;
    for (std::size_t w = 0; w < n_negative_; ++w) left |= own.negative[w] = above.negative[w] & column[n_positive_ + w];
    if (!left) {
        record(weight);
        return false;
    }
    if (path_.size() == settings_.max_size) return false;
    for (std::size_t w = 0; w < n_positive_; ++w) own.positive[w] = above.positive[w] & column[w];
    std::copy_n(above.open, n_open_, own.open);
    find_live(above, own);
    pick(own);
    return true;
}

void PureWalk::record(std::int64_t weight) {
    heavy_.push_back(path_);
    std::sort(heavy_.back().begin(), heavy_.back().end());
    if (!settings_.raises_limit) {
        is_stopped_ = is_stopped_ || heavy_.size() >= settings_.most_heavy;
        return;
    }
    settings_.limit = weight;
    if (heavy_.size() > settings_.most_heavy) heavy_.erase(heavy_.begin());
}

// What is not live above is not live here: the fewer cells, the less they weigh.
void PureWalk::find_live(Frame above, Frame own) const noexcept {
    for (std::size_t w = 0; w < n_open_; ++w) {
        std::uint64_t live = 0;
        for (std::uint64_t rest = above.live[w] & own.open[w]; rest; rest &= rest - 1) {
            const std::size_t place = 64 * w + static_cast<std::size_t>(std::countr_zero(rest));
            if (weigh(own.positive, columns_.data() + place * (n_positive_ + n_negative_)) > settings_.limit)
                live |= rest & (0 - rest);
        }
        own.live[w] = live;
    }
}

void PureWalk::pick(Frame own) {
    const std::size_t x = fewest_(own.negative, n_negative_, false_on_.data(), own.live, n_open_);
    if (settings_.keeps_trace) trace_.push_back(negative_[x]);
    for (std::size_t w = 0; w < n_open_; ++w) own.to_try[w] = own.open[w] & false_on_[x * n_open_ + w];
}

}  // namespace conjunct
