#include "search/tree_cells.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace conjunct {
namespace {

using Penalties = std::span<const std::int64_t>;

// Adds a row for every binary digit of a weight to the groups of these classes.
void add_weight(std::map<std::pair<std::uint64_t, std::uint32_t>, std::vector<std::uint32_t>>& groups,
                std::uint64_t classes, std::int64_t weight, std::uint32_t cell) {
    for (std::uint32_t shift = 0; weight >> shift; ++shift)
        if (weight >> shift & 1) groups[{classes, shift}].push_back(cell);
}

}  // namespace

TreeCells tree_cells(Rows tests, std::size_t n_tests, Penalties penalties, std::size_t n_classes, Penalties removals,
                     Penalties sizes, std::int64_t min_samples_leaf) {
    TreeCells result;
    const std::size_t n = tests.n_rows;
    const auto of = [&](std::size_t cell) { return penalties.subspan(cell * n_classes, n_classes); };
    const auto least = [&](std::size_t cell) { return *std::min_element(of(cell).begin(), of(cell).end()); };
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::tuple(least(a), removals[a], sizes[a]) < std::tuple(least(b), removals[b], sizes[b]);
    });
    result.n_cells = n, result.n_tests = n_tests, result.n_classes = n_classes, result.n_words = (n + 63) / 64;
    result.columns.assign(n_tests * result.n_words, 0);
    result.all.assign(result.n_words, 0);
    std::vector<std::int64_t> forced(n), sorted_removals(n), sorted_sizes(n);
    std::int64_t unit = 0;
    bool has_silent = false;
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t cell = order[i];
        forced[i] = least(cell), sorted_removals[i] = removals[cell], sorted_sizes[i] = sizes[cell];
        std::int64_t most = 0;
        for (const std::int64_t penalty : of(cell)) {
            unit = std::gcd(unit, penalty - forced[i]);
            most = std::max(most, penalty - forced[i]);
        }
        has_silent = has_silent || most == 0;
        result.all[i / 64] |= std::uint64_t{1} << (i % 64);
        for (std::size_t j = 0; j < n_tests; ++j)
            if (tests.row(cell)[j / 64] >> (j % 64) & 1)
                result.columns[j * result.n_words + i / 64] |= std::uint64_t{1} << (i % 64);
    }
    result.unit = unit ? unit : 1;
    result.forced = CellNumbers(forced), result.removals = CellNumbers(sorted_removals);
    result.sizes = CellNumbers(sorted_sizes);
    result.is_sized = has_silent || min_samples_leaf > 1;

    std::map<std::pair<std::uint64_t, std::uint32_t>, std::vector<std::uint32_t>> groups;
    std::vector<std::int64_t> sums(n_classes + 1, 0);
    for (std::size_t i = 0; i < n; ++i) {
        const auto cell = static_cast<std::uint32_t>(i);
        std::int64_t most = 0, gains = 0;
        std::vector<std::int64_t> units(n_classes);
        for (std::size_t k = 0; k < n_classes; ++k) {
            units[k] = (of(order[i])[k] - forced[i]) / result.unit;
            sums[k] += units[k];
            most = std::max(most, units[k]);
        }
        for (const std::int64_t u : units) gains += most - u;
        if (gains == most && n_classes > 2) {  // one class pays nothing and all others the same: one row for them all
            std::uint64_t payers = 0;
            for (std::size_t k = 0; k < n_classes; ++k) payers |= std::uint64_t{units[k] != 0} << k;
            add_weight(groups, payers, most, cell);
        } else {
            for (std::size_t k = 0; k < n_classes; ++k) add_weight(groups, std::uint64_t{1} << k, units[k], cell);
        }
        const std::int64_t size = min_samples_leaf > 1 ? sorted_sizes[i] : most == 0;
        sums[n_classes] += size;
        add_weight(groups, 0, size, cell);
    }
    for (auto& [key, cells] : groups) {
        result.groups.push_back({key.first, 0, 0, static_cast<std::uint32_t>(cells.size()), key.second});
        result.cells_of_groups.push_back(std::move(cells));
    }
    // No sum reaches the largest number of a lane, which stands for infinity.
    const std::int64_t largest = std::accumulate(sums.begin(), sums.end(), std::int64_t{0});
    result.lanes = largest < 0xffff ? 0 : largest < 0xffffffff ? 1 : 2;
    return result;
}

}  // namespace conjunct
