#include <nanobind/stl/optional.h>

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

// CellGroups that keep alive what they read, checked once.
class NativeGroups {
public:
    NativeGroups(nb::object pairs, Integers cell, Numbers sign, Numbers lam)
        : pairs_(pairs), cell_(cell), sign_(sign), lam_(lam), view_{nb::cast<const NativePairs&>(pairs).view(),
                                                                    active_level()->sums,
                                                                    cell.data(),
                                                                    sign.data(),
                                                                    lam.data(),
                                                                    cell.shape(0)} {
        require(sign.shape(0) == view_.n && lam.shape(0) == view_.n, "sign, lam: one per group expected");
        const auto is_cell = [&](std::int64_t c) { return c >= 0 && static_cast<std::size_t>(c) < view_.n_cells(); };
        require(std::all_of(cell.data(), cell.data() + view_.n, is_cell), "cell: out of range");
    }
    NativeGroups(const NativeGroups&) = delete;
    NativeGroups& operator=(const NativeGroups&) = delete;

    const CellGroups& view() const noexcept { return view_; }

private:
    nb::object pairs_;
    Integers cell_;
    Numbers sign_, lam_;
    CellGroups view_;
};

// The state of a search with the arrays it writes, and its groups.
class NativeMarginState {
public:
    NativeMarginState(nb::object groups, Numbers diagonal, Array<double, 1> weights, Array<double, 1> scores)
        : owners_{groups, diagonal, weights, scores}, groups_(nb::cast<const NativeGroups&>(groups).view()) {
        const std::size_t n_cells = groups_.n_cells();
        require(diagonal.shape(0) == groups_.n && weights.shape(0) == groups_.n,
                "diagonal, weights: one per group expected");
        require(scores.shape(0) == n_cells, "scores: one per cell expected");
        row_.resize(n_cells);
        state = {diagonal.data(), weights.data(), scores.data(), row_.data(), 0.0, 0};
    }
    NativeMarginState(const NativeMarginState&) = delete;
    NativeMarginState& operator=(const NativeMarginState&) = delete;

    const CellGroups& groups() const noexcept { return groups_; }

    MarginState state{};

private:
    std::tuple<nb::object, Numbers, Array<double, 1>, Array<double, 1>> owners_;
    const CellGroups& groups_;
    std::vector<double> row_;
};

class NativeRegularizedState {
public:
    NativeRegularizedState(nb::object groups, Integers counts, Integers steps,
                           Array<const std::uint8_t, 1> is_lam_exact, double unit, Array<std::int64_t, 1> updates,
                           Array<double, 1> scores, Array<double, 1> errors)
        : owners_{groups, counts, steps, is_lam_exact, updates, scores, errors},
          groups_(nb::cast<const NativeGroups&>(groups).view()) {
        const std::size_t n = groups_.n, n_cells = groups_.n_cells();
        require(is_lam_exact.shape(0) == n && updates.shape(0) == n && steps.shape(0) == n && counts.shape(0) == n,
                "updates, counts, steps, is_lam_exact: one per group expected");
        const auto is_positive = [](std::int64_t count) { return count > 0; };
        require(std::all_of(counts.data(), counts.data() + n, is_positive), "counts: positive numbers expected");
        require(scores.shape(0) == n_cells && errors.shape(0) == n_cells, "scores, errors: one per cell expected");
        row_.resize(n_cells);
        rows = {counts.data(), steps.data()};
        rounding = {is_lam_exact.data(), false, unit};
        state = {updates.data(), scores.data(), errors.data(), row_.data(), 0, 0, 0, 0, Verdict::none};
    }
    NativeRegularizedState(const NativeRegularizedState&) = delete;
    NativeRegularizedState& operator=(const NativeRegularizedState&) = delete;

    const CellGroups& groups() const noexcept { return groups_; }
    // An answer to `undecided`.
    void decide(bool is_update) noexcept { state.verdict = is_update ? Verdict::update : Verdict::stay; }

    RegularizedRows rows{};
    RegularizedRounding rounding{};
    RegularizedState state{};

private:
    std::tuple<nb::object, Integers, Integers, Array<const std::uint8_t, 1>, Array<std::int64_t, 1>, Array<double, 1>,
               Array<double, 1>>
        owners_;
    const CellGroups& groups_;
    std::vector<double> row_;
};

// Returns how it ended.
int margin(NativeMarginState& search, double slack, std::size_t n_most) {
    nb::gil_scoped_release unlocked;
    return static_cast<int>(margin_steps(search.groups(), slack, n_most, search.state));
}

int regularized(NativeRegularizedState& search, bool is_exact, std::size_t n_most) {
    search.rounding.is_exact = is_exact;
    nb::gil_scoped_release unlocked;
    return static_cast<int>(regularized_pass(search.groups(), search.rows, search.rounding, n_most, search.state));
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
    nb::class_<NativeGroups>(m, "CellGroups")
        .def(constructor<NativeGroups, nb::object, Integers, Numbers, Numbers>(), nb::arg("pairs"),
             nb::arg("cell").noconvert(), nb::arg("sign").noconvert(), nb::arg("lam").noconvert());
    nb::class_<NativeMarginState>(m, "MarginState")
        .def(constructor<NativeMarginState, nb::object, Numbers, Array<double, 1>, Array<double, 1>>(),
             nb::arg("groups"), nb::arg("diagonal").noconvert(), nb::arg("weights").noconvert(),
             nb::arg("scores").noconvert())
        .def_prop_rw(
            "form", [](const NativeMarginState& search) { return search.state.form; },
            [](NativeMarginState& search, double form) { search.state.form = form; })
        .def_prop_ro("n_steps", [](const NativeMarginState& search) { return search.state.n_steps; });
    def(m, "margin_steps", &margin, nb::arg("state"), nb::arg("slack"), nb::arg("n_most"));
    nb::class_<NativeRegularizedState>(m, "RegularizedState")
        .def(constructor<NativeRegularizedState, nb::object, Integers, Integers, Array<const std::uint8_t, 1>, double,
                         Array<std::int64_t, 1>, Array<double, 1>, Array<double, 1>>(),
             nb::arg("groups"), nb::arg("counts").noconvert(), nb::arg("steps").noconvert(),
             nb::arg("is_lam_exact").noconvert(), nb::arg("unit"), nb::arg("updates").noconvert(),
             nb::arg("scores").noconvert(), nb::arg("errors").noconvert())
        .def_prop_ro("group", [](const NativeRegularizedState& search) { return search.state.group; })
        .def_prop_ro("n_clean", [](const NativeRegularizedState& search) { return search.state.n_clean; })
        .def_prop_ro("n_updates", [](const NativeRegularizedState& search) { return search.state.n_updates; })
        .def("decide", &NativeRegularizedState::decide, nb::arg("is_update"));
    def(m, "regularized_pass", &regularized, nb::arg("state"), nb::arg("is_exact"), nb::arg("n_most"));
}

}  // namespace conjunct::bind
