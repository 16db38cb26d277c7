#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <type_traits>

#include "bind/named_stream.hpp"
#include "bind/sparse_lesson.hpp"
#include "learners/perceptron_pass.hpp"

namespace conjunct::bind {
namespace {

__extension__ typedef __int128 Wide;

// A cut for scores of n hypotheses summed: a row is positive iff denominator * score >= numerator * n.
struct Cut {
    std::int64_t numerator, denominator;
};

// A Perceptron that is shown examples by name.
template <class W>
class PerceptronStream : NamedStream {
    using Sum = SumOf<W>;
    static constexpr bool is_real = std::is_same_v<W, double>;

public:
    PerceptronStream(nb::object table, const PerceptronRule<Sum>& rule, std::vector<Array<W, 1>> weights,
                     std::optional<std::vector<Array<Sum, 1>>> lasting, std::vector<Array<std::int64_t, 1>> counts,
                     std::vector<std::int64_t> rates, std::size_t most, std::size_t most_entries, std::size_t n_left)
        : NamedStream{table,
                      std::move(counts),
                      std::move(rates),
                      weights.empty() ? 0 : weights[0].shape(0) - 1,
                      most,
                      most_entries,
                      n_left},
          rule_{rule},
          weights_{std::move(weights)},
          lasting_{std::move(lasting)} {
        require(weights_.size() == n_outputs() && (!lasting_ || lasting_->size() == n_outputs()),
                "stream: weights of every output expected");
        for (std::size_t k = 0; k < weights_.size(); ++k)
            require(weights_[k].shape(0) == n_places() + 1 && (!lasting_ || (*lasting_)[k].shape(0) == n_places() + 1),
                    "stream: arrays of one length expected");
    }

    // Learns from an example of a class; false where it does not.
    bool learn(nb::handle example, std::size_t code) {
        return show(
            example, code, is_real, [](const SparseRows&) { return true; },
            [&](std::size_t output, const SparseLesson& lesson, UpdateLog& log) {
                PerceptronState<W> state{weights_[output].data(), lasting_ ? (*lasting_)[output].data() : nullptr,
                                         n_places()};
                perceptron_pass(rule_, lesson, 0, 1, state, log);
            });
    }

    // The class of an example by whole weights, or by their mean; none where it does not say.
    std::optional<std::size_t> choice(nb::handle example, bool is_mean, Cut cut) {
        if constexpr (!is_real) {
            if ((is_mean && !lasting_) || !look_up(example)) return std::nullopt;
            if (n_outputs() == 1)
                return score(0, is_mean) * cut.denominator >= Wide{cut.numerator} * (is_mean ? steps(0) : 1);
            std::size_t best = 0;
            Wide highest = score(0, is_mean);
            for (std::size_t output = 1; output < n_outputs(); ++output) {
                const Wide other = score(output, is_mean);
                if (other > highest) best = output, highest = other;
            }
            return best;
        }
        return std::nullopt;
    }

private:
    // Entries are below 2^62, as are weights times steps; rows of up to 2^16 of them and scales below 2^20 stay within 128 bits.
    Wide score(std::size_t output, bool is_mean) const {
        const W* weights = weights_[output].data();
        const Sum* lasting = is_mean ? (*lasting_)[output].data() : nullptr;
        const Wide n = is_mean ? steps(output) : 1;
        const auto entry = [&](std::size_t place) -> Wide {
            return n * static_cast<std::int64_t>(weights[place]) -
                   (lasting ? static_cast<std::int64_t>(lasting[place]) : 0);
        };
        Wide sum = 0;
        for (const std::int32_t place : places())
            if (place >= 0) sum += entry(static_cast<std::size_t>(place));
        return static_cast<std::int64_t>(rule_.row_scale) * sum +
               static_cast<std::int64_t>(rule_.constant_scale) * entry(n_places());
    }

    PerceptronRule<Sum> rule_;
    std::vector<Array<W, 1>> weights_;
    std::optional<std::vector<Array<Sum, 1>>> lasting_;
};

template <class W>
void bind_class(nb::module_& m, const char* name) {
    using Stream = PerceptronStream<W>;
    using Sum = SumOf<W>;
    nb::class_<Stream>(m, name)
        .def(constructor<Stream, nb::object, const PerceptronRule<Sum>&, std::vector<Array<W, 1>>,
                         std::optional<std::vector<Array<Sum, 1>>>, std::vector<Array<std::int64_t, 1>>,
                         std::vector<std::int64_t>, std::size_t, std::size_t, std::size_t>(),
             nb::arg("table"), nb::arg("rule"), nb::arg("weights").noconvert(), nb::arg("lasting").noconvert().none(),
             nb::arg("counts").noconvert(), nb::arg("rates"), nb::arg("most"), nb::arg("most_entries"),
             nb::arg("n_left"))
        .def("learn", &Stream::learn, nb::arg("example"), nb::arg("code"),
             nb::sig("def learn(self, example: object, code: int) -> bool"))
        .def(
            "choice",
            [](Stream& stream, nb::handle example, bool is_mean, std::int64_t numerator, std::int64_t denominator) {
                return stream.choice(example, is_mean, {numerator, denominator});
            },
            nb::arg("example"), nb::arg("is_mean"), nb::arg("numerator"), nb::arg("denominator"),
            nb::sig("def choice(self, example: object, is_mean: bool, numerator: int, denominator: int) -> "
                    "int | None"));
}

}  // namespace

void bind_stream(nb::module_& m) {
    bind_class<std::int32_t>(m, "PerceptronStream32");
    bind_class<std::int64_t>(m, "PerceptronStream64");
    bind_class<double>(m, "RealPerceptronStream");
}

}  // namespace conjunct::bind
