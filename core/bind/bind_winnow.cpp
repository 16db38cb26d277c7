#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "bind/sparse_lesson.hpp"
#include "learners/weight_durations.hpp"
#include "learners/winnow_pass.hpp"

namespace conjunct::bind {
namespace {

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
void bind_pass(nb::module_& m) {
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

// `keys` are (place, promotions, demotions), free where the place is -1; `counts` and `until` are of every place.
class NativeDurations {
public:
    NativeDurations(Array<std::int32_t, 2> counts, Array<std::int64_t, 1> until, Array<std::int32_t, 2> keys,
                    Array<std::int64_t, 1> steps)
        : counts_{counts}, until_{until}, keys_{keys}, steps_{steps} {
        const std::size_t n_slots = keys.shape(0);
        require(counts.shape(1) == 2 && until.shape(0) == counts.shape(0), "counts, until: one per place expected");
        require(keys.shape(1) == 3 && steps.shape(0) == n_slots && n_slots && !(n_slots & (n_slots - 1)),
                "keys, steps: a power of two slots expected");
    }
    std::size_t n_places() const { return counts_.shape(0); }
    WeightSince view() const {
        static_assert(sizeof(WinnowCounts) == 2 * sizeof(std::int32_t));
        return {reinterpret_cast<WinnowCounts*>(counts_.data()), until_.data()};
    }
    DurationTable table() const {
        static_assert(sizeof(WeightKey) == 3 * sizeof(std::int32_t));
        return {reinterpret_cast<WeightKey*>(keys_.data()), steps_.data(), keys_.shape(0), 0};
    }

private:
    Array<std::int32_t, 2> counts_;
    Array<std::int64_t, 1> until_;
    Array<std::int32_t, 2> keys_;
    Array<std::int64_t, 1> steps_;
};

class NativeWinnowUpdates {
public:
    NativeWinnowUpdates(const NativeSparseRows& rows, Labels label, Integers rate, Integers step,
                        std::optional<std::int32_t> constant)
        : rows_{rows}, label_{label}, rate_{rate}, step_{step}, constant_{constant.value_or(-1)} {
        const std::size_t n_rows = rows.view().n_rows;
        require(!rows.has_unseen() && !rows.has_values(), "rows: Boolean ones of seen places expected");
        require(label.shape(0) == n_rows && rate.shape(0) == n_rows && step.shape(0) == n_rows,
                "label, rate, step: one per row expected");
        require(!constant || *constant >= 0, "constant: out of range");
    }
    WinnowUpdates view() const { return {rows_.view(), label_.data(), rate_.data(), step_.data(), constant_}; }
    std::size_t n_places() const {
        return std::max(rows_.n_places(), static_cast<std::size_t>(std::int64_t{constant_} + 1));
    }

private:
    NativeSparseRows rows_;
    Labels label_;
    Integers rate_, step_;
    std::int32_t constant_;
};

// Returns the first update not replayed. `rule`: whether promotions and demotions undo each other, and eliminate.
std::size_t durations(const NativeWinnowUpdates& updates, std::size_t first, std::pair<bool, bool> rule,
                      const NativeDurations& native) {
    require(first <= updates.view().rows.n_rows, "first: past the updates");
    require(native.n_places() >= updates.n_places(), "counts, until: room for every place expected");
    DurationTable table = native.table();
    nb::gil_scoped_release unlocked;
    return count_durations(updates.view(), first, {rule.first, rule.second}, native.view(), table);
}

}  // namespace

void bind_winnow(nb::module_& m) {
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
    bind_pass<NativeNetWeights>(m);
    bind_pass<NativeApartWeights>(m);
    nb::class_<NativeWinnowUpdates>(m, "WinnowUpdates")
        .def(constructor<NativeWinnowUpdates, const NativeSparseRows&, Labels, Integers, Integers,
                         std::optional<std::int32_t>>(),
             nb::arg("rows"), nb::arg("label").noconvert(), nb::arg("rate").noconvert(), nb::arg("step").noconvert(),
             nb::arg("constant").none());
    nb::class_<NativeDurations>(m, "Durations")
        .def(constructor<NativeDurations, Array<std::int32_t, 2>, Array<std::int64_t, 1>, Array<std::int32_t, 2>,
                         Array<std::int64_t, 1>>(),
             nb::arg("counts").noconvert(), nb::arg("until").noconvert(), nb::arg("keys").noconvert(),
             nb::arg("steps").noconvert());
    def(m, "count_durations", &durations, nb::arg("updates"), nb::arg("first"), nb::arg("rule"), nb::arg("durations"));
}

}  // namespace conjunct::bind
