#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <type_traits>

#include "bind/name_table.hpp"
#include "bind/sparse_lesson.hpp"
#include "learners/perceptron_pass.hpp"

namespace conjunct::bind {
namespace {

__extension__ typedef __int128 Wide;

// As LinearRun keeps them.
enum Count { n_steps, n_passes, n_updates, n_mistakes, n_rates, is_consistent, n_variables, n_counts };

// A cut for scores of n hypotheses summed: a row is positive iff denominator * score >= numerator * n.
struct Cut {
    std::int64_t numerator, denominator;
};

// A Perceptron that is shown examples by name, one a call: names are numbered, weights changed and counts kept in one go,
// so that nothing comes between. What it does not do (a full table, values where weights are whole, too many names, no room
// for new ones) leaves all as it was, and is for those who do everything.
template <class W>
class PerceptronStream {
    using Sum = SumOf<W>;
    static constexpr bool is_real = std::is_same_v<W, double>;

public:
    PerceptronStream(nb::object table, const PerceptronRule<Sum>& rule, std::vector<Array<W, 1>> weights,
                     std::optional<std::vector<Array<Sum, 1>>> lasting, std::vector<Array<std::int64_t, 1>> counts,
                     std::vector<std::int64_t> rates, std::size_t most, std::size_t most_entries, std::size_t n_left)
        : owner_{table},
          table_{nb::cast<NameTable&>(table)},
          rule_{rule},
          weights_{std::move(weights)},
          lasting_{std::move(lasting)},
          counts_{std::move(counts)},
          rates_{std::move(rates)},
          most_entries_{most_entries},
          n_left_{n_left} {
        require(!weights_.empty() && counts_.size() == weights_.size() &&
                    (!lasting_ || lasting_->size() == weights_.size()) &&
                    rates_.size() == (weights_.size() == 1 ? 2 : weights_.size()),
                "stream: weights, counts and rates of every output expected");
        n_places_ = weights_[0].shape(0) - 1;
        for (std::size_t k = 0; k < weights_.size(); ++k)
            require(weights_[k].shape(0) == n_places_ + 1 && counts_[k].shape(0) == n_counts &&
                        (!lasting_ || (*lasting_)[k].shape(0) == n_places_ + 1),
                    "stream: arrays of one length expected");
        most_ = std::min(most, n_places_);
    }

    // Learns from an example of a class; false where it does not.
    bool learn(nb::handle example, std::size_t code) {
        if (is_busy_ || n_left_ == 0 || code >= rates_.size()) return false;
        const Busy busy{is_busy_};
        const std::size_t n_names = table_.n_names(), n_slots = table_.n_slots();
        try {
            if (!read(example, true)) {
                table_.shrink(n_names, n_slots);
                return false;
            }
        } catch (...) {
            table_.shrink(n_names, n_slots);
            throw;
        }
        const std::int64_t starts[2] = {0, static_cast<std::int64_t>(reading_.places.size())};
        const SparseRows row{starts, reading_.places.data(), is_real ? reading_.values.data() : nullptr, 1};
        for (std::size_t output = 0; output < weights_.size(); ++output) {
            const std::int8_t label = code == (weights_.size() == 1 ? 1 : output) ? 1 : -1;
            std::int64_t* counts = counts_[output].data();
            std::int64_t position;
            std::uint8_t is_mistake = 0;
            UpdateLog log{&position, &is_mistake, 0};
            PerceptronState<W> state{weights_[output].data(), lasting_ ? (*lasting_)[output].data() : nullptr,
                                     n_places_};
            perceptron_pass(rule_, {row, &label, &rates_[code], nullptr, counts[n_steps]}, 0, 1, state, log);
            ++counts[n_steps];
            ++counts[n_passes];
            counts[n_updates] += static_cast<std::int64_t>(log.n_updates);
            counts[n_mistakes] += is_mistake;
            counts[n_rates] += log.n_updates ? rates_[code] : 0;
            counts[is_consistent] = log.n_updates == 0;
            counts[n_variables] = static_cast<std::int64_t>(table_.n_slots());
        }
        --n_left_;
        return true;
    }

    // The class of an example by whole weights, or by their mean; none where it does not say.
    std::optional<std::size_t> choice(nb::handle example, bool is_mean, Cut cut) {
        if constexpr (!is_real) {
            if (is_busy_ || (is_mean && !lasting_)) return std::nullopt;
            const Busy busy{is_busy_};
            if (!read(example, false)) return std::nullopt;
            if (weights_.size() == 1)
                return score(0, is_mean) * cut.denominator >= Wide{cut.numerator} * (is_mean ? steps(0) : 1);
            std::size_t best = 0;
            Wide highest = score(0, is_mean);
            for (std::size_t output = 1; output < weights_.size(); ++output) {
                const Wide other = score(output, is_mean);
                if (other > highest) best = output, highest = other;
            }
            return best;
        }
        return std::nullopt;
    }

private:
    struct Busy {
        explicit Busy(bool& flag) : flag_{flag} { flag_ = true; }
        ~Busy() { flag_ = false; }
        bool& flag_;
    };

    bool read(nb::handle example, bool grows) {
        reading_.places.clear();
        reading_.values.clear();
        const bool is_read = table_.read(example, grows, is_real, most_, reading_) == NameTable::ReadEnd::read;
        reading_.references.clear();
        return is_read && reading_.places.size() <= most_entries_;
    }

    std::int64_t steps(std::size_t output) const { return std::max<std::int64_t>(1, counts_[output].data()[n_steps]); }

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
        for (const std::int32_t place : reading_.places)
            if (place >= 0) sum += entry(static_cast<std::size_t>(place));
        return static_cast<std::int64_t>(rule_.row_scale) * sum +
               static_cast<std::int64_t>(rule_.constant_scale) * entry(n_places_);
    }

    nb::object owner_;  // of the table
    NameTable& table_;
    PerceptronRule<Sum> rule_;
    std::vector<Array<W, 1>> weights_;
    std::optional<std::vector<Array<Sum, 1>>> lasting_;
    std::vector<Array<std::int64_t, 1>> counts_;
    std::vector<std::int64_t> rates_;  // by class
    std::size_t n_places_, most_, most_entries_, n_left_;
    NameTable::Reading reading_;
    bool is_busy_ = false;  // names may run any code while they are hashed and compared
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
