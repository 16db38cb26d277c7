// Trees of a frontier: the first test of an entry and the leaves of its parts are remembered for all rows only; below, the parts
// of the chosen test are solved again: once for every entry, beside once for every first test in the search.
#include "search/frontier.hpp"

namespace conjunct {

void FrontierSearch::write(const Node& node, const List& list, std::size_t n_leaves, std::vector<std::int64_t>& tree) {
    const Choice choice = list.choices[n_leaves - 1];
    if (choice.column < 0) {
        tree.push_back(-1 - leaf_class(node.block));
        return;
    }
    const Arena::Mark mark = arena_.mark();
    auto* cells = arena_.take<std::uint64_t>(cells_.n_words);
    tree.push_back(node.block.tests[choice.column]);
    for (const bool side : {true, false}) {
        const Part part = part_of(node, static_cast<std::size_t>(choice.column), side, cells);
        path_.push_back(2 * node.block.tests[choice.column] + side);
        const Node child = node_of(part);
        write(child, solve(child), choice.n_leaves[side], tree);
        path_.pop_back();
    }
    arena_.release(mark);
}

}  // namespace conjunct
