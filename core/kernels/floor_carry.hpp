#pragma once
#include <cstddef>
#include <cstdint>

namespace conjunct {

// The sign (-1, 0, +1) of sum over s of (histogram[s] - digits[s]) * 2^s, for any n_values, in machine integers:
// halve from the lowest power upwards with a floor, remembering whether a bit was dropped.
// Needs   sum of |histogram[s]| + |digits[s]| < 2^63.
// Twin    conjunct.theory.floor_carry_sign
int floor_carry_sign(const std::int64_t* histogram, const std::int64_t* digits, std::size_t n_values) noexcept;

}  // namespace conjunct
