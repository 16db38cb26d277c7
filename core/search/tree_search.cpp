#include "search/tree_search.hpp"

#include <algorithm>

namespace conjunct {

TreeSearch::TreeSearch(TreeCells cells, const TreeSearchSettings& settings, const PairLoops& loops)
    : cells_{std::move(cells)},
      settings_{settings},
      loops_{loops},
      hash_{cells_.n_words},
      memo_{cells_.columns.data(), cells_.all.data(), cells_.n_words},
      similar_{cells_.n_words, 2 * cells_.n_tests, settings.n_similar, cells_.removals, loops} {
    if (settings_.max_depth >= std::min<std::size_t>(cells_.n_tests, any_depth)) settings_.max_depth = any_depth;
}

// Shallower trees come first: each depth costs a small part of the next, and its tree is the next one's budget.
void TreeSearch::run(Watch watch) {
    watch_ = watch;
    stop_ = StopReason::none;
    const Arena::Mark mark = arena_.mark();
    Node root = root_node();
    path_.clear();
    if (tree_.empty()) upper_ = root.leaf, tree_ = {-1 - leaf_class(root.block)};
    if (lower_ < 0) {
        lower_ = root.depth == 0 ? root.leaf : std::min(root.leaf, root.forced + 2 * settings_.leaf_cost);
        if (root.block.n_columns == 0 &&
            lower_ < root.leaf) {  // no test splits the rows: rule E has no case to look at
            root_lemma_ = proved(root, 'E', any_depth, {root.leaf, no_lemma, true}, -1, 0, {}).lemma;
            lower_ = root.leaf;
        }
    }
    if (tree_.size() == 1) {
        for (std::uint8_t depth = 2; depth <= 3 && depth < settings_.max_depth && lower_ < upper_; ++depth) {
            root.depth = depth;
            prove(root, upper_);
        }
        root.depth = settings_.max_depth;
        if (root.depth > 3 && lower_ < upper_ && stop_ == StopReason::none) improve_tree(root);
    }
    while (lower_ < upper_ && stop_ == StopReason::none) {
        if (root.depth == any_depth) {
            const bool is_near = upper_ - lower_ <= 3 * settings_.leaf_cost;  // not worth two passes
            prove(root, is_near ? upper_ : lower_ + 2 * settings_.leaf_cost);
            continue;
        }
        work_limit_ = std::max(settings_.first_pass_work, 4 * work_);
        prove(root, upper_);
        if (stop_ != StopReason::work) continue;
        raise_bound(root);
        if (stop_ == StopReason::work) stop_ = StopReason::none;
    }
    work_limit_ = UINT64_MAX;
    arena_.release(mark);
}

void TreeSearch::prove(const Node& node, std::int64_t budget) {
    const Bound bound = solve(node, budget);
    if (bound.is_exact && bound.lower < upper_ && node.depth <= settings_.max_depth) accept_tree(node, bound.lower);
    if (node.depth < settings_.max_depth) return;
    if (bound.lower > lower_) lower_ = bound.lower, root_lemma_ = bound.lemma;
    if (lower_ >= upper_) lower_ = upper_;
}

// Under a limit of depth the budget is the best tree, and the bound rises only when every first test is done. So that a long
// run has a bound before it ends, an eighth of the work goes to bounds for any depth, which rise by steps.
void TreeSearch::raise_bound(Node root) {
    root.depth = any_depth;
    stop_ = StopReason::none;
    work_limit_ = work_ + work_ / 8;
    for (std::int64_t before = -1; stop_ == StopReason::none && before < lower_ && lower_ < upper_;) {
        before = lower_;  // it stays where the cheapest tree is deeper than the limit
        prove(root, std::min(upper_, lower_ + 2 * settings_.leaf_cost));
    }
}

TreeSearch::Proof TreeSearch::proof() const {
    Proof proof;
    if (root_lemma_ == no_lemma || !settings_.keeps_lemmas) return proof;
    const std::vector<std::uint32_t> kept = log_.trimmed(root_lemma_);
    std::vector<std::uint32_t> numbers(root_lemma_ + std::size_t{1}, no_lemma);
    for (std::uint32_t i = 0; i < kept.size(); ++i) {
        numbers[kept[i]] = i;
        log_.write(kept[i], numbers, proof.text);
        proof.n_pairs += log_[kept[i]].n_pairs;
        proof.n_splits += log_[kept[i]].n_splits;
    }
    proof.n_lemmas = kept.size();
    return proof;
}

}  // namespace conjunct
