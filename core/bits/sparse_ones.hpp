#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace conjunct {

// Copies the places of rows, and returns whether each row lists them in increasing order, all below n_places, and every
// value is 1: then the copy is Boolean rows. Others may change places and values meanwhile: the copy is what is checked.
// Given   starts of n_rows rows, from 0 to the number of places.
// Writes  own: the places, up to the first row that does not hold.
template <class Value>
bool sparse_ones(const std::int64_t* starts, const std::int32_t* places, const Value* values, std::size_t n_rows,
                 std::int32_t n_places, std::int32_t* own) noexcept {
    bool holds = true;
    for (std::size_t i = 0; i < n_rows && holds; ++i) {
        std::int32_t last = -1;
        std::copy(places + starts[i], places + starts[i + 1], own + starts[i]);
        for (std::int64_t k = starts[i]; k < starts[i + 1]; ++k) {
            holds &= own[k] > last && values[k] == Value{1};
            last = own[k];
        }
        holds &= last < n_places;
    }
    return holds;
}

}  // namespace conjunct
