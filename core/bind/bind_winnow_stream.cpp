#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <optional>

#include "bind/named_stream.hpp"
#include "bind/native_winnow.hpp"

namespace conjunct::bind {
namespace {

// Updates of a stream that its run has not yet taken over into its log.
class PendingUpdates {
public:
    std::size_t n_updates() const { return label_.size(); }

    void make_room(std::size_t n_places) {
        for_each([&](auto& column) { grow(column, 1); });
        grow(places_, n_places);
    }

    // Given  room for it.
    void add(const SparseLesson& lesson, bool is_mistake) noexcept {
        const std::int32_t* places = lesson.rows.places;
        places_.insert(places_.end(), places, places + lesson.rows.starts[1]);
        ends_.push_back(static_cast<std::int64_t>(places_.size()));
        label_.push_back(*lesson.label);
        rate_.push_back(*lesson.rate);
        step_.push_back(lesson.first_step);
        is_mistake_.push_back(is_mistake);
    }

    // Where rows end, their places, labels, rates and steps, and whether they were mistakes; as bytes.
    nb::tuple columns() const {
        return nb::make_tuple(bytes_of(ends_), bytes_of(places_), bytes_of(label_), bytes_of(rate_), bytes_of(step_),
                              bytes_of(is_mistake_));
    }

private:
    template <class Do>
    void for_each(Do change) {
        change(ends_), change(label_), change(rate_), change(step_), change(is_mistake_);
    }

    template <class T>
    static void grow(std::vector<T>& column, std::size_t n) {
        if (column.capacity() - column.size() < n) column.reserve(std::max(column.size() + n, 2 * column.capacity()));
    }

    std::vector<std::int64_t> ends_, rate_, step_;
    std::vector<std::int32_t> places_;
    std::vector<std::int8_t> label_;
    std::vector<std::uint8_t> is_mistake_;
};

// Winnow that is shown examples by name. Where doubles cannot decide, decide(output, places, is_positive) does, in the bits
// that a pass knows; before any output has learned.
template <class Native>
class WinnowStream : NamedStream {
public:
    WinnowStream(nb::object table, const NativeWinnowRule& rule, std::vector<Native> weights,
                 std::vector<NativeWinnowState> states, std::optional<std::vector<nb::object>> pending,
                 std::vector<Array<std::int64_t, 1>> counts, std::vector<std::int64_t> rates, nb::object decide,
                 double first_weight, std::size_t most, std::size_t most_entries, std::size_t n_left)
        : NamedStream{table,
                      std::move(counts),
                      std::move(rates),
                      weights.empty() ? 0 : weights[0].n_places() - 1,
                      most,
                      most_entries,
                      n_left},
          rule_{rule},
          weights_{std::move(weights)},
          states_{std::move(states)},
          decide_{decide},
          first_weight_{first_weight},
          verdicts_(n_outputs()) {
        require(weights_.size() == n_outputs() && states_.size() == n_outputs() &&
                    (!pending || pending->size() == n_outputs()),
                "stream: weights, states and updates of every output expected");
        require(n_places() + 1 < std::size_t{1} << 31 && rule.n_sizes() == 0,
                "stream: fewer places, and scores that are not divided expected");
        for (std::size_t k = 0; k < n_outputs(); ++k)
            require(weights_[k].n_places() == n_places() + 1 && states_[k].has_room_for(n_places() + 1) &&
                        states_[k].averages() == states_[0].averages(),
                    "stream: arrays of one length expected");
        if (pending) owners_ = *pending;
        for (const nb::object& owner : owners_) pending_.push_back(&nb::cast<PendingUpdates&>(owner));
    }

    // Learns from an example of a class; false where it does not.
    bool learn(nb::handle example, std::size_t code) {
        if (n_logged_ > most_logged) return false;
        const std::int64_t step = count(0, n_steps);
        const WinnowRule rule = rule_.view(n_places() + 1);
        return show(
            example, code, false,
            [&](const SparseRows& row) {
                for (std::size_t output = 0; output < n_outputs(); ++output)
                    if (!is_ready(rule, output, code, row)) return false;
                return step == count(0, n_steps);  // whoever learned meanwhile may have moved the weights elsewhere
            },
            [&](std::size_t output, const SparseLesson& lesson, UpdateLog& log) {
                auto weights = weights_[output].view(states_[output].reach());
                WinnowState state = states_[output].view();
                winnow_pass(rule, lesson, 0, 1, &verdicts_[output], weights, state, log);
                states_[output].reached(weights.reach);
                if (log.n_updates && !pending_.empty()) {
                    pending_[output]->add(lesson, *log.is_mistake);
                    n_logged_ += places().size();
                }
            });
    }

    // The class of an example by the last weights, or by their mean; none where doubles do not say.
    std::optional<std::size_t> choice(nb::handle example, bool is_mean, double cut) {
        if ((is_mean && !states_[0].averages()) || !look_up(example)) return std::nullopt;
        const Score first = score(0, is_mean, cut);
        if (n_outputs() == 1) {
            if (!(std::fabs(first.sum - cut) > first.error)) return std::nullopt;
            return first.sum > cut;
        }
        std::size_t best = 0;
        Score highest = first;
        double second = -std::numeric_limits<double>::infinity();  // the most that another sum can be
        for (std::size_t output = 1; output < n_outputs(); ++output) {
            Score other = score(output, is_mean, cut);
            if (other.sum > highest.sum) best = output, std::swap(other, highest);
            if (!(other.sum + other.error <= second)) second = other.sum + other.error;
        }
        if (!(highest.sum - highest.error > second)) return std::nullopt;
        return best;
    }

private:
    struct Score {
        double sum, error;
    };

    // Whether tables have room for an update, and the verdict is known.
    bool is_ready(const WinnowRule& rule, std::size_t output, std::size_t code, const SparseRows& row) {
        const auto weights = weights_[output].view(states_[output].reach());
        const std::int64_t farthest = weights.reach.farthest() + rate(code);
        if (farthest > most_exponent || (farthest > weights.n && !weights.is_saturated)) return false;
        const bool label = is_positive(output, code);
        const std::optional<std::uint8_t> verdict = winnow_verdict(rule, row, label, weights);
        verdicts_[output] = verdict ? *verdict : nb::cast<std::uint8_t>(decide_(output, list_of(places()), label));
        if (!pending_.empty()) pending_[output]->make_room(places().size());
        return true;
    }

    static nb::list list_of(const std::vector<std::int32_t>& places) {
        nb::list list;
        for (const std::int32_t place : places) list.append(place);
        return list;
    }

    // As MeanThreshold has it: no weight of a mean is farther off than two roundings an update, and a few.
    Score score(std::size_t output, bool is_mean, double cut) const {
        constexpr double unit = std::numeric_limits<double>::epsilon(), least = std::numeric_limits<double>::min();
        const auto weights = weights_[output].view(states_[output].reach());
        const Lasting* lasting = is_mean ? states_[output].view().lasting : nullptr;
        const double n = static_cast<double>(steps(output)), largest = weights.reach.largest;
        const auto entry = [&](std::int32_t place) {
            if (place < 0) return first_weight_;
            const double weight = weights.template weight<false>(place);
            return lasting ? (lasting[place].sum + weight * (n - lasting[place].until)) / n : weight;
        };
        double sum = rule_.has_constant() ? entry(static_cast<std::int32_t>(n_places())) : 0;
        for (const std::int32_t place : places()) sum += entry(place);
        const double n_terms = static_cast<double>(places().size() + 2);
        const double n_roundings = 2.0 * static_cast<double>(is_mean ? count(output, n_updates) : 0) + 16;
        const double off = n_roundings * (unit * largest + least);
        const double error = n_terms * (off + n_terms * (unit * (largest + std::fabs(cut)) + least));
        return {sum, largest * n < far_within ? error : std::numeric_limits<double>::infinity()};
    }

    static constexpr double far_within = 1e300;
    static constexpr std::size_t most_logged = std::size_t{1} << 22;  // places, until runs take updates over
    NativeWinnowRule rule_;
    std::vector<Native> weights_;
    std::vector<NativeWinnowState> states_;
    std::vector<nb::object> owners_;  // of the updates
    std::vector<PendingUpdates*> pending_;
    nb::object decide_;
    double first_weight_;
    std::vector<std::uint8_t> verdicts_;
    std::size_t n_logged_ = 0;
};

template <class Native>
void bind_class(nb::module_& m, const char* name) {
    using Stream = WinnowStream<Native>;
    nb::class_<Stream>(m, name)
        .def(constructor<Stream, nb::object, const NativeWinnowRule&, std::vector<Native>,
                         std::vector<NativeWinnowState>, std::optional<std::vector<nb::object>>,
                         std::vector<Array<std::int64_t, 1>>, std::vector<std::int64_t>, nb::object, double,
                         std::size_t, std::size_t, std::size_t>(),
             nb::arg("table"), nb::arg("rule"), nb::arg("weights"), nb::arg("states"), nb::arg("pending").none(),
             nb::arg("counts").noconvert(), nb::arg("rates"), nb::arg("decide"), nb::arg("first_weight"),
             nb::arg("most"), nb::arg("most_entries"), nb::arg("n_left"))
        .def("learn", &Stream::learn, nb::arg("example"), nb::arg("code"),
             nb::sig("def learn(self, example: object, code: int) -> bool"))
        .def("choice", &Stream::choice, nb::arg("example"), nb::arg("is_mean"), nb::arg("cut"),
             nb::sig("def choice(self, example: object, is_mean: bool, cut: float) -> int | None"));
}

}  // namespace

void bind_winnow_stream(nb::module_& m) {
    nb::class_<PendingUpdates>(m, "PendingUpdates")
        .def(constructor<PendingUpdates>())
        .def_prop_ro("n_updates", &PendingUpdates::n_updates)
        .def("columns", &PendingUpdates::columns,
             nb::sig("def columns(self) -> tuple[bytes, bytes, bytes, bytes, bytes, bytes]"));
    bind_class<NativeNetWeights>(m, "NetWinnowStream");
    bind_class<NativeApartWeights>(m, "ApartWinnowStream");
}

}  // namespace conjunct::bind
