// First tests of a set: what is known of both parts of each, and which are left to try.
// Idea    bounds come from the trivial value, from the memo, and from the pair counts of the set; tests that are still open are
//         tried in the order of their promise, Gini's index.
#include <algorithm>

#include "search/tree_search.hpp"

namespace conjunct {

// What both parts of a column cost at least beyond what is forced.
std::int64_t TreeSearch::trivial_sum(const Node& node, std::size_t column) const noexcept {
    const std::int64_t leaf = settings_.leaf_cost;
    return std::min(leaf + cells_.unit * node.errors[0][column], 2 * leaf) +
           std::min(leaf + cells_.unit * node.errors[1][column], 2 * leaf);
}

TreeSearch::Part TreeSearch::part_of(const Node& node, std::size_t column, bool side,
                                     std::uint64_t* cells) const noexcept {
    const std::uint64_t* test = cells_.column(node.block.tests[column]);
    const std::uint64_t flip = side ? 0 : ~std::uint64_t{0};
    for (std::size_t w = 0; w < cells_.n_words; ++w) cells[w] = node.cells[w] & (test[w] ^ flip);
    Part part{&node, column, side, cells, hash_(cells), 0, 0, node.depth};
    if (node.depth != any_depth) --part.depth;
    part.forced = cells_.forced.is_zero() ? 0 : cells_.forced.sum(cells);
    part.leaf = part.forced + settings_.leaf_cost + cells_.unit * node.errors[side][column];
    return part;
}

Bound TreeSearch::trivial(const Part& part) const noexcept {
    const std::int64_t two = part.forced + 2 * settings_.leaf_cost;
    return part.depth == 0 || part.leaf <= two ? Bound{part.leaf, no_lemma, true} : Bound{two};
}

Bound TreeSearch::known(const Part& part) {
    Bound bound = trivial(part);
    if (bound.is_exact) return bound;
    const Bound found = memo_.find(part.cells, part.hash, part.depth);
    if (found.lower > bound.lower || found.is_exact) {
        ++stats_.n_memo_hits;
        bound = found;
    }
    return bound;
}

// Gini's index, in what classes pay: low where both parts are nearly pure.
double TreeSearch::impurity(const Node& node, std::size_t column) const noexcept {
    double inside_squares = 0, inside_sum = 0, outside_squares = 0, outside_sum = 0;
    for (std::size_t k = 0; k < node.block.n_classes; ++k) {
        const std::int64_t paid = loops_.sum(node.block, k, column);
        const auto inside = static_cast<double>(paid), outside = static_cast<double>(node.block.totals[k] - paid);
        inside_squares += inside * inside, inside_sum += inside;
        outside_squares += outside * outside, outside_sum += outside;
    }
    return (inside_sum > 0 ? inside_sum - inside_squares / inside_sum : 0) +
           (outside_sum > 0 ? outside_sum - outside_squares / outside_sum : 0);
}

TreeSearch::FirstTests TreeSearch::first_tests(const Node& node, std::int64_t open, const PartBounds* bounds) {
    const std::size_t n = node.block.n_columns;
    FirstTests tests{arena_.take<FirstTests::Pair>(n), arena_.take<std::uint32_t>(n), 0};
    auto* cells = arena_.take<std::uint64_t>(cells_.n_words);
    auto* promise = arena_.take<double>(n);
    auto* hashes = arena_.take<std::uint64_t>(n);
    for (std::size_t j = 0; j < n; ++j) {
        tests.pairs[j].trivial = node.forced + trivial_sum(node, j);
        tests.pairs[j].parts[0].lower = -1;
        if (tests.pairs[j].trivial >= open) continue;
        hashes[j] = hash_.common(node.cells, cells_.column(node.block.tests[j]));
        memo_.prefetch(hashes[j]);
        memo_.prefetch(node.hash - hashes[j]);
    }
    const std::uint8_t depth = part_depth(node);
    for (std::size_t j = 0; j < n; ++j) {
        Bound* parts = tests.pairs[j].parts;
        if (tests.pairs[j].trivial >= open) {
            parts[0] = {tests.pairs[j].trivial}, parts[1] = {0};  // never looked at but as a sum
            continue;
        }
        for (const bool side : {true, false}) {
            const std::uint64_t hash = side ? hashes[j] : node.hash - hashes[j];
            if (!cells_.forced.is_zero() || memo_.may_hold(hash)) {
                parts[side] = known(part_of(node, j, side, cells));
            } else {
                Part part{&node, j, side, nullptr, hash, 0, 0, depth};
                part.leaf = settings_.leaf_cost + cells_.unit * node.errors[side][j];
                parts[side] = trivial(part);
            }
            if (!bounds || parts[side].is_exact) continue;
            const std::int64_t forced = cells_.forced.is_zero() ? 0 : part_of(node, j, side, cells).forced;
            const Bound better{forced + bounds[j].cost[side], no_lemma, bounds[j].is_exact[side], false, true};
            if (better.lower > parts[side].lower) parts[side] = better;
            if (better.lower == parts[side].lower) parts[side].is_exact = better.is_exact;
        }
        if (parts[0].lower + parts[1].lower >= open) continue;
        promise[j] = impurity(node, j);
        tests.order[tests.n_open++] = static_cast<std::uint32_t>(j);
    }
    std::stable_sort(tests.order, tests.order + tests.n_open,
                     [&](std::uint32_t a, std::uint32_t b) { return promise[a] < promise[b]; });
    return tests;
}

}  // namespace conjunct
