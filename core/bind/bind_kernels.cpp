#include <nanobind/stl/optional.h>

#include "bind/native_kernel.hpp"
#include "bind/parallel.hpp"
#include "kernels/agreement_counts.hpp"
#include "kernels/exact_scores.hpp"
#include "kernels/floor_carry.hpp"
#include "kernels/vote_rows.hpp"

namespace conjunct::bind {
namespace {

using Words = Array<const std::uint64_t, 2>;

void require_rows(const NativeLayout& layout, const Words& words) {
    require(words.shape(1) == layout.view().n_words, "rows: another number of words than the kernel's layout");
}

void agreements(const NativeLayout& layout, Words a, Words b, Array<std::int32_t, 2> out, std::size_t threads) {
    require_rows(layout, a);
    require_rows(layout, b);
    require(out.shape(0) == a.shape(0) && out.shape(1) == b.shape(0), "out: wrong shape");
    nb::gil_scoped_release unlocked;
    in_parallel(a.shape(0), parts_for(a.shape(0), threads), [&](std::size_t, std::size_t first, std::size_t last) {
        agreement_counts(layout.view(), rows_of(a), rows_of(b), first, last, out.data());
    });
}

Expansion expansion_of(const NativeLayout& layout, const NativeTable& table, const Words& rows,
                       const Array<const std::int64_t, 2>& weights, const Words& x) {
    require_rows(layout, rows);
    require_rows(layout, x);
    require(weights.shape(0) > 0 && weights.shape(1) == rows.shape(0), "weights: one per output and row expected");
    require(table.view().n_values == layout.view().n_values, "table: one value per index expected");
    return {layout.view(), table.view(), rows_of(rows), weights.data(), weights.shape(0)};
}

void scores(const NativeLayout& layout, const NativeTable& table, Words rows, Array<const std::int64_t, 2> weights,
            Words x, Array<std::uint64_t, 3> out, std::size_t threads) {
    const Expansion expansion = expansion_of(layout, table, rows, weights, x);
    require(out.shape(0) == x.shape(0) && out.shape(1) == expansion.n_outputs && out.shape(2) == table.n_limbs(),
            "out: wrong shape");
    const std::size_t n_parts = parts_for(x.shape(0), threads);
    const std::size_t room = expansion.n_outputs * expansion.table.n_values;
    nb::gil_scoped_release unlocked;
    std::vector<std::int64_t> histograms(n_parts * room);
    in_parallel(x.shape(0), n_parts, [&](std::size_t part, std::size_t first, std::size_t last) {
        exact_scores(expansion, rows_of(x), first, last, histograms.data() + part * room, out.data());
    });
}

void choices(const NativeLayout& layout, const NativeTable& table, Words rows, Array<const std::int64_t, 2> weights,
             Words x, Array<std::int64_t, 1> out, std::size_t threads) {
    const Expansion expansion = expansion_of(layout, table, rows, weights, x);
    require(out.shape(0) == x.shape(0), "out: wrong shape");
    const std::size_t n_parts = parts_for(x.shape(0), threads);
    const std::size_t room = expansion.n_outputs * expansion.table.n_values, n_limbs = table.n_limbs();
    nb::gil_scoped_release unlocked;
    std::vector<std::int64_t> histograms(n_parts * room);
    std::vector<std::uint64_t> limbs(n_parts * 2 * n_limbs);
    in_parallel(x.shape(0), n_parts, [&](std::size_t part, std::size_t first, std::size_t last) {
        exact_choices(expansion, rows_of(x), first, last, histograms.data() + part * room,
                      limbs.data() + part * 2 * n_limbs, out.data());
    });
}

void votes(const NativeLayout& layout, const NativeTable& table, Words rows, Array<const std::int64_t, 1> slot,
           Array<const std::int64_t, 1> weight, Array<const std::int64_t, 1> survival, Words x,
           Array<std::int64_t, 1> out, std::size_t threads) {
    require_rows(layout, rows);
    require_rows(layout, x);
    require(table.view().n_values == layout.view().n_values, "table: one value per index expected");
    require(weight.shape(0) == slot.shape(0) && survival.shape(0) == slot.shape(0) + 1, "updates: lengths differ");
    require(out.shape(0) == x.shape(0), "out: wrong shape");
    const std::vector<std::int64_t> slots(slot.data(), slot.data() + slot.shape(0));  // others may change theirs
    for (const std::int64_t s : slots)
        require(s >= 0 && static_cast<std::size_t>(s) < rows.shape(0), "slot: no such row");
    const Updates updates{slots.data(), weight.data(), survival.data(), slots.size()};
    const std::size_t n_parts = parts_for(x.shape(0), threads);
    const std::size_t n_indices = layout.view().n_summands * rows.shape(0), n_limbs = table.n_limbs();
    nb::gil_scoped_release unlocked;
    std::vector<std::int32_t> indices(n_parts * n_indices);
    std::vector<std::uint64_t> limbs(n_parts * n_limbs);
    in_parallel(x.shape(0), n_parts, [&](std::size_t part, std::size_t first, std::size_t last) {
        vote_rows(layout.view(), table.view(), rows_of(rows), updates, rows_of(x), first, last,
                  indices.data() + part * n_indices, limbs.data() + part * n_limbs, out.data());
    });
}

int sign_of_powers(Array<const std::int64_t, 1> histogram, Array<const std::int64_t, 1> digits) {
    require(digits.shape(0) == histogram.shape(0), "digits: one per count expected");
    return floor_carry_sign(histogram.data(), digits.data(), histogram.shape(0));
}

}  // namespace

void bind_kernels(nb::module_& m) {
    nb::class_<NativeLayout>(m, "Layout")
        .def(constructor<NativeLayout, Array<const std::uint8_t, 1>, Array<const std::uint64_t, 2>,
                         Array<const std::int32_t, 1>, Array<const std::int32_t, 1>, Array<const std::int32_t, 1>,
                         std::size_t>(),
             nb::arg("same"), nb::arg("masks"), nb::arg("strides"), nb::arg("summand_of"), nb::arg("offsets"),
             nb::arg("n_values"));
    nb::class_<NativeTable>(m, "ExactTable")
        .def(constructor<NativeTable, Array<const std::uint64_t, 2>, Array<const std::uint64_t, 1>,
                         std::optional<Array<const std::int64_t, 1>>>(),
             nb::arg("values"), nb::arg("threshold"), nb::arg("digits").none())
        .def_prop_ro("n_limbs", &NativeTable::n_limbs);
    def(m, "agreements", &agreements, nb::arg("layout"), nb::arg("a").noconvert(), nb::arg("b").noconvert(),
        nb::arg("out").noconvert(), nb::arg("threads"));
    def(m, "exact_scores", &scores, nb::arg("layout"), nb::arg("table"), nb::arg("rows").noconvert(),
        nb::arg("weights").noconvert(), nb::arg("x").noconvert(), nb::arg("out").noconvert(), nb::arg("threads"));
    def(m, "exact_choices", &choices, nb::arg("layout"), nb::arg("table"), nb::arg("rows").noconvert(),
        nb::arg("weights").noconvert(), nb::arg("x").noconvert(), nb::arg("out").noconvert(), nb::arg("threads"));
    def(m, "votes", &votes, nb::arg("layout"), nb::arg("table"), nb::arg("rows").noconvert(),
        nb::arg("slot").noconvert(), nb::arg("weight").noconvert(), nb::arg("survival").noconvert(),
        nb::arg("x").noconvert(), nb::arg("out").noconvert(), nb::arg("threads"));
    def(m, "floor_carry_sign", &sign_of_powers, nb::arg("histogram").noconvert(), nb::arg("digits").noconvert());
}

}  // namespace conjunct::bind
