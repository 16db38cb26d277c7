#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "bind/arrays.hpp"
#include "bits/sparse_dot.hpp"
#include "bits/sparse_ones.hpp"
#include "bits/sparse_take.hpp"
#include "learners/exponentiated_gradient_pass.hpp"
#include "learners/perceptron_pass.hpp"
#include "learners/winnow_pass.hpp"

namespace conjunct::bind {
namespace {

using Integers = Array<const std::int64_t, 1>;
using Places = Array<const std::int32_t, 1>;
using Doubles = Array<const double, 1>;
using Labels = Array<const std::int8_t, 1>;

// Rows that were checked once: their lists in order, their places within n_places.
class NativeSparseRows {
public:
    NativeSparseRows(Integers starts, Places places, std::optional<Doubles> values, std::size_t n_places,
                     bool is_checked)
        : starts_{starts}, places_{places}, values_{values}, n_places_{n_places} {
        if (is_checked) return;  // by sparse_ones, or taken from rows that were
        require(starts.shape(0) >= 1 && starts.data()[0] == 0 &&
                    std::is_sorted(starts.data(), starts.data() + starts.shape(0)) &&
                    starts.data()[starts.shape(0) - 1] == static_cast<std::int64_t>(places.shape(0)),
                "starts: not those of the places");
        require(!values || values->shape(0) == places.shape(0), "values: one per place expected");
        std::int32_t highest = -1;
        for (std::size_t k = 0; k < places.shape(0); ++k) {
            lowest_ = std::min(lowest_, places.data()[k]);
            highest = std::max(highest, places.data()[k]);
        }
        require(highest < static_cast<std::int64_t>(n_places), "places: out of range");
    }

    SparseRows view() const {
        return {starts_.data(), places_.data(), values_ ? values_->data() : nullptr, starts_.shape(0) - 1};
    }
    std::size_t n_places() const { return n_places_; }
    bool has_unseen() const { return lowest_ < 0; }
    std::int32_t lowest() const { return lowest_; }
    bool has_values() const { return values_.has_value(); }

private:
    Integers starts_;
    Places places_;
    std::optional<Doubles> values_;
    std::size_t n_places_;
    std::int32_t lowest_ = 0;
};

template <class Value>
bool are_ones(Integers starts, Places places, Array<const Value, 1> values, std::size_t n_places,
              Array<std::int32_t, 1> own) {
    const std::size_t n = places.shape(0);
    require(values.shape(0) == n && own.shape(0) == n && n_places < (std::size_t{1} << 31), "places: too many or few");
    require(starts.shape(0) >= 1, "starts: too few");
    const std::size_t n_rows = starts.shape(0) - 1;
    if (starts.data()[0] != 0 || !std::is_sorted(starts.data(), starts.data() + n_rows + 1) ||
        static_cast<std::size_t>(starts.data()[n_rows]) != n)
        return false;
    nb::gil_scoped_release unlocked;
    return sparse_ones(starts.data(), places.data(), values.data(), n_rows, static_cast<std::int32_t>(n_places),
                       own.data());
}

void take(const NativeSparseRows& rows, Integers index, Integers starts, Array<std::int32_t, 1> places,
          Array<double, 1> values) {
    const SparseRows from = rows.view();
    std::int64_t at = 0;
    require(starts.shape(0) == index.shape(0) + 1, "starts: one more than rows expected");
    for (std::size_t k = 0; k < index.shape(0); ++k) {
        const std::int64_t i = index.data()[k];
        require(i >= 0 && static_cast<std::size_t>(i) < from.n_rows && starts.data()[k] == at, "index: out of range");
        at += from.starts[i + 1] - from.starts[i];
    }
    const auto size = static_cast<std::size_t>(at);
    require(places.shape(0) == size && values.shape(0) == (from.values ? size : 0), "places, values: room expected");
    nb::gil_scoped_release unlocked;
    sparse_take(from, index.data(), starts.data(), index.shape(0), places.data(), values.data());
}

template <class W>
void dot(const NativeSparseRows& rows, Array<const W, 1> weights, W unseen, std::size_t first, Array<W, 1> out) {
    require(weights.shape(0) >= rows.n_places(), "weights: one per place expected");
    const std::size_t n_rows = rows.view().n_rows;
    require(first <= n_rows && out.shape(0) <= n_rows - first, "out: more rows than there are");
    require((std::is_same_v<W, double>) || !rows.has_values(), "integer weights: Boolean rows expected");
    nb::gil_scoped_release unlocked;
    sparse_dot<W>(rows.view(), weights.data(), unseen, first, first + out.shape(0), out.data());
}

// One pass or part of it; checked at its first position.
struct Pass {
    Pass(const NativeSparseRows& rows, const Labels& label, const Integers& rate, const std::optional<Integers>& order,
         std::int64_t first_step, std::size_t first, std::size_t last, const Array<std::int64_t, 1>& position,
         const Array<std::uint8_t, 1>& is_mistake)
        : lesson{rows.view(), label.data(), rate.data(), order ? order->data() : nullptr, first_step},
          log{position.data(), is_mistake.data(), 0} {
        const std::size_t n_rows = rows.view().n_rows;
        require(!rows.has_unseen(), "places: out of range");
        require(label.shape(0) == n_rows && rate.shape(0) == n_rows, "label, rate: one per row expected");
        require(first <= last && last <= (order ? order->shape(0) : n_rows), "order: out of range");
        require(position.shape(0) >= last - first && is_mistake.shape(0) >= last - first, "log: room expected");
        require(!order || std::all_of(order->data() + first, order->data() + last,
                                      [&](std::int64_t i) { return i >= 0 && static_cast<std::size_t>(i) < n_rows; }),
                "order: out of range");
    }
    SparseLesson lesson;
    UpdateLog log;
};

template <class W>
std::size_t perceptron(const NativeSparseRows& rows, Labels label, Integers rate, std::optional<Integers> order,
                       std::int64_t first_step, std::size_t first, std::size_t last,
                       std::tuple<SumOf<W>, SumOf<W>, SumOf<W>, SumOf<W>, SumOf<W>> rule, Array<W, 1> weights,
                       std::optional<Array<SumOf<W>, 1>> lasting, Array<std::int64_t, 1> position,
                       Array<std::uint8_t, 1> is_mistake) {
    Pass pass(rows, label, rate, order, first_step, first, last, position, is_mistake);
    require(weights.shape(0) > rows.n_places() && (!lasting || lasting->shape(0) == weights.shape(0)),
            "weights: room expected");
    require(std::is_same_v<W, double> == rows.has_values(), "real weights for real values, whole for none");
    const auto [predict_at, promote_upto, demote_from, row_scale, constant_scale] = rule;
    const PerceptronRule<SumOf<W>> cuts{predict_at, promote_upto, demote_from, row_scale, constant_scale};
    PerceptronState<W> state{weights.data(), lasting ? lasting->data() : nullptr, weights.shape(0) - 1};
    nb::gil_scoped_release unlocked;
    perceptron_pass(cuts, pass.lesson, first, last, state, pass.log);
    return pass.log.n_updates;
}

// A table of 2 n + 1 entries, from -n to n.
const double* middle(const Doubles& table) { return table.data() + table.shape(0) / 2; }

class NativeNetWeights {
public:
    NativeNetWeights(Array<std::int32_t, 1> exponents, Doubles table, Array<const std::uint8_t, 1> is_exact,
                     bool eliminates, bool is_saturated)
        : exponents_{exponents},
          table_{table},
          is_exact_{is_exact},
          eliminates_{eliminates},
          is_saturated_{is_saturated} {
        require(table.shape(0) % 2 == 1 && is_exact.shape(0) == table.shape(0) && table.shape(0) < most_exponent,
                "tables: of one odd length expected");
    }
    NetWeights with(const Reach& reach) const {
        const std::size_t n = table_.shape(0) / 2;
        return {exponents_.data(), middle(table_), is_exact_.data() + n, static_cast<std::int32_t>(n), eliminates_,
                is_saturated_,     reach};
    }
    std::size_t n_places() const { return exponents_.shape(0); }
    bool suits(const std::optional<Doubles>& size) const { return !size || size->shape(0) == table_.shape(0); }

private:
    Array<std::int32_t, 1> exponents_;
    Doubles table_;
    Array<const std::uint8_t, 1> is_exact_;
    bool eliminates_, is_saturated_;
};

class NativeApartWeights {
public:
    NativeApartWeights(Array<std::int32_t, 2> counts, Array<double, 1> weights, Doubles by_promotions,
                       Places promotion_exponents, Doubles by_demotions, Places demotion_exponents)
        : counts_{counts},
          weights_{weights},
          by_promotions_{by_promotions},
          by_demotions_{by_demotions},
          promotion_exponents_{promotion_exponents},
          demotion_exponents_{demotion_exponents} {
        const std::size_t n = by_promotions.shape(0);
        require(counts.shape(1) == 2 && counts.shape(0) == weights.shape(0), "counts: two per weight expected");
        require(1 <= n && n < most_exponent && promotion_exponents.shape(0) == n && by_demotions.shape(0) == n &&
                    demotion_exponents.shape(0) == n,
                "tables: of one length expected");
    }
    ApartWeights with(const Reach& reach) const {
        static_assert(sizeof(ApartWeights::Counts) == 2 * sizeof(std::int32_t));
        return {reinterpret_cast<ApartWeights::Counts*>(counts_.data()),
                weights_.data(),
                by_promotions_.data(),
                by_demotions_.data(),
                promotion_exponents_.data(),
                demotion_exponents_.data(),
                static_cast<std::int32_t>(by_promotions_.shape(0) - 1),
                reach};
    }
    std::size_t n_places() const { return weights_.shape(0); }
    bool suits(const std::optional<Doubles>& size) const { return !size; }

private:
    Array<std::int32_t, 2> counts_;
    Array<double, 1> weights_;
    Doubles by_promotions_, by_demotions_;
    Places promotion_exponents_, demotion_exponents_;
};

using ReachTuple = std::tuple<std::int32_t, std::int32_t, double>;

// `lasting` is (sum, until) of every place, `n_by_net` how many variables have an exponent, beside their size. Returns
// (position reached, why it stopped, updates written, reach).
template <class Native>
std::tuple<std::size_t, std::int32_t, std::size_t, ReachTuple> winnow(
    const NativeSparseRows& rows, Labels label, Integers rate, std::optional<Integers> order, std::int64_t first_step,
    std::size_t first, std::size_t last, std::tuple<double, double, double> cuts, bool is_thick_above,
    bool is_thick_below, bool has_constant, std::optional<std::uint8_t> known, const Native& native, ReachTuple reach,
    std::optional<Array<double, 2>> lasting, std::optional<Doubles> size_by_net,
    std::optional<Array<std::int64_t, 1>> n_by_net, Array<std::int64_t, 1> position,
    Array<std::uint8_t, 1> is_mistake) {
    Pass pass(rows, label, rate, order, first_step, first, last, position, is_mistake);
    const std::size_t n = native.n_places();
    require(n >= rows.n_places() + has_constant && n < (std::size_t{1} << 31) &&
                (!lasting || (lasting->shape(0) == n && lasting->shape(1) == 2)),
            "weights, lasting: one entry per place expected");
    require(!rows.has_values(), "Winnow: Boolean rows expected");
    require(
        native.suits(size_by_net) && (size_by_net ? size_by_net->shape(0) : 0) == (n_by_net ? n_by_net->shape(0) : 0),
        "tables: of one length expected");
    const WinnowRule rule{std::get<0>(cuts),
                          {std::get<2>(cuts), std::get<1>(cuts)},
                          {is_thick_below, is_thick_above},
                          size_by_net ? middle(*size_by_net) : nullptr,
                          has_constant ? static_cast<std::int32_t>(n - 1) : -1};
    static_assert(sizeof(Lasting) == 2 * sizeof(double));
    WinnowState state{lasting ? reinterpret_cast<Lasting*>(lasting->data()) : nullptr,
                      n_by_net ? n_by_net->data() + n_by_net->shape(0) / 2 : nullptr};
    auto weights = native.with(std::make_from_tuple<Reach>(reach));
    const std::uint8_t* given = known ? &*known : nullptr;
    nb::gil_scoped_release unlocked;
    const WinnowEnd end = winnow_pass(rule, pass.lesson, first, last, given, weights, state, pass.log);
    const auto& [lowest, highest, largest] = weights.reach;
    return {end.position, static_cast<std::int32_t>(end.stop), pass.log.n_updates, {lowest, highest, largest}};
}

template <class Native>
void bind_winnow(nb::module_& m) {
    def(m, "winnow_pass", &winnow<Native>, nb::arg("rows"), nb::arg("label").noconvert(), nb::arg("rate").noconvert(),
        nb::arg("order").noconvert().none(), nb::arg("first_step"), nb::arg("first"), nb::arg("last"), nb::arg("cuts"),
        nb::arg("is_thick_above"), nb::arg("is_thick_below"), nb::arg("has_constant"), nb::arg("known").none(),
        nb::arg("weights"), nb::arg("reach"), nb::arg("lasting").noconvert().none(),
        nb::arg("size_by_net").noconvert().none(), nb::arg("n_by_net").noconvert().none(),
        nb::arg("position").noconvert(), nb::arg("is_mistake").noconvert());
}

// `sums` holds total, carry and clock.
bool exponentiated_gradient(const NativeSparseRows& rows, Doubles targets, Integers order, std::size_t first,
                            std::size_t first_step, double rate, double norm, bool is_signed, Array<double, 2> cells,
                            Array<double, 1> sums, Array<double, 1> predictions) {
    const std::size_t n_rows = rows.view().n_rows, n = rows.n_places();
    require(!rows.has_unseen(), "rows: unseen places");
    require(cells.shape(0) == n && cells.shape(1) == cell_size && sums.shape(0) == 3, "cells: one per place expected");
    require(targets.shape(0) == n_rows && first <= order.shape(0) && predictions.shape(0) <= order.shape(0) - first,
            "targets, order: out of range");
    const std::size_t last = first + predictions.shape(0);
    require(std::all_of(order.data() + first, order.data() + last,
                        [&](std::int64_t i) { return i >= 0 && static_cast<std::size_t>(i) < n_rows; }),
            "order: out of range");
    double* sum = sums.data();
    GradientState state{cells.data(), n, is_signed, sum[0], sum[1], sum[2]};
    nb::gil_scoped_release unlocked;
    const bool is_finite = exponentiated_gradient_pass(rows.view(), targets.data(), order.data(), first, last,
                                                       first_step, rate, norm, state, predictions.data());
    sum[0] = state.total, sum[1] = state.carry, sum[2] = state.clock;
    return is_finite;
}

template <class W>
void bind_dot(nb::module_& m) {
    def(m, "sparse_dot", &dot<W>, nb::arg("rows"), nb::arg("weights").noconvert(), nb::arg("unseen"), nb::arg("first"),
        nb::arg("out").noconvert());
}

template <class W>
void bind_perceptron(nb::module_& m) {
    def(m, "perceptron_pass", &perceptron<W>, nb::arg("rows"), nb::arg("label").noconvert(),
        nb::arg("rate").noconvert(), nb::arg("order").noconvert().none(), nb::arg("first_step"), nb::arg("first"),
        nb::arg("last"), nb::arg("rule"), nb::arg("weights").noconvert(), nb::arg("lasting").noconvert().none(),
        nb::arg("position").noconvert(), nb::arg("is_mistake").noconvert());
}

template <class Value>
void bind_ones(nb::module_& m) {
    def(m, "sparse_ones", &are_ones<Value>, nb::arg("starts").noconvert(), nb::arg("places").noconvert(),
        nb::arg("values").noconvert(), nb::arg("n_places"), nb::arg("own").noconvert());
}

}  // namespace

void bind_linear(nb::module_& m) {
    nb::class_<NativeSparseRows>(m, "SparseRows")
        .def(constructor<NativeSparseRows, Integers, Places, std::optional<Doubles>, std::size_t, bool>(),
             nb::arg("starts").noconvert(), nb::arg("places").noconvert(), nb::arg("values").noconvert().none(),
             nb::arg("n_places"), nb::arg("is_checked"))
        .def_prop_ro("lowest", &NativeSparseRows::lowest);
    bind_dot<std::int64_t>(m);
    bind_dot<double>(m);
    bind_perceptron<std::int32_t>(m);
    bind_perceptron<std::int64_t>(m);
    bind_perceptron<double>(m);
    bind_ones<double>(m);
    bind_ones<float>(m);
    bind_ones<std::int64_t>(m);
    bind_ones<std::int8_t>(m);
    bind_ones<std::uint8_t>(m);
    def(m, "sparse_take", &take, nb::arg("rows"), nb::arg("index").noconvert(), nb::arg("starts").noconvert(),
        nb::arg("places").noconvert(), nb::arg("values").noconvert());
    nb::class_<NativeNetWeights>(m, "NetWeights")
        .def(constructor<NativeNetWeights, Array<std::int32_t, 1>, Doubles, Array<const std::uint8_t, 1>, bool, bool>(),
             nb::arg("exponents").noconvert(), nb::arg("table").noconvert(), nb::arg("is_exact").noconvert(),
             nb::arg("eliminates"), nb::arg("is_saturated"));
    nb::class_<NativeApartWeights>(m, "ApartWeights")
        .def(constructor<NativeApartWeights, Array<std::int32_t, 2>, Array<double, 1>, Doubles, Places, Doubles,
                         Places>(),
             nb::arg("counts").noconvert(), nb::arg("weights").noconvert(), nb::arg("by_promotions").noconvert(),
             nb::arg("promotion_exponents").noconvert(), nb::arg("by_demotions").noconvert(),
             nb::arg("demotion_exponents").noconvert());
    bind_winnow<NativeNetWeights>(m);
    bind_winnow<NativeApartWeights>(m);
    def(m, "exponentiated_gradient_pass", &exponentiated_gradient, nb::arg("rows"), nb::arg("targets").noconvert(),
        nb::arg("order").noconvert(), nb::arg("first"), nb::arg("first_step"), nb::arg("rate"), nb::arg("norm"),
        nb::arg("is_signed"), nb::arg("cells").noconvert(), nb::arg("sums").noconvert(),
        nb::arg("predictions").noconvert());
}

}  // namespace conjunct::bind
