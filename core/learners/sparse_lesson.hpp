#pragma once
#include "bits/sparse_rows.hpp"

namespace conjunct {

// What an on-line learner is shown: rows in the order of this pass, with labels +1 or -1 and whole update rates.
struct SparseLesson {
    SparseRows rows;
    const std::int8_t* label;
    const std::int64_t* rate;
    const std::int64_t* order;  // null: as they stand
    std::int64_t first_step;    // steps before position 0

    std::int64_t row(std::size_t at) const noexcept { return order ? order[at] : static_cast<std::int64_t>(at); }
};

// What it did: the m-th update was at a position of the order, on a mistake or within the thickness of the separator.
struct UpdateLog {
    std::int64_t* position;
    std::uint8_t* is_mistake;
    std::size_t n_updates;

    void add(std::size_t at, bool mistake) noexcept {
        position[n_updates] = static_cast<std::int64_t>(at);
        is_mistake[n_updates++] = mistake;
    }
};

}  // namespace conjunct
