#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <tuple>

#include "bind/native_kernel.hpp"
#include "learners/kernel_perceptron_pass.hpp"
#include "learners/replay_scores.hpp"

namespace conjunct::bind {
namespace {

using Words = Array<const std::uint64_t, 2>;

// What a kernel learner is shown in a pass; checked once.
class NativeKernelLesson {
public:
    NativeKernelLesson(Words cells, Integers cell_of, Array<const std::int8_t, 1> label, Integers rate, Integers order)
        : cells_{cells}, cell_of_{cell_of}, label_{label}, rate_{rate}, order_{order} {
        const std::size_t n_rows = cell_of.shape(0);
        require(label.shape(0) == n_rows && rate.shape(0) == n_rows, "label, rate: one per row expected");
        require(all_within(cell_of, cells.shape(0)) && all_within(order, n_rows), "cell_of, order: out of range");
    }
    Lesson view() const { return {rows_of(cells_), cell_of_.data(), label_.data(), rate_.data(), order_.data()}; }
    std::size_t n_cells() const { return cells_.shape(0); }
    std::size_t n_words() const { return cells_.shape(1); }
    std::size_t n_positions() const { return order_.shape(0); }

private:
    Words cells_;
    Integers cell_of_;
    Array<const std::int8_t, 1> label_;
    Integers rate_, order_;
};

class NativeSupport {
public:
    NativeSupport(Array<std::uint64_t, 2> words, Array<std::int64_t, 1> weights, Array<std::int64_t, 1> slot_of_cell,
                  std::size_t n_rows)
        : words_{words}, weights_{weights}, slot_of_cell_{slot_of_cell}, n_rows{n_rows} {
        const std::size_t n_cells = words.shape(0);
        require(weights.shape(0) == n_cells && slot_of_cell.shape(0) == n_cells && n_rows <= n_cells,
                "support: room for every cell expected");
    }
    Support view() const { return {words_.data(), weights_.data(), slot_of_cell_.data(), n_rows}; }
    bool fits(const NativeKernelLesson& lesson) const {
        return words_.shape(0) == lesson.n_cells() && words_.shape(1) == lesson.n_words();
    }

private:
    Array<std::uint64_t, 2> words_;
    Array<std::int64_t, 1> weights_, slot_of_cell_;

public:
    std::size_t n_rows;
};

// Returns (position reached, mistakes written).
std::tuple<std::size_t, std::size_t> kernel_perceptron(const NativeLayout& layout, const NativeTable& table,
                                                       const NativeKernelLesson& lesson, NativeSupport& native,
                                                       std::size_t first, std::size_t work,
                                                       Array<std::int64_t, 1> mistaken) {
    const std::size_t last = lesson.n_positions();
    require(lesson.n_words() == layout.view().n_words, "rows: another number of words than the kernel's layout");
    require(table.view().n_values == layout.view().n_values, "table: one value per index expected");
    require(native.fits(lesson), "support: room for every cell expected");
    require(first <= last && mistaken.shape(0) >= last, "mistaken: room for every position expected");
    Support support = native.view();
    nb::gil_scoped_release unlocked;
    std::vector<std::int64_t> histogram(layout.view().n_values);
    std::vector<std::uint64_t> limbs(table.n_limbs());
    const PassEnd end = kernel_perceptron_pass(layout.view(), table.view(), lesson.view(), support, first, last, work,
                                               histogram.data(), limbs.data(), mistaken.data());
    native.n_rows = support.n_rows;
    return {end.position, end.n_mistakes};
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
    nb::class_<NativeKernelLesson>(m, "KernelLesson")
        .def(constructor<NativeKernelLesson, Words, Integers, Array<const std::int8_t, 1>, Integers, Integers>(),
             nb::arg("cells").noconvert(), nb::arg("cell_of").noconvert(), nb::arg("label").noconvert(),
             nb::arg("rate").noconvert(), nb::arg("order").noconvert());
    nb::class_<NativeSupport>(m, "Support")
        .def(constructor<NativeSupport, Array<std::uint64_t, 2>, Array<std::int64_t, 1>, Array<std::int64_t, 1>,
                         std::size_t>(),
             nb::arg("words").noconvert(), nb::arg("weights").noconvert(), nb::arg("slot_of_cell").noconvert(),
             nb::arg("n_rows"))
        .def_ro("n_rows", &NativeSupport::n_rows);
    def(m, "kernel_perceptron_pass", &kernel_perceptron, nb::arg("layout"), nb::arg("table"), nb::arg("lesson"),
        nb::arg("support"), nb::arg("first"), nb::arg("work"), nb::arg("mistaken").noconvert());
    def(m, "replay_scores", &replay, nb::arg("layout"), nb::arg("table"), nb::arg("rows").noconvert(),
        nb::arg("slot").noconvert(), nb::arg("weight").noconvert(), nb::arg("first"), nb::arg("sums").noconvert(),
        nb::arg("out").noconvert());
}

}  // namespace conjunct::bind
