// Gathering: the rows of a set are moved together, column by column, so that small sets have few words; columns that do not
// split the set, or split it like an earlier one, are left out, since no rule needs a case for them.
#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "search/tree_search.hpp"

namespace conjunct {

Block TreeSearch::room_for(std::size_t n_columns, std::size_t n_words, std::size_t n_groups) {
    const std::size_t lane_bytes = loops_.lane_bits / 8, lanes_per_line = 64 / lane_bytes;
    Block block{};
    block.n_columns = n_columns;
    block.stride = (std::max<std::size_t>(n_columns, 1) + lanes_per_line - 1) / lanes_per_line * lanes_per_line;
    block.n_words = n_words, block.n_groups = n_groups;
    block.n_classes = cells_.n_classes, block.is_sized = cells_.is_sized;
    block.words = arena_.take<char>(n_words * block.stride * lane_bytes);
    block.sums = arena_.take<char>((block.n_classes + 1) * block.stride * lane_bytes);
    block.totals = arena_.take<std::int64_t>(block.n_classes + 1);
    block.groups = arena_.take<RowGroup>(n_groups);
    block.tests = arena_.take<std::uint32_t>(n_columns);
    return block;
}

Block TreeSearch::root_block() {
    const std::size_t bits = loops_.lane_bits;
    std::size_t n_words = 0;
    for (const RowGroup& group : cells_.groups) n_words += (group.n_rows + bits - 1) / bits;
    Block block = room_for(cells_.n_tests, n_words, cells_.groups.size());
    std::memset(block.words, 0, n_words * block.stride * (bits / 8));
    std::uint32_t word = 0;
    for (std::size_t g = 0; g < cells_.groups.size(); ++g) {
        const auto n_group_words = static_cast<std::uint32_t>((cells_.groups[g].n_rows + bits - 1) / bits);
        block.groups[g] = cells_.groups[g];
        block.groups[g].first_word = word, block.groups[g].n_words = n_group_words;
        for (std::size_t r = 0; r < cells_.groups[g].n_rows; ++r) {
            const std::size_t cell = cells_.cells_of_groups[g][r];
            char* row = static_cast<char*>(block.words) + (word + r / bits) * block.stride * (bits / 8);
            for (std::size_t j = 0; j < cells_.n_tests; ++j)
                if (cells_.column(j)[cell / 64] >> (cell % 64) & 1)  // little-endian, as x86 and ARM are
                    row[j * (bits / 8) + r % bits / 8] |= static_cast<char>(1 << (r % 8));
        }
        word += n_group_words;
    }
    for (std::size_t j = 0; j < cells_.n_tests; ++j) block.tests[j] = static_cast<std::uint32_t>(j);
    loops_.sum_columns(block);
    return block;
}

void TreeSearch::keep_distinct(Block& block) {
    const std::size_t n_slots = std::bit_ceil(2 * block.n_columns + 1);
    auto* kept = arena_.take<std::uint32_t>(block.n_columns);
    auto* hashes = arena_.take<char>(block.stride * (loops_.lane_bits / 8));
    auto* table = arena_.take<std::uint32_t>(n_slots);
    const std::size_t n_kept = loops_.distinct_columns(block, settings_.min_samples_leaf, hashes, table, n_slots, kept);
    if (n_kept == block.n_columns) return;
    Block picked = room_for(n_kept, block.n_words, block.n_groups);
    loops_.pick_columns(block, kept, n_kept, picked);
    std::copy_n(block.totals, block.n_classes + 1, picked.totals);
    std::copy_n(block.groups, block.n_groups, picked.groups);
    for (std::size_t j = 0; j < n_kept; ++j) picked.tests[j] = block.tests[kept[j]];
    block = picked;
}

TreeSearch::Node TreeSearch::root_node() {
    Node node{};
    node.pairs = new (arena_.take<PairCounts>(1)) PairCounts;
    node.block = root_block();
    keep_distinct(node.block);
    node.cells = cells_.all.data();
    node.hash = hash_(node.cells);
    node.forced = cells_.forced.sum(node.cells);
    const std::int64_t* totals = node.block.totals;
    node.leaf = node.forced + settings_.leaf_cost + cells_.unit * *std::min_element(totals, totals + cells_.n_classes);
    set_errors(node);
    node.depth = settings_.max_depth;
    return node;
}

TreeSearch::Node TreeSearch::node_of(const Part& part) {
    const Block& parent = part.parent->block;
    Node node{};
    node.pairs = new (arena_.take<PairCounts>(1)) PairCounts;
    node.parent = part.parent, node.column = part.column, node.side = part.side;
    node.block = room_for(parent.n_columns, parent.n_words, parent.n_groups);
    std::copy_n(parent.tests, parent.n_columns, node.block.tests);
    loops_.take_rows(parent, part.column, part.side, node.block);
    loops_.sum_columns(node.block);
    keep_distinct(node.block);
    set_errors(node);
    node.cells = part.cells, node.hash = part.hash;
    node.forced = part.forced, node.leaf = part.leaf, node.depth = part.depth;
    return node;
}

void TreeSearch::set_errors(Node& node) {
    auto* if_true = arena_.take<std::int64_t>(node.block.stride);
    auto* if_false = arena_.take<std::int64_t>(node.block.stride);
    loops_.leaf_errors(node.block, if_true, if_false);
    node.errors[0] = if_false, node.errors[1] = if_true;
}

}  // namespace conjunct
