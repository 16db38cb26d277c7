#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <tuple>

#include "bind/native_kernel.hpp"
#include "learners/kernel_perceptron_pass.hpp"
#include "learners/replay_scores.hpp"

namespace conjunct::bind {
namespace {

using Words = Array<const std::uint64_t, 2>;
using Integers = Array<const std::int64_t, 1>;

bool all_within(const Integers& indices, std::size_t limit) {
    return std::all_of(indices.data(), indices.data() + indices.size(),
                       [&](std::int64_t i) { return i >= 0 && static_cast<std::size_t>(i) < limit; });
}

// Returns (position reached, mistakes written, rows in the support).
std::tuple<std::size_t, std::size_t, std::size_t> kernel_perceptron(
    const NativeLayout& layout, const NativeTable& table, Words cells, Integers cell_of,
    Array<const std::int8_t, 1> label, Integers rate, Integers order, Array<std::uint64_t, 2> support_words,
    Array<std::int64_t, 1> support_weight, Array<std::int64_t, 1> slot_of_cell, std::size_t n_support,
    std::size_t first, std::size_t work, Array<std::int64_t, 1> mistaken) {
    const std::size_t n_rows = cell_of.shape(0), n_cells = cells.shape(0), last = order.shape(0);
    require(cells.shape(1) == layout.view().n_words && support_words.shape(1) == cells.shape(1),
            "rows: another number of words than the kernel's layout");
    require(table.view().n_values == layout.view().n_values, "table: one value per index expected");
    require(label.shape(0) == n_rows && rate.shape(0) == n_rows, "label, rate: one per row expected");
    require(support_words.shape(0) == n_cells && support_weight.shape(0) == n_cells &&
                slot_of_cell.shape(0) == n_cells && n_support <= n_cells,
            "support: room for every cell expected");
    require(first <= last && mistaken.shape(0) >= last, "mistaken: room for every position expected");
    require(first > 0 || (all_within(cell_of, n_cells) && all_within(order, n_rows)), "cell_of, order: out of range");
    const Lesson lesson{rows_of(cells), cell_of.data(), label.data(), rate.data(), order.data()};
    Support support{support_words.data(), support_weight.data(), slot_of_cell.data(), n_support};
    nb::gil_scoped_release unlocked;
    std::vector<std::int64_t> histogram(layout.view().n_values);
    std::vector<std::uint64_t> limbs(table.n_limbs());
    const PassEnd end = kernel_perceptron_pass(layout.view(), table.view(), lesson, support, first, last, work,
                                               histogram.data(), limbs.data(), mistaken.data());
    return {end.position, end.n_mistakes, support.n_rows};
}

void replay(const NativeLayout& layout, const NativeTable& table, Words rows, Integers slot, Integers weight,
            std::size_t first, Array<std::int64_t, 1> sums, Array<std::uint64_t, 2> out) {
    require(rows.shape(1) == layout.view().n_words, "rows: another number of words than the kernel's layout");
    require(table.view().n_values == layout.view().n_values, "table: one value per index expected");
    require(weight.shape(0) == slot.shape(0) && all_within(slot, rows.shape(0)), "slot, weight: out of range");
    require(sums.shape(0) == rows.shape(0), "sums: one per row expected");
    require(out.shape(1) == table.n_limbs() && first + out.shape(0) <= slot.shape(0), "out: wrong shape");
    nb::gil_scoped_release unlocked;
    std::vector<std::int64_t> histogram(layout.view().n_values);
    replay_scores(layout.view(), table.view(), rows_of(rows), slot.data(), weight.data(), first, first + out.shape(0),
                  sums.data(), histogram.data(), out.data());
}

}  // namespace

void bind_learners(nb::module_& m) {
    def(m, "kernel_perceptron_pass", &kernel_perceptron, nb::arg("layout"), nb::arg("table"),
        nb::arg("cells").noconvert(), nb::arg("cell_of").noconvert(), nb::arg("label").noconvert(),
        nb::arg("rate").noconvert(), nb::arg("order").noconvert(), nb::arg("support_words").noconvert(),
        nb::arg("support_weight").noconvert(), nb::arg("slot_of_cell").noconvert(), nb::arg("n_support"),
        nb::arg("first"), nb::arg("work"), nb::arg("mistaken").noconvert());
    def(m, "replay_scores", &replay, nb::arg("layout"), nb::arg("table"), nb::arg("rows").noconvert(),
        nb::arg("slot").noconvert(), nb::arg("weight").noconvert(), nb::arg("first"), nb::arg("sums").noconvert(),
        nb::arg("out").noconvert());
}

}  // namespace conjunct::bind
