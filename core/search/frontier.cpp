#include "search/frontier.hpp"

#include <algorithm>

namespace conjunct {

constexpr std::size_t most_lanes_at_once = std::size_t{1} << 30;  // some 100 ms: above it, looks between columns

FrontierSearch::FrontierSearch(TreeCells cells, const TreeSearchSettings& settings, const PairLoops& loops)
    : TreeSearch{std::move(cells), settings, loops}, depth_{std::min(settings.max_depth, most_depth)} {}

void FrontierSearch::run(Watch watch) {
    watch_ = watch;
    stop_ = StopReason::none;
    const Arena::Mark mark = arena_.mark();
    Node root = root_node();
    root.depth = depth_;
    path_.clear();
    n_splits_ = root.block.n_columns;
    const List list = solve(root);
    errors_.clear(), trees_.clear();
    for (std::size_t l = 0; l < list.size; ++l) {
        errors_.push_back(root.forced + cells_.unit * list.errors[l]);
        if (l > 0 && list.errors[l] == list.errors[l - 1]) {
            trees_.push_back(trees_.back());
        } else {
            trees_.emplace_back();
            write(root, list, l + 1, trees_.back());
        }
    }
    arena_.release(mark);
}

// Looks after some hundred microseconds of counting; where memory is short the memo is emptied.
bool FrontierSearch::has_to_stop(std::size_t n_lanes) {
    if (stop_ != StopReason::none) return true;
    n_lanes_ += n_lanes;
    if (n_lanes_ < (std::uint64_t{1} << 20)) return false;
    n_lanes_ = 0;
    const std::size_t n_remembered = memo_.n_bytes() + remembered_.capacity() * sizeof(Errors);
    if (arena_.n_bytes() > settings_.max_bytes) {
        stop_ = StopReason::memory;
    } else if (arena_.n_bytes() + n_remembered > settings_.max_bytes) {
        memo_.clear();
        std::vector<Errors>().swap(remembered_);
        ++stats_.n_forgotten;
    }
    if (stop_ == StopReason::none)
        stop_ =
            watch_.is_over(watch_.context, static_cast<std::int64_t>(n_done_), static_cast<std::int64_t>(n_splits_));
    return stop_ != StopReason::none;
}

// What is known of both parts before they are looked into: one leaf and two exactly, three by the side that is a leaf.
FrontierSearch::Sides FrontierSearch::bounds(const Node& node, std::size_t column,
                                             const PairMinima& minima) const noexcept {
    Sides sides;
    sides.size = std::size_t{1} << (node.depth - 1);
    for (const bool side : {false, true}) {
        const std::int64_t one = node.errors[side][column], two = side ? minima.two_true : minima.two_false;
        const std::int64_t peel = node.depth < 3 ? 0 : side ? minima.peel_true : minima.peel_false;
        const bool is_leaf = one == 0 || two == infinite_peel || peel == infinite_peel;
        sides.is_exact[side] = is_leaf || sides.size <= 2;
        for (std::size_t l = 0; l < sides.size; ++l)
            sides.errors[side][l] = is_leaf || l == 0 ? one : l == 1 ? std::min(one, two) : l == 2 ? peel : 0;
    }
    return sides;
}

bool FrontierSearch::improves(const List& list, const Sides& sides) noexcept {
    for (std::size_t a = 0; a < sides.size; ++a)
        for (std::size_t b = 0; b < sides.size; ++b)
            if (sides.errors[0][a] + sides.errors[1][b] < list.errors[a + b + 1]) return true;
    return false;
}

void FrontierSearch::improve(List& list, const Sides& sides, std::size_t column) noexcept {
    for (std::size_t a = 0; a < sides.size; ++a)
        for (std::size_t b = 0; b < sides.size; ++b) {
            const std::int64_t sum = sides.errors[0][a] + sides.errors[1][b];
            for (std::size_t l = a + b + 1; l < list.size && sum < list.errors[l]; ++l) {
                list.errors[l] = sum;
                list.choices[l] = {static_cast<std::int32_t>(column),
                                   {static_cast<std::uint8_t>(a + 1), static_cast<std::uint8_t>(b + 1)}};
            }
        }
}

const PairMinima* FrontierSearch::pair_minima(const Node& node, bool with_peel) {
    const Block& block = node.block;
    const std::size_t n = block.n_columns;
    auto* minima = arena_.take<PairMinima>(n);
    stats_.n_pairs += n * n / 2;
    ++stats_.n_enumerations;
    if (block.n_classes == 2 && n * n * block.n_words < most_lanes_at_once) {
        has_to_stop(n * n * block.n_words / 2);
        auto* room = arena_.take<char>(4 * block.stride * (loops_.lane_bits / 8));
        loops_.all_minima(block, block, nullptr, settings_.min_samples_leaf, with_peel, room, minima);
        return minima;
    }
    for (std::size_t j = 0; j < n; ++j) {
        minima[j] = {0, 0, 0, 0};
        if (!has_to_stop(n * block.n_words))
            loops_.pair_minima(block, j, settings_.min_samples_leaf, with_peel, minima[j]);
    }
    return minima;
}

FrontierSearch::List FrontierSearch::solve(const Node& node) {
    List list;
    list.size = std::size_t{1} << node.depth;
    const std::size_t n = node.block.n_columns;
    const std::int64_t leaf = *std::min_element(node.block.totals, node.block.totals + node.block.n_classes);
    list.errors.fill(leaf);
    list.choices.fill({});
    ++stats_.n_nodes;
    if (node.depth == 0 || leaf == 0 || n == 0 || has_to_stop(n * n)) return list;
    if (node.depth == 1) {
        for (std::size_t j = 0; j < n; ++j)
            improve(list, {{Errors{node.errors[0][j]}, Errors{node.errors[1][j]}}, 1, {true, true}}, j);
        return list;
    }
    const PairMinima* minima = pair_minima(node, node.depth > 2);
    if (node.depth == 2) {
        for (std::size_t j = 0; j < n; ++j) improve(list, bounds(node, j, minima[j]), j);
    } else {
        split(node, minima, list);
    }
    return list;
}

FrontierSearch::Errors FrontierSearch::solve_part(const Part& part) {
    const bool is_remembered = part.depth == 2 && depth_ == 4;
    if (is_remembered && memo_.may_hold(part.hash)) {
        const Bound entry = memo_.find(part.cells, part.hash, part.depth);
        if (entry.lower >= 0) {
            ++stats_.n_memo_hits;
            return remembered_[entry.lemma];
        }
    }
    const Arena::Mark mark = arena_.mark();
    path_.push_back(2 * part.parent->block.tests[part.column] + part.side);
    const Errors errors = solve(node_of(part)).errors;
    if (is_remembered && stop_ == StopReason::none) {
        memo_.store(part.cells, part.hash, part.depth, {0, static_cast<std::uint32_t>(remembered_.size()), true}, -1,
                    path_);
        remembered_.push_back(errors);
    }
    path_.pop_back();
    arena_.release(mark);
    return errors;
}

// First tests by their errors of four leaves, the fewest first: the better the list, the more first tests improve nothing.
void FrontierSearch::split(const Node& node, const PairMinima* minima, List& list) {
    ++stats_.n_splits;
    const std::size_t n = node.block.n_columns;
    auto* order = arena_.take<std::uint32_t>(n);
    auto* promise = arena_.take<std::int64_t>(n);
    auto* cells = arena_.take<std::uint64_t>(cells_.n_words);
    for (std::size_t j = 0; j < n; ++j) {
        const Sides sides = bounds(node, j, minima[j]);
        order[j] = static_cast<std::uint32_t>(j);
        promise[j] = sides.errors[0][1] + sides.errors[1][1];
        // Trees of four leaves are known by now: better entries before any part is looked into.
        improve(list, {{sides.errors[0], sides.errors[1]}, 2, {true, true}}, j);
    }
    std::sort(order, order + n, [&](std::uint32_t a, std::uint32_t b) {
        return promise[a] != promise[b] ? promise[a] < promise[b] : a < b;
    });
    for (std::size_t i = 0; i < n && stop_ == StopReason::none; ++i) {
        const std::size_t j = order[i];
        if (path_.empty()) n_done_ = i;
        Sides sides = bounds(node, j, minima[j]);
        bool side = sides.errors[1][1] > sides.errors[0][1];  // the dearer part raises its bounds most
        for (int part = 0; part < 2 && improves(list, sides); ++part, side = !side) {
            if (sides.is_exact[side]) continue;
            sides.errors[side] = solve_part(part_of(node, j, side, cells));
            if (stop_ != StopReason::none) return;
            sides.is_exact[side] = true;
        }
        if (sides.is_exact[0] && sides.is_exact[1]) improve(list, sides, j);
    }
}

}  // namespace conjunct
