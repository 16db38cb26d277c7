#include "search/conjunction_walk.hpp"

#include <bit>
#include <vector>

namespace conjunct {

ConjunctionSearch::Walk::Walk(ConjunctionSearch& search, const Watch* watch)
    : search{search},
      watch{watch},
      kept(search.size_),
      sets(search.size_, std::vector<std::uint64_t>(search.cells_.n_words())),
      next_look{0} {}

void ConjunctionSearch::Walk::work(std::span<const Candidate> root) {
    for (std::size_t i; (i = search.next_task_++) < root.size();)
        descend(search.cells_.all().data(), search.all_, root, i);
}

// The hot loop: a literal costs one pass over the words of the set, or a few comparisons where it is ruled out.
void ConjunctionSearch::Walk::expand(const std::uint64_t* set, CellSums sums, std::span<const Candidate> open,
                                     CellSums above) {
    const std::size_t n_to_come = search.size_ - path.size();
    std::vector<Candidate>& own = kept[path.size()];
    own.clear();
    Gains gains{n_to_come}, losses{n_to_come};
    for (const Candidate& one : open) {
        gains.add(one.sums.negative - above.negative);
        losses.add(above.positive - one.sums.positive);
    }
    gains.close(), losses.close();
    const std::int64_t most = search.reach(sums, sums, gains.all, losses.all);
    if (most < search.list_.least(search.size_)) return;
    for (const Candidate& one : open) {
        const std::int64_t gain = one.sums.negative - above.negative, loss = above.positive - one.sums.positive;
        const CellSums upper{std::min(sums.positive, one.sums.positive), sums.negative + gain};
        const CellSums lower{sums.positive - loss, std::max(sums.negative, one.sums.negative)};
        if (search.reach(upper, lower, gains.beside(gain), losses.beside(loss)) < search.list_.least(search.size_))
            continue;
        if (n_nodes >= next_look) look();
        if (search.is_stopped()) return leave_out(most), own.clear();
        ++n_nodes;
        const Weighed weighed = search.cells_.weigh(set, search.cells_.column(one.literal));
        if (!weighed.kept || (!weighed.lost && search.drops_equal_sets_)) continue;
        if (n_to_come == 1)
            offer(set, one.literal, weighed.first + weighed.second);
        else
            own.push_back({one.literal, {weighed.first, weighed.second}});
    }
    if (search.drops_equal_sets_) keep_distinct(own, set);
    for (int round = 0; round < 2; ++round) keep_reachable(own, sums, n_to_come);
}

void ConjunctionSearch::Walk::descend(const std::uint64_t* set, CellSums sums, std::span<const Candidate> open,
                                      std::size_t i) {
    std::vector<std::uint64_t>& part = sets[path.size()];
    const std::uint64_t* column = search.cells_.column(open[i].literal);
    for (std::size_t w = 0; w < part.size(); ++w) part[w] = set[w] & column[w];
    path.push_back(open[i].literal);
    expand(part.data(), open[i].sums, open.subspan(i + 1), sums);
    const std::vector<Candidate>& own = kept[path.size()];  // none where one literal was to come
    for (std::size_t j = 0; j < own.size(); ++j) descend(part.data(), open[i].sums, own, j);
    path.pop_back();
}

// Of literals that lead to the same cells the lowest is enough; equal sets have equal sums.
void ConjunctionSearch::Walk::keep_distinct(std::vector<Candidate>& own, const std::uint64_t* set) {
    slots.assign(std::bit_ceil(2 * own.size() + 1), 0);
    const auto are_same = [&](const std::uint64_t* a, const std::uint64_t* b) {
        for (std::size_t w = 0; w < search.cells_.n_words(); ++w)
            if ((a[w] ^ b[w]) & set[w]) return false;
        return true;
    };
    std::size_t n_distinct = 0;
    for (const Candidate& one : own) {
        const auto [positive, negative] = one.sums;
        std::uint64_t hash = static_cast<std::uint64_t>(positive) * 0x9e3779b97f4a7c15;
        hash = (hash ^ static_cast<std::uint64_t>(negative) ^ hash >> 32) * 0xd6e8feb86659fd93;
        std::size_t slot = hash >> 32 & (slots.size() - 1);
        for (; slots[slot]; slot = (slot + 1) & (slots.size() - 1)) {
            Candidate& other = own[slots[slot] - 1];
            if (other.sums.positive != positive || other.sums.negative != negative) continue;
            if (!are_same(search.cells_.column(other.literal), search.cells_.column(one.literal))) continue;
            other.literal = std::min(other.literal, one.literal);
            break;
        }
        if (slots[slot]) continue;
        own[n_distinct++] = one;
        slots[slot] = static_cast<std::uint32_t>(n_distinct);
    }
    own.resize(n_distinct);
}

void ConjunctionSearch::Walk::keep_reachable(std::vector<Candidate>& own, CellSums sums,
                                             std::size_t n_to_come) noexcept {
    Gains gains{n_to_come}, losses{n_to_come};
    for (const Candidate& one : own) {
        gains.add(one.sums.negative - sums.negative);
        losses.add(sums.positive - one.sums.positive);
    }
    gains.close(), losses.close();
    std::erase_if(own, [&](const Candidate& one) {
        const std::int64_t gain = gains.beside(one.sums.negative - sums.negative);
        const std::int64_t loss = losses.beside(sums.positive - one.sums.positive);
        return search.reach(one.sums, one.sums, gain, loss) < search.list_.least(search.size_);
    });
}

void ConjunctionSearch::Walk::offer(const std::uint64_t* set, std::uint32_t literal, std::int64_t sum) {
    const std::int64_t size = search.size_of(sum);
    if (size < search.list_.least(search.size_)) return;
    std::vector<std::uint64_t>& part = sets[path.size()];
    const std::uint64_t* column = search.cells_.column(literal);
    for (std::size_t w = 0; w < part.size(); ++w) part[w] = set[w] & column[w];
    path.push_back(literal);
    search.list_.offer(sum, size, path, part);
    path.pop_back();
    if (search.list_.n_entries() >= search.settings_.most) search.stop(StopReason::found);
}

void ConjunctionSearch::Walk::look() noexcept {
    constexpr std::uint64_t words_between_looks = 1 << 18;
    tell();
    const std::uint64_t total = search.n_nodes_, most = search.settings_.max_nodes;
    if (total >= most) search.stop(StopReason::nodes);
    if (std::chrono::steady_clock::now() >= search.settings_.deadline) search.stop(StopReason::time);
    if (watch && watch->is_over(watch->context)) search.stop(StopReason::interrupt);
    const std::uint64_t interval = words_between_looks / (search.cells_.n_words() + 1) + 1;
    next_look = n_nodes + (total < most ? std::min(interval, most - total) : interval);
}

}  // namespace conjunct
