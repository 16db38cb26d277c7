#pragma once
#include <algorithm>
#include <vector>

#include "bind/name_table.hpp"
#include "learners/sparse_lesson.hpp"

namespace conjunct::bind {

// Examples by name, one a call: names are numbered, weights changed and counts kept in one go, so that nothing comes
// between. What it does not do (a full table, values where there should be none, too many names, no room for new ones)
// leaves all as it was, and is for those who do everything.
class NamedStream {
protected:
    // As LinearRun keeps them.
    enum Count { n_steps, n_passes, n_updates, n_mistakes, n_rates, is_consistent, n_variables, n_counts };

    // `rates` are by class; one output tells two classes apart, several have one each.
    NamedStream(nb::object table, std::vector<Array<std::int64_t, 1>> counts, std::vector<std::int64_t> rates,
                std::size_t n_places, std::size_t most, std::size_t most_entries, std::size_t n_left)
        : owner_{table},
          table_{nb::cast<NameTable&>(table)},
          counts_{std::move(counts)},
          rates_{std::move(rates)},
          n_places_{n_places},
          most_{std::min(most, n_places)},
          most_entries_{most_entries},
          n_left_{n_left} {
        require(!counts_.empty() && rates_.size() == (counts_.size() == 1 ? 2 : counts_.size()),
                "stream: counts and rates of every output expected");
        for (const auto& counts_of_one : counts_)
            require(counts_of_one.shape(0) == n_counts, "stream: counts of one length expected");
    }

    std::size_t n_outputs() const { return counts_.size(); }
    std::int64_t count(std::size_t output, Count which) const { return counts_[output].data()[which]; }
    std::int64_t steps(std::size_t output) const { return std::max<std::int64_t>(1, count(output, n_steps)); }

    // Shows an example of a class: first prepare(row) says whether it is learned, then learn(output, lesson, log) does it
    // for every output. False, or an error, where that changed nothing.
    template <class Prepare, class Learn>
    bool show(nb::handle example, std::size_t code, bool with_values, Prepare prepare, Learn learn) {
        if (is_busy_ || n_left_ == 0 || code >= rates_.size()) return false;
        const Busy busy{is_busy_};
        const std::size_t n_names = table_.n_names(), n_slots = table_.n_slots();
        const std::int64_t step = count(0, n_steps);
        std::int64_t starts[2] = {0, 0};
        SparseRows row{starts, nullptr, nullptr, 1};
        bool is_ready = false;
        const auto undo = [&] {
            if (step == count(0, n_steps)) table_.shrink(n_names, n_slots);  // else a name learned while it was read
        };
        try {
            if (read(example, true, with_values)) {
                starts[1] = static_cast<std::int64_t>(reading_.places.size());
                row.places = reading_.places.data();
                row.values = with_values ? reading_.values.data() : nullptr;
                is_ready = prepare(row);
            }
        } catch (...) {
            undo();
            throw;
        }
        if (!is_ready) {
            undo();
            return false;
        }
        for (std::size_t output = 0; output < n_outputs(); ++output) {
            const std::int8_t label = is_positive(output, code) ? 1 : -1;
            std::int64_t* counts = counts_[output].data();
            std::int64_t position;
            std::uint8_t is_mistake = 0;
            UpdateLog log{&position, &is_mistake, 0};
            learn(output, SparseLesson{row, &label, &rates_[code], nullptr, counts[n_steps]}, log);
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

    // Reads an example to be predicted, where nobody is busy with another one.
    bool look_up(nb::handle example) {
        if (is_busy_) return false;
        const Busy busy{is_busy_};
        return read(example, false, false);
    }

    bool is_positive(std::size_t output, std::size_t code) const { return code == (n_outputs() == 1 ? 1 : output); }
    const std::vector<std::int32_t>& places() const { return reading_.places; }
    std::int64_t rate(std::size_t code) const { return rates_[code]; }
    std::size_t n_places() const { return n_places_; }

private:
    struct Busy {
        explicit Busy(bool& flag) : flag_{flag} { flag_ = true; }
        ~Busy() { flag_ = false; }
        bool& flag_;
    };

    bool read(nb::handle example, bool grows, bool with_values) {
        reading_.places.clear();
        reading_.values.clear();
        const bool is_read = table_.read(example, grows, with_values, most_, reading_) == NameTable::ReadEnd::read;
        reading_.references.clear();
        return is_read && reading_.places.size() <= most_entries_;
    }

    nb::object owner_;  // of the table
    NameTable& table_;
    std::vector<Array<std::int64_t, 1>> counts_;
    std::vector<std::int64_t> rates_;
    std::size_t n_places_, most_, most_entries_, n_left_;
    NameTable::Reading reading_;
    bool is_busy_ = false;  // names may run any code while they are hashed and compared
};

}  // namespace conjunct::bind
