#pragma once
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <optional>

#include "bind/arrays.hpp"
#include "bits/sparse_rows.hpp"
#include "learners/sparse_lesson.hpp"

namespace conjunct::bind {

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

inline void require_positions(const NativeLesson& lesson, std::size_t first, std::size_t last,
                              const NativeUpdateLog& log) {
    require(first <= last && last <= lesson.n_positions(), "positions: out of range");
    require(log.size() >= last - first, "log: room expected");
}

}  // namespace conjunct::bind
