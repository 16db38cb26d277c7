#include "bind/sparse_lesson.hpp"
#include "learners/exponentiated_gradient_pass.hpp"

namespace conjunct::bind {
namespace {

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

}  // namespace

void bind_gradient(nb::module_& m) {
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
