#include "bind/sparse_lesson.hpp"
#include "learners/perceptron_pass.hpp"

namespace conjunct::bind {
namespace {

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

template <class Sum>
void bind_rule(nb::module_& m, const char* name) {
    nb::class_<PerceptronRule<Sum>>(m, name).def(constructor<PerceptronRule<Sum>, Sum, Sum, Sum, Sum, Sum>(),
                                                 nb::arg("predict_at"), nb::arg("promote_upto"), nb::arg("demote_from"),
                                                 nb::arg("row_scale"), nb::arg("constant_scale"));
}

template <class W>
void bind_pass(nb::module_& m, const char* name) {
    using State = NativePerceptronState<W>;
    nb::class_<State>(m, name).def(constructor<State, Array<W, 1>, std::optional<Array<SumOf<W>, 1>>>(),
                                   nb::arg("weights").noconvert(), nb::arg("lasting").noconvert().none());
    def(m, "perceptron_pass", &perceptron<W>, nb::arg("rule"), nb::arg("lesson"), nb::arg("first"), nb::arg("last"),
        nb::arg("state"), nb::arg("log"));
}

}  // namespace

void bind_perceptron(nb::module_& m) {
    bind_rule<std::int64_t>(m, "WholePerceptronRule");
    bind_rule<double>(m, "RealPerceptronRule");
    bind_pass<std::int32_t>(m, "PerceptronState32");
    bind_pass<std::int64_t>(m, "PerceptronState64");
    bind_pass<double>(m, "RealPerceptronState");
}

}  // namespace conjunct::bind
