#pragma once
#include <cstddef>
#include <cstdint>

namespace conjunct {

// Copies the places of rows, and returns whether each row lists them in increasing order, all below n_places, and every
// value is 1: then the copy is Boolean rows. Others may change places and values meanwhile: the copy is what is checked.
// Given   starts of n_rows rows, from 0 to the number of places.
// Writes  copy: the places, up to the first row that does not hold.
template <class Value>
bool sparse_ones(const std::int64_t* starts, const std::int32_t* places, const Value* values, std::size_t n_rows,
                 std::int32_t n_places, std::int32_t* copy) noexcept;

}  // namespace conjunct
