#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <vector>

#include "bind/native_kernel.hpp"
#include "learners/margin_steps.hpp"
#include "learners/regularized_pass.hpp"
#include "simd/level.hpp"

namespace conjunct::bind {
namespace {

using Words = Array<const std::uint64_t, 2>;
using Numbers = Array<const double, 1>;
using Integers = Array<const std::int64_t, 1>;

// A PairSource that keeps alive what it reads.
class NativePairs {
public:
    NativePairs(nb::object layout, Words words, Numbers table) : layout_(layout), words_(words) {
        const Layout view = nb::cast<const NativeLayout&>(layout).view();
        require(words.shape(1) == view.n_words, "rows: another number of words than the kernel's layout");
        require(table.shape(0) == view.n_values, "table: one value per index expected");
        table_.assign(table.data(), table.data() + table.shape(0));
        source_ = {view, rows_of(words_), table_.data(), nullptr, nullptr};
    }
    template <class Count>
    NativePairs(nb::object layout, Words words, Numbers table, Array<const Count, 2> counts)
        : NativePairs(layout, words, table) {
        require(counts.shape(0) == words.shape(0) && counts.shape(1) == words.shape(0),
                "counts: one per pair expected");
        // Any count the type holds finds a value.
        table_.resize(std::max<std::size_t>(table_.size(), std::numeric_limits<Count>::max() + 1u));
        source_.table = table_.data();
        keep(counts);
    }
    NativePairs(const NativePairs&) = delete;
    NativePairs& operator=(const NativePairs&) = delete;

    const PairSource& view() const noexcept { return source_; }

private:
    void keep(Array<const std::uint8_t, 2> counts) {
        bytes_ = counts;
        source_.bytes = counts.data();
    }
    void keep(Array<const std::uint16_t, 2> counts) {
        shorts_ = counts;
        source_.shorts = counts.data();
    }

    nb::object layout_;
    Words words_;
    std::optional<Array<const std::uint8_t, 2>> bytes_;
    std::optional<Array<const std::uint16_t, 2>> shorts_;
    std::vector<double> table_;
    PairSource source_;
};

CellGroups groups_of(const NativePairs& pairs, const Integers& cell, const Numbers& sign, const Numbers& lam) {
    const std::size_t n = cell.shape(0), n_cells = pairs.view().rows.n_rows;
    require(sign.shape(0) == n && lam.shape(0) == n, "sign, lam: one per group expected");
    require(std::all_of(cell.data(), cell.data() + n,
                        [&](std::int64_t c) { return c >= 0 && static_cast<std::size_t>(c) < n_cells; }),
            "cell: out of range");
    return {cell.data(), sign.data(), lam.data(), n};
}

// Returns (how it ended, next group, groups seen without update, updates on this visit, updates made).
std::tuple<int, std::size_t, std::size_t, std::size_t, std::size_t> regularized(
    const NativePairs& pairs, Integers cell, Numbers sign, Numbers lam, Integers counts, Integers steps,
    Array<const std::uint8_t, 1> is_lam_exact, bool is_exact, double unit, std::size_t n_most, int verdict,
    std::size_t place, std::size_t n_clean, std::size_t n_here, Array<std::int64_t, 1> updates, Array<double, 1> scores,
    Array<double, 1> errors, Array<double, 1> row) {
    const CellGroups groups = groups_of(pairs, cell, sign, lam);
    const std::size_t n_cells = pairs.view().rows.n_rows;
    require(is_lam_exact.shape(0) == groups.n && updates.shape(0) == groups.n && steps.shape(0) == groups.n &&
                counts.shape(0) == groups.n,
            "updates, counts, steps: one per group expected");
    for (std::size_t g = 0; g < groups.n; ++g) require(counts.data()[g] > 0, "counts: positive numbers expected");
    require(scores.shape(0) == n_cells && errors.shape(0) == n_cells && row.shape(0) == n_cells,
            "scores, errors, row: one per cell expected");
    require(place < groups.n || n_clean >= groups.n, "place: no such group");
    require(verdict >= 0 && verdict <= 2, "verdict: out of range");
    RegularizedState state{updates.data(), scores.data(), errors.data(), place, n_clean, n_here, 0};
    const SumLoops& loops = active_level()->sums;
    nb::gil_scoped_release unlocked;
    const RegularizedEnd end = regularized_pass(pairs.view(), loops, groups, {counts.data(), steps.data()},
                                                {is_lam_exact.data(), is_exact, unit}, n_most,
                                                static_cast<Verdict>(verdict), row.data(), state);
    return {static_cast<int>(end), state.place, state.n_clean, state.n_here, state.n_updates};
}

// Returns (how it ended, W, steps made).
std::tuple<int, double, std::size_t> margin(const NativePairs& pairs, Integers cell, Numbers sign, Numbers lam,
                                            Numbers own, double slack, std::size_t n_most, double form,
                                            Array<double, 1> weights, Array<double, 1> scores, Array<double, 1> row) {
    const CellGroups groups = groups_of(pairs, cell, sign, lam);
    const std::size_t n_cells = pairs.view().rows.n_rows;
    require(own.shape(0) == groups.n && weights.shape(0) == groups.n, "own, weights: one per group expected");
    require(scores.shape(0) == n_cells && row.shape(0) == n_cells, "scores, row: one per cell expected");
    MarginState state{weights.data(), scores.data(), form, 0};
    const SumLoops& loops = active_level()->sums;
    nb::gil_scoped_release unlocked;
    const MarginEnd end = margin_steps(pairs.view(), loops, groups, own.data(), slack, n_most, row.data(), state);
    return {static_cast<int>(end), state.form, state.n_steps};
}

}  // namespace

void bind_margin(nb::module_& m) {
    nb::class_<NativePairs>(m, "PairSource")
        .def(constructor<NativePairs, nb::object, Words, Numbers>(), nb::arg("layout"), nb::arg("words").noconvert(),
             nb::arg("table").noconvert())
        .def(constructor<NativePairs, nb::object, Words, Numbers, Array<const std::uint8_t, 2>>(), nb::arg("layout"),
             nb::arg("words").noconvert(), nb::arg("table").noconvert(), nb::arg("counts").noconvert())
        .def(constructor<NativePairs, nb::object, Words, Numbers, Array<const std::uint16_t, 2>>(), nb::arg("layout"),
             nb::arg("words").noconvert(), nb::arg("table").noconvert(), nb::arg("counts").noconvert());
    def(m, "regularized_pass", &regularized, nb::arg("pairs"), nb::arg("cell").noconvert(), nb::arg("sign").noconvert(),
        nb::arg("lam").noconvert(), nb::arg("counts").noconvert(), nb::arg("steps").noconvert(),
        nb::arg("is_lam_exact").noconvert(), nb::arg("is_exact"), nb::arg("unit"), nb::arg("n_most"),
        nb::arg("verdict"), nb::arg("place"), nb::arg("n_clean"), nb::arg("n_here"), nb::arg("updates").noconvert(),
        nb::arg("scores").noconvert(), nb::arg("errors").noconvert(), nb::arg("row").noconvert());
    def(m, "margin_steps", &margin, nb::arg("pairs"), nb::arg("cell").noconvert(), nb::arg("sign").noconvert(),
        nb::arg("lam").noconvert(), nb::arg("own").noconvert(), nb::arg("slack"), nb::arg("n_most"), nb::arg("form"),
        nb::arg("weights").noconvert(), nb::arg("scores").noconvert(), nb::arg("row").noconvert());
}

}  // namespace conjunct::bind
