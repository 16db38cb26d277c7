#include "search/tree_search.hpp"

#include <algorithm>

namespace conjunct {

TreeSearch::TreeSearch(TreeCells cells, const TreeSearchSettings& settings, const PairLoops& loops)
    : cells_{std::move(cells)},
      settings_{settings},
      loops_{loops},
      memo_{cells_.columns.data(), cells_.all.data(), cells_.n_words},
      similar_{cells_.n_words, settings.n_similar} {
    if (settings_.max_depth >= std::min<std::size_t>(cells_.n_tests, any_depth)) settings_.max_depth = any_depth;
}

// Shallower trees come first: each depth costs a small part of the next, and its tree is the next one's budget.
void TreeSearch::run(Watch watch) {
    watch_ = watch;
    stop_ = StopReason::none;
    const Arena::Mark mark = arena_.mark();
    Node root = root_node();
    path_.clear();
    if (tree_.empty()) {
        upper_ = root.leaf;
        tree_ = {-1 - leaf_class(root.block)};
        lower_ = root.depth == 0 ? root.leaf : std::min(root.leaf, root.forced + 2 * settings_.leaf_cost);
        if (root.block.n_columns == 0 &&
            lower_ < root.leaf) {  // no test splits the rows: rule E has no case to look at
            root_lemma_ = proved(root, 'E', any_depth, root.leaf, true, -1, {}).lemma;
            lower_ = root.leaf;
        }
    }
    const auto prove = [&](Node& node, std::int64_t budget) {
        const Bound bound = solve(node, budget);
        if (bound.is_exact && bound.lower < upper_) accept_tree(node, bound.lower);
        if (node.depth != settings_.max_depth) return;
        if (bound.lower > lower_) lower_ = bound.lower, root_lemma_ = bound.lemma;
        if (lower_ >= upper_) lower_ = upper_;
    };
    for (std::uint8_t depth = 2; depth <= std::min<std::uint8_t>(settings_.max_depth, 3) && lower_ < upper_; ++depth) {
        if (depth == settings_.max_depth) break;
        root.depth = depth;
        prove(root, upper_);
    }
    root.depth = settings_.max_depth;
    while (lower_ < upper_ && stop_ == StopReason::none) {
        const bool deepens = root.depth == any_depth;
        prove(root, deepens ? std::min(upper_, lower_ + 2 * settings_.leaf_cost) : upper_);
    }
    arena_.release(mark);
}

TreeSearch::Proof TreeSearch::proof() {
    Proof proof;
    if (root_lemma_ == no_lemma || !settings_.keeps_lemmas) return proof;
    const std::vector<std::uint32_t> kept = log_.trimmed(root_lemma_);
    std::vector<std::uint32_t> numbers(root_lemma_ + std::size_t{1}, no_lemma);
    const Arena::Mark mark = arena_.mark();
    const Block root = root_block();
    const std::int64_t leaf = settings_.leaf_cost;
    for (std::uint32_t i = 0; i < kept.size(); ++i) {
        numbers[kept[i]] = i;
        log_.write(kept[i], numbers, proof.text);
        const LemmaLog::Lemma& lemma = log_[kept[i]];
        const Arena::Mark inner = arena_.mark();
        Block block = root;
        std::vector<std::uint64_t> cells = cells_.all;
        for (const std::uint32_t literal : log_.path(kept[i])) {
            Block child = room_for(block.n_columns, block.n_words, block.n_groups);
            std::copy_n(block.tests, block.n_columns, child.tests);
            loops_.take_rows(block, literal >> 1, literal & 1, child);
            block = child;
            for (std::size_t w = 0; w < cells_.n_words; ++w)
                cells[w] &= cells_.column(literal >> 1)[w] ^ (literal & 1 ? 0 : ~std::uint64_t{0});
        }
        loops_.sum_columns(block);
        keep_distinct(block);
        if (lemma.kind == 'N') proof.n_splits += block.n_columns;
        const std::int64_t value = lemma.value - cells_.forced.sum(cells.data());
        for (std::size_t j = 0; j < block.n_columns && lemma.kind == 'E' && lemma.depth >= 2; ++j) {
            std::int64_t trivial = 0;
            for (const bool side : {true, false})
                trivial += std::min(leaf + cells_.unit * leaf_units(block, j, side), 2 * leaf);
            if (trivial < value) proof.n_pairs += block.n_columns;
        }
        arena_.release(inner);
    }
    proof.n_lemmas = kept.size();
    arena_.release(mark);
    return proof;
}

}  // namespace conjunct
