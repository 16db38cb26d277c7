// Rule N: every first test fails, because what its two parts cost at least adds up to the value.
// Idea    budgets: a part need only be proved to cost what the other part leaves of the value; where it costs less, its exact
//         cost is found, and the other part has the rest. With a limit of depth the part with the dearer leaf goes first (a
//         quarter fewer row sets than in a fixed order). Without one the weaker part is raised by two leaves at a time, since
//         proofs grow steeply with the value; with a limit that took up to three times as long.
// Sound   a budget only says when to stop; a bound is a lemma, a lemma about similar rows, or the trivial value.
#include <algorithm>
#include <numeric>

#include "search/tree_search.hpp"

namespace conjunct {

bool TreeSearch::is_over() {
    if (stop_ != StopReason::none) return true;
    if (stats_.n_nodes >= settings_.max_nodes) {
        stop_ = StopReason::nodes;
    } else if (work_ >= work_limit_) {
        stop_ = StopReason::work;
    } else if (stats_.n_nodes >= next_look_) {
        next_look_ = stats_.n_nodes + 64;
        const std::size_t fixed = log_.n_bytes() + arena_.n_bytes();
        if (fixed > settings_.max_bytes) {
            stop_ = StopReason::memory;
        } else if (fixed + memo_.n_bytes() + similar_.n_bytes() > settings_.max_bytes) {
            memo_.clear();
            similar_.clear();
            ++stats_.n_forgotten;
        }
        if (stop_ == StopReason::none) stop_ = watch_.is_over(watch_.context, lower_, upper_);
    }
    return stop_ != StopReason::none;
}

Bound TreeSearch::proved(const Node& node, char kind, std::uint8_t depth, const Bound& bound, std::int32_t choice,
                         std::size_t n_pairs, std::span<const Support> supports) {
    Bound lemma{bound.lower, n_proved_++, bound.is_exact};
    if (settings_.keeps_lemmas) {
        const auto n_splits = static_cast<std::uint32_t>(kind == 'N' ? node.block.n_columns : 0);
        log_.add({bound.lower, 0, 0, 0, 0, static_cast<std::uint32_t>(n_pairs), n_splits, kind, depth}, path_,
                 supports);
    }
    // A lemma for any depth is exact only where a leaf is the cheapest tree: then at every depth.
    memo_.store(node.cells, node.hash, bound.is_exact ? node.depth : depth, lemma, choice, path_);
    if (settings_.min_samples_leaf == 1 && !path_.empty()) similar_.add(path_.back(), node.cells, depth, lemma);
    return lemma;
}

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

Bound TreeSearch::solve(const Part& part, std::int64_t budget) {
    const Arena::Mark mark = arena_.mark();
    path_.push_back(2 * part.parent->block.tests[part.column] + part.side);
    const Bound bound = solve(node_of(part), budget);
    path_.pop_back();
    arena_.release(mark);
    return bound;
}

Bound TreeSearch::solve(const Node& node, std::int64_t budget) {
    ++stats_.n_nodes;
    work_ += node.block.n_columns * node.block.n_columns * node.block.n_words;
    if (is_over()) return {-1};
    if (node.depth == 0 || node.block.n_columns == 0) return {node.leaf, no_lemma, true};
    if (node.depth == 1) return single_split(node);
    if (node.depth == 2) return enumerate(node, budget);
    const std::int64_t open = std::min(budget, node.leaf) - node.forced;
    const PartBounds* bounds = nullptr;
    if (settings_.has_shape_bound && (node.depth == any_depth || open <= 8 * settings_.leaf_cost)) {
        bounds = part_bounds(node, open);
        const Bound shape = bounds ? shape_bound(node, open, bounds) : Bound{-1};
        if (shape.lower >= 0) return shape;
    }
    return split(node, budget, bounds);
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

Bound TreeSearch::split(const Node& node, std::int64_t budget, const PartBounds* bounds) {
    ++stats_.n_splits;
    const std::size_t n = node.block.n_columns, n_words = cells_.n_words;
    struct Pair {
        Bound parts[2];
        std::int64_t trivial;
    };
    auto* pairs = arena_.take<Pair>(n);
    auto* cells = arena_.take<std::uint64_t>(2 * n_words);
    auto* order = arena_.take<std::uint32_t>(n);
    auto* promise = arena_.take<double>(n);
    std::size_t n_open = 0;
    std::int64_t open = std::min(budget, node.leaf), best = node.leaf;
    std::int32_t choice = -1;

    // 1. What is known of every first test; those that are open are tried in the order of their promise.
    auto* hashes = arena_.take<std::uint64_t>(n);
    for (std::size_t j = 0; j < n; ++j) {
        pairs[j].trivial = node.forced + trivial_sum(node, j);
        pairs[j].parts[0].lower = -1;
        if (pairs[j].trivial >= open) continue;
        hashes[j] = hash_.common(node.cells, cells_.column(node.block.tests[j]));
        memo_.prefetch(hashes[j]);
        memo_.prefetch(node.hash - hashes[j]);
    }
    const std::uint8_t depth = node.depth == any_depth ? any_depth : static_cast<std::uint8_t>(node.depth - 1);
    for (std::size_t j = 0; j < n; ++j) {
        Bound* parts = pairs[j].parts;
        if (pairs[j].trivial >= open) {
            parts[0] = {pairs[j].trivial}, parts[1] = {0};  // never looked at but as a sum
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
        order[n_open++] = static_cast<std::uint32_t>(j);
    }
    std::stable_sort(order, order + n_open, [&](std::uint32_t a, std::uint32_t b) { return promise[a] < promise[b]; });

    const bool has_similar = settings_.min_samples_leaf == 1 && settings_.n_similar > 0;
    ProvedSets siblings = has_similar ? similar_.siblings(arena_, 2 * n_open) : ProvedSets{};

    // 2. Each is raised until its parts reach the budget, or their trees are known.
    for (std::size_t i = 0; i < n_open && stop_ == StopReason::none; ++i) {
        const std::size_t j = order[i];
        Bound* parts = pairs[j].parts;
        const Part of_false = part_of(node, j, false, cells), of_true = part_of(node, j, true, cells + n_words);
        const Part* sides[2] = {&of_false, &of_true};
        for (const bool side : {false, true}) {
            if (parts[0].lower + parts[1].lower >= open) break;
            if (parts[side].is_exact || !has_similar) continue;
            const std::uint32_t literal = 2 * node.block.tests[j] + side;
            const Bound better = similar_.improved(siblings, path_, literal, sides[side]->cells, depth, parts[side],
                                                   open - parts[!side].lower);
            stats_.n_similar_hits += better.lower > parts[side].lower;
            parts[side] = better;
        }
        while (parts[0].lower + parts[1].lower < open) {
            if (parts[0].is_exact && parts[1].is_exact) {
                best = open = parts[0].lower + parts[1].lower;
                choice = static_cast<std::int32_t>(node.block.tests[j]);
                if (path_.empty() && best < upper_ && node.depth <= settings_.max_depth)
                    accept_tree(of_true, of_false, best);
                break;
            }
            const bool deepens = node.depth == any_depth;
            bool side = deepens ? parts[1].lower < parts[0].lower : of_true.leaf > of_false.leaf;
            if (parts[side].is_exact) side = !side;
            std::int64_t target = open - parts[!side].lower;
            if (deepens) target = std::min(target, parts[side].lower + 2 * settings_.leaf_cost);
            const Bound raised = solve(*sides[side], target);
            if (stop_ != StopReason::none) break;
            parts[side] = raised;
        }
        for (const bool side : {false, true})
            if (has_similar && parts[side].lemma != no_lemma && !parts[side].is_hint)
                siblings.add(sides[side]->cells, n_words, depth, parts[side]);
    }

    // 3. The lemma: the least of all sums, and what the sums rest on.
    std::int64_t value = node.leaf;
    for (std::size_t j = 0; j < n; ++j) value = std::min(value, pairs[j].parts[0].lower + pairs[j].parts[1].lower);
    if (stop_ != StopReason::none && !path_.empty()) return {-1};
    for (std::size_t j = 0; j < n && bounds; ++j) {
        Bound* parts = pairs[j].parts;
        if (pairs[j].trivial >= value || !(parts[0].is_counted || parts[1].is_counted)) continue;
        const Bound least[2] = {trivial(part_of(node, j, false, cells)), trivial(part_of(node, j, true, cells))};
        for (const bool side : {false, true}) {  // where one part is enough, the other rests on its trivial value
            if (!parts[side].is_counted) continue;
            const bool is_needed = least[side].lower + parts[!side].lower < value;
            parts[side] = is_needed ? counted(node, j, side, parts[side]) : least[side];
        }
    }
    supports_.clear();
    for (std::size_t j = 0; j < n && settings_.keeps_lemmas; ++j) {
        if (pairs[j].trivial >= value) continue;
        for (const bool side : {false, true}) {
            const Bound& part = pairs[j].parts[side];
            if (part.lemma != no_lemma) supports_.push_back({2 * node.block.tests[j] + side, part.lemma, part.is_hint});
        }
    }
    return proved(node, 'N', node.depth, {value, no_lemma, best <= value}, choice, 0, supports_);
}

}  // namespace conjunct
