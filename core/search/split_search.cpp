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

constexpr std::size_t parts_worth_pairs =
    3;  // first tests that are open, from which on counting all pairs of a set pays

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

Bound TreeSearch::split(const Node& node, std::int64_t budget, const PartBounds* bounds) {
    ++stats_.n_splits;
    const std::size_t n_words = cells_.n_words;
    std::int64_t open = std::min(budget, node.leaf), best = node.leaf;
    std::int32_t choice = -1;
    const FirstTests tests = first_tests(node, open, bounds);
    const std::uint8_t depth = part_depth(node);
    auto* cells = arena_.take<std::uint64_t>(2 * n_words);
    const bool has_similar = settings_.min_samples_leaf == 1 && settings_.n_similar > 0;
    if (tests.n_open >= parts_worth_pairs) expect_parts(node);
    ProvedSets siblings = has_similar ? similar_.siblings(arena_, 2 * tests.n_open) : ProvedSets{};

    // Each is raised until its parts reach the budget, or their trees are known.
    for (std::size_t i = 0; i < tests.n_open && stop_ == StopReason::none; ++i) {
        const std::size_t j = tests.order[i];
        Bound* parts = tests.pairs[j].parts;
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
    return split_lemma(node, tests, best, choice);
}

// The lemma: the least of all sums, and what the sums rest on.
Bound TreeSearch::split_lemma(const Node& node, const FirstTests& tests, std::int64_t best, std::int32_t choice) {
    const std::size_t n = node.block.n_columns;
    auto* cells = arena_.take<std::uint64_t>(cells_.n_words);
    std::int64_t value = node.leaf;
    for (std::size_t j = 0; j < n; ++j)
        value = std::min(value, tests.pairs[j].parts[0].lower + tests.pairs[j].parts[1].lower);
    if (stop_ != StopReason::none && !path_.empty()) return {-1};
    for (std::size_t j = 0; j < n; ++j) {
        Bound* parts = tests.pairs[j].parts;
        if (tests.pairs[j].trivial >= value || !(parts[0].is_counted || parts[1].is_counted)) continue;
        const Bound least[2] = {trivial(part_of(node, j, false, cells)), trivial(part_of(node, j, true, cells))};
        for (const bool side : {false, true}) {  // where one part is enough, the other rests on its trivial value
            if (!parts[side].is_counted) continue;
            const bool is_needed = least[side].lower + parts[!side].lower < value;
            parts[side] = is_needed ? counted(node, j, side, parts[side]) : least[side];
        }
    }
    supports_.clear();
    for (std::size_t j = 0; j < n && settings_.keeps_lemmas; ++j) {
        if (tests.pairs[j].trivial >= value) continue;
        for (const bool side : {false, true}) {
            const Bound& part = tests.pairs[j].parts[side];
            if (part.lemma != no_lemma) supports_.push_back({2 * node.block.tests[j] + side, part.lemma, part.is_hint});
        }
    }
    return proved(node, 'N', node.depth, {value, no_lemma, best <= value}, choice, 0, supports_);
}

}  // namespace conjunct
