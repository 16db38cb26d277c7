#pragma once
#include <cstddef>
#include <cstdint>

namespace conjunct {

// Whether rows list places in increasing order, all below n_places, and every value is 1: then they are Boolean rows as
// they stand.
// Given   starts of n_rows rows, from 0 to the number of places.
template <class Start, class Value>
bool sparse_ones(const Start* starts, const std::int32_t* places, const Value* values, std::size_t n_rows,
                 std::int32_t n_places) noexcept {
    bool holds = true;
    for (std::size_t i = 0; i < n_rows && holds; ++i) {
        std::int32_t last = -1;
        for (Start k = starts[i]; k < starts[i + 1]; ++k) {
            holds &= places[k] > last && values[k] == Value{1};
            last = places[k];
        }
        holds &= last < n_places;
    }
    return holds;
}

}  // namespace conjunct
