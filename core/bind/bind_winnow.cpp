#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "bind/native_winnow.hpp"
#include "learners/weight_durations.hpp"

namespace conjunct::bind {
namespace {

// Returns (position reached, why it stopped).
template <class Native>
std::tuple<std::size_t, std::int32_t> winnow(const NativeWinnowRule& rule, const NativeLesson& lesson,
                                             std::size_t first, std::size_t last, std::optional<std::uint8_t> verdict,
                                             const Native& native, const NativeWinnowState& native_state,
                                             NativeUpdateLog& written) {
    require_positions(lesson, first, last, written);
    const std::size_t n = native.n_places(), n_sizes = rule.n_sizes();
    require(n >= lesson.rows().n_places() + rule.has_constant() && n < (std::size_t{1} << 31) &&
                native_state.has_room_for(n),
            "weights, lasting: one entry per place expected");
    require(!lesson.rows().has_values(), "Winnow: Boolean rows expected");
    require(n_sizes == native_state.n_sizes() && (n_sizes == 0 || native.has_table_of(n_sizes)),
            "tables: of one length expected");
    auto weights = native.view(native_state.reach());
    WinnowState state = native_state.view();
    UpdateLog log = written.view();
    nb::gil_scoped_release unlocked;
    const WinnowEnd end =
        winnow_pass(rule.view(n), lesson.view(), first, last, verdict ? &*verdict : nullptr, weights, state, log);
    native_state.reached(weights.reach);
    written.n_updates = log.n_updates;
    return {end.position, static_cast<std::int32_t>(end.stop)};
}

template <class Native>
void bind_pass(nb::module_& m) {
    def(m, "winnow_pass", &winnow<Native>, nb::arg("rule"), nb::arg("lesson"), nb::arg("first"), nb::arg("last"),
        nb::arg("verdict").none(), nb::arg("weights"), nb::arg("state"), nb::arg("log"));
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
    nb::class_<NativeWinnowRule>(m, "WinnowRule")
        .def(constructor<NativeWinnowRule, double, std::pair<double, double>, std::pair<bool, bool>, bool,
                         std::optional<Doubles>>(),
             nb::arg("predict_at"), nb::arg("edges"), nb::arg("is_thick"), nb::arg("has_constant"),
             nb::arg("size_by_net").noconvert().none());
    nb::class_<NativeWinnowState>(m, "WinnowState")
        .def(constructor<NativeWinnowState, std::optional<Array<double, 2>>, std::optional<Array<std::int64_t, 1>>,
                         Array<double, 1>>(),
             nb::arg("lasting").noconvert().none(), nb::arg("n_by_net").noconvert().none(),
             nb::arg("reach").noconvert());
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
