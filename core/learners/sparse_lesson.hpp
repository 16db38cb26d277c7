#pragma once
#include <algorithm>

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

    // Fetches what a position a little ahead will need, where rows come in an order that no machine guesses. Inlined at
    // any cost: a compiler that sees it apart drops it as without effect.
    [[gnu::always_inline]] void look_ahead(std::size_t at, std::size_t last) const noexcept {
        constexpr std::size_t near = 8, far = 2 * near;
        if (!order || at + far >= last) return;
        __builtin_prefetch(rows.starts + order[at + far]);
        __builtin_prefetch(label + order[at + far]);
        const std::int64_t row = order[at + near], begin = rows.starts[row];
        const std::int64_t end = std::min(begin + 256, rows.starts[row + 1]);
        for (std::int64_t k = begin; k < end; k += 16) __builtin_prefetch(rows.places + k);
        if (!rows.values) return;
        for (std::int64_t k = begin; k < end; k += 8) __builtin_prefetch(rows.values + k);
    }
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
