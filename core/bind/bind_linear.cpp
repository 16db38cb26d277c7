#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "bind/arrays.hpp"
#include "bits/sparse_dot.hpp"
#include "bits/sparse_ones.hpp"
#include "bits/sparse_take.hpp"
#include "learners/exponentiated_gradient_pass.hpp"
#include "learners/perceptron_pass.hpp"
#include "learners/weight_durations.hpp"
#include "learners/winnow_pass.hpp"

namespace conjunct::bind {
namespace {

using Integers = Array<const std::int64_t, 1>;
using Places = Array<const std::int32_t, 1>;
using Doubles = Array<const double, 1>;
using Labels = Array<const std::int8_t, 1>;

bool all_within(const Integers& indices, std::size_t limit) {
    return std::all_of(indices.data(), indices.data() + indices.size(),
                       [&](std::int64_t i) { return i >= 0 && static_cast<std::size_t>(i) < limit; });
}

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

// What an on-line learner is shown in a pass; checked once.
class NativeLesson {
public:
    NativeLesson(const NativeSparseRows& rows, Labels label, Integers rate, std::optional<Integers> order,
                 std::int64_t first_step)
        : rows_{rows}, label_{label}, rate_{rate}, order_{order}, first_step_{first_step} {
        const std::size_t n_rows = rows.view().n_rows;
        require(!rows.has_unseen(), "places: out of range");
        require(label.shape(0) == n_rows && rate.shape(0) == n_rows, "label, rate: one per row expected");
        require(!order || all_within(*order, n_rows), "order: out of range");
    }
    SparseLesson view() const {
        return {rows_.view(), label_.data(), rate_.data(), order_ ? order_->data() : nullptr, first_step_};
    }
    const NativeSparseRows& rows() const { return rows_; }
    std::size_t n_positions() const { return order_ ? order_->shape(0) : rows_.view().n_rows; }

private:
    NativeSparseRows rows_;
    Labels label_;
    Integers rate_;
    std::optional<Integers> order_;
    std::int64_t first_step_;
};

// Where a learner writes down its updates, from the first entry on in every call.
class NativeUpdateLog {
public:
    NativeUpdateLog(Array<std::int64_t, 1> position, Array<std::uint8_t, 1> is_mistake)
        : position_{position}, is_mistake_{is_mistake} {
        require(position.shape(0) == is_mistake.shape(0), "log: of one length expected");
    }
    UpdateLog view() const { return {position_.data(), is_mistake_.data(), 0}; }
    std::size_t size() const { return position_.shape(0); }
    std::size_t n_updates = 0;

private:
    Array<std::int64_t, 1> position_;
    Array<std::uint8_t, 1> is_mistake_;
};

void require_positions(const NativeLesson& lesson, std::size_t first, std::size_t last, const NativeUpdateLog& log) {
    require(first <= last && last <= lesson.n_positions(), "positions: out of range");
    require(log.size() >= last - first, "log: room expected");
}

template <class W>
class NativePerceptronState {
public:
    NativePerceptronState(Array<W, 1> weights, std::optional<Array<SumOf<W>, 1>> lasting)
        : weights_{weights}, lasting_{lasting} {
        require(weights.shape(0) >= 1 && (!lasting || lasting->shape(0) == weights.shape(0)), "weights: room expected");
    }
    PerceptronState<W> view() const { return {weights_.data(), lasting_ ? lasting_->data() : nullptr, n_places()}; }
    std::size_t n_places() const { return weights_.shape(0) - 1; }

private:
    Array<W, 1> weights_;
    std::optional<Array<SumOf<W>, 1>> lasting_;
};

template <class W>
void perceptron(const PerceptronRule<SumOf<W>>& rule, const NativeLesson& lesson, std::size_t first, std::size_t last,
                const NativePerceptronState<W>& native, NativeUpdateLog& written) {
    require_positions(lesson, first, last, written);
    require(native.n_places() >= lesson.rows().n_places(), "weights: room expected");
    require(std::is_same_v<W, double> == lesson.rows().has_values(), "real weights for real values, whole for none");
    PerceptronState<W> state = native.view();
    UpdateLog log = written.view();
    nb::gil_scoped_release unlocked;
    perceptron_pass(rule, lesson.view(), first, last, state, log);
    written.n_updates = log.n_updates;
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
    NetWeights view() const {
        const std::size_t n = table_.shape(0) / 2;
        return {exponents_.data(), middle(table_), is_exact_.data() + n, static_cast<std::int32_t>(n), eliminates_,
                is_saturated_,     reach};
    }
    std::size_t n_places() const { return exponents_.shape(0); }
    Reach reach{};
    bool has_table_of(std::size_t n_sizes) const { return n_sizes == table_.shape(0); }

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
    ApartWeights view() const {
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
    Reach reach{};
    bool has_table_of(std::size_t) const { return false; }

private:
    Array<std::int32_t, 2> counts_;
    Array<double, 1> weights_;
    Doubles by_promotions_, by_demotions_;
    Places promotion_exponents_, demotion_exponents_;
};

using ReachTuple = std::tuple<std::int32_t, std::int32_t, double>;

// Edges and thickness of negative rows first, as in the core.
class NativeWinnowRule {
public:
    NativeWinnowRule(double predict_at, std::pair<double, double> edges, std::pair<bool, bool> is_thick,
                     bool has_constant, std::optional<Doubles> size_by_net)
        : predict_at_{predict_at},
          edges_{edges},
          is_thick_{is_thick},
          has_constant_{has_constant},
          size_{size_by_net} {}
    WinnowRule view(std::size_t n_places) const {
        return {predict_at_,
                {edges_.first, edges_.second},
                {is_thick_.first, is_thick_.second},
                size_ ? middle(*size_) : nullptr,
                has_constant_ ? static_cast<std::int32_t>(n_places - 1) : -1};
    }
    bool has_constant() const { return has_constant_; }
    std::size_t n_sizes() const { return size_ ? size_->shape(0) : 0; }

private:
    double predict_at_;
    std::pair<double, double> edges_;
    std::pair<bool, bool> is_thick_;
    bool has_constant_;
    std::optional<Doubles> size_;
};

// `lasting` is (sum, until) of every place, `n_by_net` how many variables have an exponent, beside their size.
class NativeWinnowState {
public:
    NativeWinnowState(std::optional<Array<double, 2>> lasting, std::optional<Array<std::int64_t, 1>> n_by_net)
        : lasting_{lasting}, n_by_net_{n_by_net} {
        require(!lasting || lasting->shape(1) == 2, "lasting: a sum and a step expected");
    }
    WinnowState view() const {
        static_assert(sizeof(Lasting) == 2 * sizeof(double));
        return {lasting_ ? reinterpret_cast<Lasting*>(lasting_->data()) : nullptr,
                n_by_net_ ? n_by_net_->data() + n_by_net_->shape(0) / 2 : nullptr};
    }
    bool has_room_for(std::size_t n_places) const { return !lasting_ || lasting_->shape(0) == n_places; }
    std::size_t n_sizes() const { return n_by_net_ ? n_by_net_->shape(0) : 0; }

private:
    std::optional<Array<double, 2>> lasting_;
    std::optional<Array<std::int64_t, 1>> n_by_net_;
};

// Returns (position reached, why it stopped).
template <class Native>
std::tuple<std::size_t, std::int32_t> winnow(const NativeWinnowRule& rule, const NativeLesson& lesson,
                                             std::size_t first, std::size_t last, std::optional<std::uint8_t> verdict,
                                             Native& native, const NativeWinnowState& native_state,
                                             NativeUpdateLog& written) {
    require_positions(lesson, first, last, written);
    const std::size_t n = native.n_places(), n_sizes = rule.n_sizes();
    require(n >= lesson.rows().n_places() + rule.has_constant() && n < (std::size_t{1} << 31) &&
                native_state.has_room_for(n),
            "weights, lasting: one entry per place expected");
    require(!lesson.rows().has_values(), "Winnow: Boolean rows expected");
    require(n_sizes == native_state.n_sizes() && (n_sizes == 0 || native.has_table_of(n_sizes)),
            "tables: of one length expected");
    auto weights = native.view();
    WinnowState state = native_state.view();
    UpdateLog log = written.view();
    nb::gil_scoped_release unlocked;
    const WinnowEnd end =
        winnow_pass(rule.view(n), lesson.view(), first, last, verdict ? &*verdict : nullptr, weights, state, log);
    native.reach = weights.reach;
    written.n_updates = log.n_updates;
    return {end.position, static_cast<std::int32_t>(end.stop)};
}

template <class Native>
void bind_winnow(nb::module_& m) {
    def(m, "winnow_pass", &winnow<Native>, nb::arg("rule"), nb::arg("lesson"), nb::arg("first"), nb::arg("last"),
        nb::arg("verdict").none(), nb::arg("weights"), nb::arg("state"), nb::arg("log"));
}

template <class Native>
void bind_reach(nb::class_<Native>& weights) {
    weights.def_prop_rw(
        "reach",
        [](const Native& native) -> ReachTuple {
            return {native.reach.lowest, native.reach.highest, native.reach.largest};
        },
        [](Native& native, ReachTuple reach) { native.reach = std::make_from_tuple<Reach>(reach); });
}

// Returns the first update not replayed; `keys` are (place, promotions, demotions), free where the place is -1.
std::size_t durations(const NativeSparseRows& rows, Labels label, Integers rate, Integers step,
                      std::optional<std::int32_t> constant, std::size_t first, std::pair<bool, bool> rule,
                      Array<std::int32_t, 2> counts, Array<std::int64_t, 1> until, Array<std::int32_t, 2> keys,
                      Array<std::int64_t, 1> steps) {
    const std::size_t n_rows = rows.view().n_rows, n = counts.shape(0), n_slots = keys.shape(0);
    require(!rows.has_unseen() && !rows.has_values(), "rows: Boolean ones of seen places expected");
    require(label.shape(0) == n_rows && rate.shape(0) == n_rows && step.shape(0) == n_rows && first <= n_rows,
            "label, rate, step: one per row expected");
    require(counts.shape(1) == 2 && until.shape(0) == n && n >= rows.n_places(), "counts, until: room expected");
    require(!constant || (*constant >= 0 && static_cast<std::size_t>(*constant) < n), "constant: out of range");
    require(keys.shape(1) == 3 && steps.shape(0) == n_slots && n_slots && !(n_slots & (n_slots - 1)),
            "keys, steps: a power of two slots expected");
    static_assert(sizeof(WeightKey) == 3 * sizeof(std::int32_t) && sizeof(WinnowCounts) == 2 * sizeof(std::int32_t));
    const WinnowUpdates updates{rows.view(), label.data(), rate.data(), step.data(), constant ? *constant : -1};
    DurationTable table{reinterpret_cast<WeightKey*>(keys.data()), steps.data(), n_slots, 0};
    nb::gil_scoped_release unlocked;
    return count_durations(updates, first, {rule.first, rule.second}, reinterpret_cast<WinnowCounts*>(counts.data()),
                           until.data(), table);
}

// What a regression is shown in a pass; checked once.
class NativeRegressionLesson {
public:
    NativeRegressionLesson(const NativeSparseRows& rows, Doubles targets, Integers order, std::size_t first_step)
        : rows_{rows}, targets_{targets}, order_{order}, first_step_{first_step} {
        const std::size_t n_rows = rows.view().n_rows;
        require(!rows.has_unseen(), "rows: unseen places");
        require(targets.shape(0) == n_rows && all_within(order, n_rows), "targets, order: out of range");
    }
    RegressionLesson view() const { return {rows_.view(), targets_.data(), order_.data(), first_step_}; }
    std::size_t n_places() const { return rows_.n_places(); }
    std::size_t n_positions() const { return order_.shape(0); }

private:
    NativeSparseRows rows_;
    Doubles targets_;
    Integers order_;
    std::size_t first_step_;
};

// `sums` holds total, carry and clock.
class NativeGradientState {
public:
    NativeGradientState(Array<double, 2> cells, Array<double, 1> sums, bool is_signed)
        : cells_{cells}, sums_{sums}, is_signed_{is_signed} {
        require(cells.shape(1) == cell_size && sums.shape(0) == 3, "cells, sums: of other sizes expected");
    }
    GradientState view() const {
        const double* sum = sums_.data();
        return {cells_.data(), n_places(), is_signed_, sum[0], sum[1], sum[2]};
    }
    void take_sums(const GradientState& state) const {
        double* sum = sums_.data();
        sum[0] = state.total, sum[1] = state.carry, sum[2] = state.clock;
    }
    std::size_t n_places() const { return cells_.shape(0); }

private:
    Array<double, 2> cells_;
    Array<double, 1> sums_;
    bool is_signed_;
};

bool exponentiated_gradient(double rate, double norm, const NativeRegressionLesson& lesson, std::size_t first,
                            const NativeGradientState& native, Array<double, 1> predictions) {
    require(native.n_places() == lesson.n_places(), "cells: one per place expected");
    require(first <= lesson.n_positions() && predictions.shape(0) <= lesson.n_positions() - first,
            "predictions: no more than rows expected");
    GradientState state = native.view();
    nb::gil_scoped_release unlocked;
    const bool is_finite = exponentiated_gradient_pass({rate, norm}, lesson.view(), first, first + predictions.shape(0),
                                                       state, predictions.data());
    native.take_sums(state);
    return is_finite;
}

template <class W>
void bind_dot(nb::module_& m) {
    def(m, "sparse_dot", &dot<W>, nb::arg("rows"), nb::arg("weights").noconvert(), nb::arg("unseen"), nb::arg("first"),
        nb::arg("out").noconvert());
}

template <class Sum>
void bind_perceptron_rule(nb::module_& m, const char* name) {
    nb::class_<PerceptronRule<Sum>>(m, name).def(constructor<PerceptronRule<Sum>, Sum, Sum, Sum, Sum, Sum>(),
                                                 nb::arg("predict_at"), nb::arg("promote_upto"), nb::arg("demote_from"),
                                                 nb::arg("row_scale"), nb::arg("constant_scale"));
}

template <class W>
void bind_perceptron(nb::module_& m, const char* name) {
    using State = NativePerceptronState<W>;
    nb::class_<State>(m, name).def(constructor<State, Array<W, 1>, std::optional<Array<SumOf<W>, 1>>>(),
                                   nb::arg("weights").noconvert(), nb::arg("lasting").noconvert().none());
    def(m, "perceptron_pass", &perceptron<W>, nb::arg("rule"), nb::arg("lesson"), nb::arg("first"), nb::arg("last"),
        nb::arg("state"), nb::arg("log"));
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
    nb::class_<NativeLesson>(m, "SparseLesson")
        .def(constructor<NativeLesson, const NativeSparseRows&, Labels, Integers, std::optional<Integers>,
                         std::int64_t>(),
             nb::arg("rows"), nb::arg("label").noconvert(), nb::arg("rate").noconvert(),
             nb::arg("order").noconvert().none(), nb::arg("first_step"));
    nb::class_<NativeUpdateLog>(m, "UpdateLog")
        .def(constructor<NativeUpdateLog, Array<std::int64_t, 1>, Array<std::uint8_t, 1>>(),
             nb::arg("position").noconvert(), nb::arg("is_mistake").noconvert())
        .def_ro("n_updates", &NativeUpdateLog::n_updates);
    bind_perceptron_rule<std::int64_t>(m, "WholePerceptronRule");
    bind_perceptron_rule<double>(m, "RealPerceptronRule");
    bind_perceptron<std::int32_t>(m, "PerceptronState32");
    bind_perceptron<std::int64_t>(m, "PerceptronState64");
    bind_perceptron<double>(m, "RealPerceptronState");
    bind_ones<double>(m);
    bind_ones<float>(m);
    bind_ones<std::int64_t>(m);
    bind_ones<std::int8_t>(m);
    bind_ones<std::uint8_t>(m);
    def(m, "sparse_take", &take, nb::arg("rows"), nb::arg("index").noconvert(), nb::arg("starts").noconvert(),
        nb::arg("places").noconvert(), nb::arg("values").noconvert());
    auto net = nb::class_<NativeNetWeights>(m, "NetWeights");
    net.def(constructor<NativeNetWeights, Array<std::int32_t, 1>, Doubles, Array<const std::uint8_t, 1>, bool, bool>(),
            nb::arg("exponents").noconvert(), nb::arg("table").noconvert(), nb::arg("is_exact").noconvert(),
            nb::arg("eliminates"), nb::arg("is_saturated"));
    bind_reach(net);
    auto apart = nb::class_<NativeApartWeights>(m, "ApartWeights");
    apart.def(
        constructor<NativeApartWeights, Array<std::int32_t, 2>, Array<double, 1>, Doubles, Places, Doubles, Places>(),
        nb::arg("counts").noconvert(), nb::arg("weights").noconvert(), nb::arg("by_promotions").noconvert(),
        nb::arg("promotion_exponents").noconvert(), nb::arg("by_demotions").noconvert(),
        nb::arg("demotion_exponents").noconvert());
    bind_reach(apart);
    nb::class_<NativeWinnowRule>(m, "WinnowRule")
        .def(constructor<NativeWinnowRule, double, std::pair<double, double>, std::pair<bool, bool>, bool,
                         std::optional<Doubles>>(),
             nb::arg("predict_at"), nb::arg("edges"), nb::arg("is_thick"), nb::arg("has_constant"),
             nb::arg("size_by_net").noconvert().none());
    nb::class_<NativeWinnowState>(m, "WinnowState")
        .def(constructor<NativeWinnowState, std::optional<Array<double, 2>>, std::optional<Array<std::int64_t, 1>>>(),
             nb::arg("lasting").noconvert().none(), nb::arg("n_by_net").noconvert().none());
    bind_winnow<NativeNetWeights>(m);
    bind_winnow<NativeApartWeights>(m);
    def(m, "count_durations", &durations, nb::arg("rows"), nb::arg("label").noconvert(), nb::arg("rate").noconvert(),
        nb::arg("step").noconvert(), nb::arg("constant").none(), nb::arg("first"), nb::arg("rule"),
        nb::arg("counts").noconvert(), nb::arg("until").noconvert(), nb::arg("keys").noconvert(),
        nb::arg("steps").noconvert());
    nb::class_<NativeRegressionLesson>(m, "RegressionLesson")
        .def(constructor<NativeRegressionLesson, const NativeSparseRows&, Doubles, Integers, std::size_t>(),
             nb::arg("rows"), nb::arg("targets").noconvert(), nb::arg("order").noconvert(), nb::arg("first_step"));
    nb::class_<NativeGradientState>(m, "GradientState")
        .def(constructor<NativeGradientState, Array<double, 2>, Array<double, 1>, bool>(), nb::arg("cells").noconvert(),
             nb::arg("sums").noconvert(), nb::arg("is_signed"));
    def(m, "exponentiated_gradient_pass", &exponentiated_gradient, nb::arg("rate"), nb::arg("norm"), nb::arg("lesson"),
        nb::arg("first"), nb::arg("state"), nb::arg("predictions").noconvert());
}

}  // namespace conjunct::bind
