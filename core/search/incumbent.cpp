// Trees: the first tests of row sets that were solved exactly are remembered; a tree is written down by following them, and what
// was forgotten is solved again. Deep trees begin with one that looks ahead: the first test of the best tree of depth 3, then
// the same on either part, pruned where a leaf is cheaper.
#include <algorithm>

#include "search/tree_search.hpp"

namespace conjunct {

constexpr std::uint8_t look_ahead_depth = 3;

std::int64_t TreeSearch::leaf_class(const Block& block) const noexcept {
    return std::min_element(block.totals, block.totals + block.n_classes) - block.totals;
}

bool TreeSearch::write_part(const Part& part, std::vector<std::int64_t>& tree) {
    const Arena::Mark mark = arena_.mark();
    path_.push_back(2 * part.parent->block.tests[part.column] + part.side);
    const Node node = node_of(part);
    Bound bound = known(part);
    if (!bound.is_exact) bound = solve(node, part.leaf);
    const bool is_written = stop_ == StopReason::none && write_tree(node, bound.lower, tree);
    path_.pop_back();
    arena_.release(mark);
    return is_written;
}

bool TreeSearch::write_tree(const Node& node, std::int64_t cost, std::vector<std::int64_t>& tree) {
    if (cost >= node.leaf) {
        tree.push_back(-1 - leaf_class(node.block));
        return true;
    }
    std::int32_t choice = memo_.choice(node.cells, node.hash, node.depth);
    if (choice < -1) {
        solve(node, node.leaf);
        choice = memo_.choice(node.cells, node.hash, node.depth);
    }
    if (choice < 0) return false;
    const auto* tests = node.block.tests;
    const auto column = static_cast<std::size_t>(
        std::lower_bound(tests, tests + node.block.n_columns, static_cast<std::uint32_t>(choice)) - tests);
    tree.push_back(choice);
    auto* cells = arena_.take<std::uint64_t>(2 * cells_.n_words);
    return write_part(part_of(node, column, true, cells), tree) &&
           write_part(part_of(node, column, false, cells + cells_.n_words), tree);
}

void TreeSearch::accept_tree(const Node& root, std::int64_t cost) {
    if (cost >= upper_ && !tree_.empty()) return;
    std::vector<std::int64_t> tree;
    if (!write_tree(root, cost, tree)) return;
    tree_ = std::move(tree);
    upper_ = cost;
}

// A first test of all rows whose two parts are solved.
void TreeSearch::accept_tree(const Part& of_true, const Part& of_false, std::int64_t cost) {
    std::vector<std::int64_t> tree{of_true.parent->block.tests[of_true.column]};
    if (!write_part(of_true, tree) || !write_part(of_false, tree)) return;
    tree_ = std::move(tree);
    upper_ = cost;
}

std::int64_t TreeSearch::look_ahead(Node node, std::vector<std::int64_t>& tree) {
    const std::uint8_t depth = node.depth;
    const std::size_t start = tree.size();
    node.depth = std::min(depth, look_ahead_depth);
    Bound bound = solve(node, node.leaf);
    if (stop_ != StopReason::none) return -1;
    if (depth <= look_ahead_depth || bound.lower >= node.leaf) {
        write_tree(node, std::min(bound.lower, node.leaf), tree);
        return stop_ == StopReason::none ? std::min(bound.lower, node.leaf) : -1;
    }
    const std::int32_t choice = memo_.choice(node.cells, node.hash, node.depth);
    if (choice < 0) return -1;
    node.depth = depth;
    const auto* tests = node.block.tests;
    const auto column = static_cast<std::size_t>(
        std::lower_bound(tests, tests + node.block.n_columns, static_cast<std::uint32_t>(choice)) - tests);
    tree.push_back(choice);
    std::int64_t cost = 0;
    for (const bool side : {true, false}) {
        const Arena::Mark mark = arena_.mark();
        const Part part = part_of(node, column, side, arena_.take<std::uint64_t>(cells_.n_words));
        path_.push_back(2 * tests[column] + side);
        const std::int64_t of_part = look_ahead(node_of(part), tree);
        path_.pop_back();
        arena_.release(mark);
        if (of_part < 0) return -1;
        cost += of_part;
    }
    if (cost < node.leaf) return cost;
    tree.resize(start);
    tree.push_back(-1 - leaf_class(node.block));
    return node.leaf;
}

void TreeSearch::improve_tree(const Node& root) {
    std::vector<std::int64_t> tree;
    const std::int64_t cost = look_ahead(root, tree);
    if (cost < 0 || cost >= upper_) return;
    tree_ = std::move(tree);
    upper_ = cost;
}

}  // namespace conjunct
