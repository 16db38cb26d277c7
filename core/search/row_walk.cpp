#include "search/row_walk.hpp"

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

RowWalk::RowWalk(Rows rows, std::size_t n_variables, std::span<const std::int64_t> weights,
                 std::vector<std::uint32_t> literals, Settings settings, const Level& level)
    : n_open_{(literals.size() + 63) / 64},
      literals_{std::move(literals)},
      settings_{settings},
      weigh_{level.weights},
      fewest_{level.fewest} {
    std::vector<std::uint32_t> above;  // a cell without weight changes nothing
    std::int64_t total = 0;
    for (std::uint32_t i = 0; i < rows.n_rows; ++i) {
        if (weights[i] < 0) charged_.push_back(i);
        if (weights[i] > 0) above.push_back(i), total += weights[i];
    }
    n_above_ = (above.size() + 63) / 64, n_charged_ = (charged_.size() + 63) / 64;
    const bool is_narrow = total <= INT32_MAX;
    narrow_.resize(is_narrow ? 64 * n_above_ : 0), wide_.resize(is_narrow ? 0 : 64 * n_above_);
    charges_.resize(64 * n_charged_), kept_.resize(n_charged_);
    for (std::size_t i = 0; i < above.size(); ++i)
        if (is_narrow)
            narrow_[i] = static_cast<std::int32_t>(weights[above[i]]);
        else
            wide_[i] = weights[above[i]];
    for (std::size_t i = 0; i < charged_.size(); ++i) charges_[i] = -weights[charged_[i]];

    columns_.resize((literals_.size() + 1) * (n_above_ + n_charged_));
    false_on_.resize(charged_.size() * n_open_);
    for (std::size_t p = 0; p < literals_.size(); ++p) {
        std::uint64_t* column = columns_.data() + p * (n_above_ + n_charged_);
        pack(above.size(), column, [&](std::size_t i) { return holds(rows.row(above[i]), literals_[p]); });
        pack(charged_.size(), column + n_above_,
             [&](std::size_t i) { return holds(rows.row(charged_[i]), literals_[p]); });
    }
    for (std::size_t i = 0; i < charged_.size(); ++i)
        pack(literals_.size(), false_on_.data() + i * n_open_,
             [&, row = rows.row(charged_[i])](std::size_t p) { return !holds(row, literals_[p]); });
    std::uint64_t* last = columns_.data() + literals_.size() * (n_above_ + n_charged_);
    pack(above.size(), last, [](std::size_t) { return true; });
    pack(charged_.size(), last + n_above_, [](std::size_t) { return true; });

    // A conjunction of more literals than variables holds on no cell: the last frame is never written.
    const std::size_t most_size = std::min({settings_.max_size, n_variables, literals_.size()});
    frames_.resize((most_size + 3) * (n_above_ + n_charged_ + n_open_));
    heights_.resize((most_size + 3) * (literals_.size() + 1));
    by_height_.resize(std::bit_ceil(2 * (literals_.size() + 1)));
    height_shift_ = 64 - std::countr_zero(by_height_.size());
    to_try_.resize((most_size + 3) * (literals_.size() + 1));
    path_.reserve(most_size + 1);
    std::copy_n(last, n_above_ + n_charged_, frame(0).above);
    pack(literals_.size(), frame(0).open, [](std::size_t) { return true; });
    frame(0).heights[literals_.size()] = n_above_ ? weigh(last, last) : 0;
    n_nodes_ = 1;
}

// A visit that goes on has its frame, that of conjunctions of its size; coming back to it, it tries its next literal, or
// picks its next cell.
void RowWalk::run(Watch watch) {
    constexpr std::uint64_t nodes_between_looks = 1 << 12;
    std::uint64_t next_look = 0;
    if (!visit(frame(0), literals_.size(), frame(1))) return;
    for (std::size_t i = 1; i > 0 && !is_stopped_;) {
        const Frame own = frame(i);
        if (!*own.n_to_try) {
            if (pick(own)) continue;
            --i;
            if (!path_.empty()) path_.pop_back();
            continue;
        }
        const std::uint32_t place = own.to_try[--*own.n_to_try];
        own.open[place / 64] ^= std::uint64_t{1} << place % 64;
        path_.push_back(literals_[place]);
        if (visit(own, place, frame(i + 1)))
            ++i;
        else
            path_.pop_back();
        if (n_nodes_ >= next_look) {
            next_look = n_nodes_ + nodes_between_looks;
            if (watch.is_over(watch.context)) is_stopped_ = true;
        }
    }
}

RowWalk::Frame RowWalk::frame(std::size_t i) noexcept {
    std::uint64_t* words = frames_.data() + i * (n_above_ + n_charged_ + n_open_);
    std::uint32_t* to_try = to_try_.data() + i * (literals_.size() + 1);
    return {words,  words + n_above_, words + n_above_ + n_charged_, heights_.data() + i * (literals_.size() + 1),
            to_try, to_try + 1};
}

std::int64_t RowWalk::weigh(const std::uint64_t* set, const std::uint64_t* column) const noexcept {
    return (wide_.empty() ? weigh_.narrow(set, column, narrow_.data(), n_above_, n_above_)
                          : weigh_.wide(set, column, wide_.data(), n_above_, n_above_))
        .first;
}

std::int64_t RowWalk::charge(const std::uint64_t* set) const noexcept {
    return weigh_.wide(set, set, charges_.data(), n_charged_, n_charged_).first;
}

// Goes to the conjunction of the path, whose last literal has that place; true, and its frame is written, if there is more
// to look at below it.
bool RowWalk::visit(Frame upper, std::size_t place, Frame own) {
    const std::int64_t height = upper.heights[place];
    if (height <= settings_.limit) return false;  // at the root, or since the limit rose
    const std::uint64_t* column = columns_.data() + place * (n_above_ + n_charged_);
    for (std::size_t w = 0; w < n_charged_; ++w) own.charged[w] = upper.charged[w] & column[n_above_ + w];
    const std::int64_t weight = height - charge(own.charged);
    if (weight > settings_.limit) {
        record(weight);
        if (!settings_.raises_limit) return false;
    }
    if (path_.size() == settings_.max_size) return false;
    for (std::size_t w = 0; w < n_above_; ++w) own.above[w] = upper.above[w] & column[w];
    for (std::size_t w = 0; w < n_open_; ++w) {
        own.open[w] = upper.open[w];
        n_nodes_ += static_cast<std::uint64_t>(std::popcount(own.open[w]));
        for (std::uint64_t rest = own.open[w]; rest; rest &= rest - 1) {
            const std::size_t other = 64 * w + static_cast<std::size_t>(std::countr_zero(rest));
            own.heights[other] = weigh(own.above, columns_.data() + other * (n_above_ + n_charged_));
        }
    }
    own.heights[literals_.size()] = height, *own.n_to_try = 0;
    close_needless(own);
    is_stopped_ = is_stopped_ || n_nodes_ > settings_.max_nodes;
    return true;
}

// Closes literals that hold on all cells of a visit, and of those that hold on the same all but the first: a conjunction has
// as many cells without the one, or with the first in place of another. Equal sets weigh the same, so a table by weight
// brings them together.
void RowWalk::close_needless(Frame own) noexcept {
    const std::size_t n_words = n_above_ + n_charged_;  // of both kinds of cells, which follow each other
    const auto differ = [&](const std::uint64_t* a, const std::uint64_t* b) {
        std::uint64_t bits = 0;
        for (std::size_t w = 0; w < n_words; ++w) bits |= own.above[w] & (a[w] ^ b[w]);
        return bits != 0;
    };
    std::fill(by_height_.begin(), by_height_.end(), 0);
    const auto is_new = [&](std::size_t place) {  // the last place is that of the empty conjunction
        const std::uint64_t* column = columns_.data() + place * n_words;
        std::size_t slot = static_cast<std::uint64_t>(own.heights[place]) * 0x9e3779b97f4a7c15ULL >> height_shift_;
        for (; by_height_[slot]; slot = (slot + 1) & (by_height_.size() - 1)) {
            const std::size_t other = by_height_[slot] - 1;
            if (own.heights[other] == own.heights[place] && !differ(column, columns_.data() + other * n_words))
                return false;
        }
        by_height_[slot] = static_cast<std::uint32_t>(place + 1);
        return true;
    };
    is_new(literals_.size());
    for (std::size_t w = 0; w < n_open_; ++w)
        for (std::uint64_t rest = own.open[w]; rest; rest &= rest - 1)
            if (!is_new(64 * w + static_cast<std::size_t>(std::countr_zero(rest)))) own.open[w] &= ~(rest & (0 - rest));
}

// Picks the next charged cell of a visit and has the literals that are false on it tried; false if nothing left is heavy.
bool RowWalk::pick(Frame own) {
    for (bool has_closed = true; has_closed;) {
        keep(own);
        const std::int64_t least = settings_.limit + charge(kept_.data());
        if (own.heights[literals_.size()] <= least) return false;
        has_closed = false;
        for (std::size_t w = 0; w < n_open_; ++w)
            for (std::uint64_t rest = own.open[w]; rest; rest &= rest - 1) {
                const std::size_t place = 64 * w + static_cast<std::size_t>(std::countr_zero(rest));
                if (own.heights[place] <= least) own.open[w] &= ~(rest & (0 - rest)), has_closed = true;
            }
    }
    for (std::size_t v = 0; v < n_charged_; ++v) kept_[v] = own.charged[v] & ~kept_[v];
    const std::size_t x = fewest_(kept_.data(), n_charged_, false_on_.data(), own.open, n_open_, charges_.data());
    if (settings_.keeps_trace) trace_.push_back(charged_[x]);
    for (std::size_t w = 0; w < n_open_; ++w)
        for (std::uint64_t rest = own.open[w] & false_on_[x * n_open_ + w]; rest; rest &= rest - 1)
            own.to_try[(*own.n_to_try)++] = static_cast<std::uint32_t>(64 * w + std::countr_zero(rest));
    std::sort(own.to_try, own.to_try + *own.n_to_try, [&](std::uint32_t a, std::uint32_t b) {
        return own.heights[a] != own.heights[b] ? own.heights[a] > own.heights[b] : a > b;
    });
    return true;
}

// Writes the charged cells of a visit on which all open literals hold.
void RowWalk::keep(Frame own) noexcept {
    std::copy_n(own.charged, n_charged_, kept_.data());
    for (std::size_t w = 0; w < n_open_; ++w)
        for (std::uint64_t rest = own.open[w]; rest; rest &= rest - 1) {
            const std::size_t place = 64 * w + static_cast<std::size_t>(std::countr_zero(rest));
            const std::uint64_t* column = columns_.data() + place * (n_above_ + n_charged_) + n_above_;
            for (std::size_t v = 0; v < n_charged_; ++v) kept_[v] &= column[v];
        }
}

void RowWalk::record(std::int64_t weight) {
    heavy_.push_back(path_);
    std::sort(heavy_.back().begin(), heavy_.back().end());
    if (!settings_.raises_limit) {
        is_stopped_ = is_stopped_ || heavy_.size() >= settings_.most_heavy;
        return;
    }
    settings_.limit = weight;
    if (heavy_.size() > settings_.most_heavy) heavy_.erase(heavy_.begin());
}

}  // namespace conjunct
