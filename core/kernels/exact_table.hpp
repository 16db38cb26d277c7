#pragma once
#include <cstddef>
#include <cstdint>

namespace conjunct {

// A kernel's table in integers, and an integer threshold, wide enough that no sum below overflows.
// Integers are two's complement, least limb first, n_limbs limbs of 64 bits each.
struct ExactTable {
    const std::uint64_t* values;     // n_values x n_limbs, none negative
    const std::uint64_t* threshold;  // n_limbs
    const std::int64_t* digits;      // null, or: value s is 2^s and the threshold is the sum of digits[s] * 2^s
    std::size_t n_values;
    std::size_t n_limbs;
};

}  // namespace conjunct
