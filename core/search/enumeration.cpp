// Rule E: every tree of depth 1 or 2, or its shape, from the counts of pairs of columns.
// Idea    what the four parts of two columns cost follows from what each class pays where both are true. A part takes one leaf
//         or two; without a limit of depth also three, of which one stands on a side of the next test (peel), or more.
// Sound   depth 1 and 2: all trees are counted. Shape: three leaves pay for the side that is a leaf, four pay what is forced.
// Skipped first columns whose parts reach the value by their trivial bounds.
#include <algorithm>

#include "search/tree_search.hpp"

namespace conjunct {

constexpr std::size_t most_pair_bytes = std::size_t{1} << 23;

// Of the columns of a lemma: those whose parts do not reach its value by their trivial bounds, times all.
std::size_t TreeSearch::pairs_to_check(const Node& node, std::int64_t value) const noexcept {
    if (!settings_.keeps_lemmas) return 0;
    std::size_t n_open = 0;
    for (std::size_t j = 0; j < node.block.n_columns; ++j) n_open += trivial_sum(node, j) < value;
    return n_open * node.block.n_columns;
}

Bound TreeSearch::single_split(const Node& node) {
    std::int64_t best = node.leaf;
    std::int32_t choice = -1;
    for (std::size_t j = 0; j < node.block.n_columns; ++j) {
        const std::int64_t cost =
            node.forced + 2 * settings_.leaf_cost + cells_.unit * (node.errors[0][j] + node.errors[1][j]);
        if (cost < best) best = cost, choice = static_cast<std::int32_t>(node.block.tests[j]);
    }
    return proved(node, 'E', 1, {best, no_lemma, true}, choice, 0, {});
}

// The minima of every column at once, where most columns need theirs; null where they are counted one by one.
const PairMinima* TreeSearch::minima_of_all(const Node& node, std::int64_t open, bool with_peel) {
    const Block& block = node.block;
    if (block.n_classes != 2) return nullptr;
    std::size_t n_open = 0;
    for (std::size_t j = 0; j < block.n_columns; ++j) n_open += trivial_sum(node, j) < open;
    const bool is_rest = is_rest_cheaper(node, n_open);
    if (!is_rest && 2 * n_open < block.n_columns) return nullptr;
    stats_.n_pairs += block.n_columns * block.n_columns / 2;
    auto* minima = arena_.take<PairMinima>(block.n_columns);
    auto* room = arena_.take<char>(4 * block.stride * (loops_.lane_bits / 8));
    stats_.n_rests += is_rest;
    Block counted = block;
    const void* whole = is_rest ? pairs_of_parent(node, counted) : nullptr;
    loops_.all_minima(block, counted, whole, settings_.min_samples_leaf, with_peel, room, minima);
    return minima;
}

// Gives a set room for its pair counts, if its parts may take theirs from them.
void TreeSearch::expect_parts(const Node& node) {
    const Block& block = node.block;
    const std::size_t n_bytes = (2 + block.is_sized) * block.n_columns * block.stride * (loops_.lane_bits / 8);
    if (block.n_classes != 2 || node.pairs->counts || n_bytes > most_pair_bytes) return;
    node.pairs->counts = arena_.take<char>(n_bytes);
}

// Whether the pairs of the other part, taken off those of the parent, are fewer words to count than the pairs of a set.
bool TreeSearch::is_rest_cheaper(const Node& node, std::size_t n_open) const noexcept {
    if (!node.parent || !node.parent->pairs->counts) return false;
    const std::size_t n = node.block.n_columns, n_words = node.block.n_words, n_all = node.parent->block.n_words;
    const std::size_t n_rest = (n_all > n_words ? n_all - n_words : 0) + settings_.rest_words;
    return n * n_rest < std::min(n, 2 * n_open) * n_words;
}

// The pairs of the parent in the columns of a set, and the rows of the parent that are not in it.
const void* TreeSearch::pairs_of_parent(const Node& node, Block& sibling) {
    const Node& parent = *node.parent;
    const std::size_t n = node.block.n_columns, lane_bytes = loops_.lane_bits / 8;
    if (!parent.pairs->is_counted)
        loops_.all_pairs(parent.block, parent.pairs->counts), parent.pairs->is_counted = true;
    sibling = room_for(parent.block.n_columns, parent.block.n_words, parent.block.n_groups);
    loops_.take_rows(parent.block, node.column, !node.side, sibling);
    if (n == parent.block.n_columns) return parent.pairs->counts;
    auto* kept = arena_.take<std::uint32_t>(n);
    for (std::size_t i = 0, j = 0; i < n; ++j)
        if (parent.block.tests[j] == node.block.tests[i]) kept[i++] = static_cast<std::uint32_t>(j);
    loops_.sum_columns(sibling);  // which are picked with the words
    Block picked = room_for(n, sibling.n_words, sibling.n_groups);
    loops_.pick_columns(sibling, kept, n, picked);
    std::copy_n(sibling.groups, sibling.n_groups, picked.groups);
    sibling = picked;
    auto* pairs = arena_.take<char>((2 + node.block.is_sized) * n * node.block.stride * lane_bytes);
    loops_.pick_pairs(parent.block, parent.pairs->counts, kept, node.block, pairs);
    return pairs;
}

PairMinima TreeSearch::minima_of(const Node& node, std::size_t column, bool with_peel) {
    PairMinima minima;
    loops_.pair_minima(node.block, column, settings_.min_samples_leaf, with_peel, minima);
    stats_.n_pairs += node.block.n_columns;
    return minima;
}

Bound TreeSearch::enumerate(const Node& node, std::int64_t budget) {
    const std::int64_t leaf = settings_.leaf_cost, unit = cells_.unit;
    ++stats_.n_enumerations;
    std::int64_t open = std::min(budget, node.leaf) - node.forced, best = node.leaf - node.forced, value = best;
    std::int32_t choice = -1;
    const PairMinima* of_all = minima_of_all(node, open, false);
    for (std::size_t j = 0; j < node.block.n_columns; ++j) {
        const std::int64_t one_true = leaf + unit * node.errors[1][j], one_false = leaf + unit * node.errors[0][j];
        const std::int64_t trivial = trivial_sum(node, j);
        if (trivial >= open) {
            value = std::min(value, trivial);
            continue;
        }
        const PairMinima minima = of_all ? of_all[j] : minima_of(node, j, false);
        const auto part = [&](std::int64_t one, std::int64_t two) {
            return two == infinite_peel ? one : std::min(one, 2 * leaf + unit * two);
        };
        const std::int64_t cost = part(one_true, minima.two_true) + part(one_false, minima.two_false);
        value = std::min(value, cost);
        if (cost < best) best = cost, choice = static_cast<std::int32_t>(node.block.tests[j]);
        open = std::min(open, best);
    }
    return proved(node, 'E', 2, {value + node.forced, no_lemma, best <= value}, choice, pairs_to_check(node, value),
                  {});
}

// Under a limit of depth a first column below the budget ends it: there parts are cheap to solve, and few bounds are used.
const TreeSearch::PartBounds* TreeSearch::part_bounds(const Node& node, std::int64_t open) {
    const std::int64_t leaf = settings_.leaf_cost, unit = cells_.unit;
    auto* bounds = arena_.take<PartBounds>(node.block.n_columns);
    auto* cells = arena_.take<std::uint64_t>(cells_.n_words);
    const PairMinima* of_all = minima_of_all(node, open, true);
    for (std::size_t j = 0; j < node.block.n_columns; ++j) {
        if (trivial_sum(node, j) >= open) continue;
        const PairMinima minima = of_all ? of_all[j] : minima_of(node, j, true);
        const auto set = [&](std::int64_t two, std::int64_t peel, bool side) {
            const std::int64_t one = leaf + unit * node.errors[side][j];
            bounds[j].cost[side] = one, bounds[j].is_exact[side] = true;
            if (peel == infinite_peel) return;  // no column splits it
            std::int64_t forced = 0;
            if (!cells_.forced.is_zero() && peel > 0) forced = part_of(node, j, side, cells).forced;
            const std::int64_t more = std::min(3 * leaf + std::max<std::int64_t>(0, unit * peel - forced), 4 * leaf);
            const std::int64_t few = std::min(one, 2 * leaf + unit * two);
            bounds[j].cost[side] = std::min(few, more), bounds[j].is_exact[side] = few <= more;
        };
        set(minima.two_true, minima.peel_true, true);
        set(minima.two_false, minima.peel_false, false);
        if (node.depth != any_depth && bounds[j].cost[0] + bounds[j].cost[1] < open) return nullptr;
    }
    return bounds;
}

Bound TreeSearch::shape_bound(const Node& node, std::int64_t open, const PartBounds* bounds) {
    std::int64_t value = node.leaf - node.forced;
    for (std::size_t j = 0; j < node.block.n_columns && value >= open; ++j) {
        const std::int64_t trivial = trivial_sum(node, j);
        value = std::min(value, trivial >= open ? trivial : bounds[j].cost[0] + bounds[j].cost[1]);
    }
    if (value < open) return {-1};
    ++stats_.n_shape_bounds;
    const bool is_leaf = value + node.forced >= node.leaf;
    return proved(node, 'E', any_depth, {value + node.forced, no_lemma, is_leaf}, -1, pairs_to_check(node, value), {});
}

// Writes down what pair counts say about a part, so that a split may rest on it: rule E proves it from the part's own pairs.
Bound TreeSearch::counted(const Node& node, std::size_t column, bool side, const Bound& bound) {
    const Arena::Mark mark = arena_.mark();
    const Part part = part_of(node, column, side, arena_.take<std::uint64_t>(cells_.n_words));
    const Bound lemma{bound.lower, n_proved_++};
    path_.push_back(2 * node.block.tests[column] + side);
    if (settings_.keeps_lemmas) {
        const std::int64_t leaf = settings_.leaf_cost, spare = bound.lower - part.forced - 2 * leaf;
        const auto units = [&](std::int64_t x) { return x > 0 ? (x + cells_.unit - 1) / cells_.unit : 0; };
        const std::size_t n_pairs = loops_.open_pairs(node.block, column, side, settings_.min_samples_leaf,
                                                      {units(leaf), units(spare), units(spare - leaf)});
        log_.add({bound.lower, 0, 0, 0, 0, static_cast<std::uint32_t>(n_pairs), 0, 'E', any_depth}, path_, {});
    }
    memo_.store(part.cells, part.hash, any_depth, lemma, -1, path_);
    path_.pop_back();
    arena_.release(mark);
    ++stats_.n_counted;
    return lemma;
}

}  // namespace conjunct
