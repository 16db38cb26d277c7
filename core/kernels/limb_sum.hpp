#pragma once
#include <cstddef>
#include <cstdint>

namespace conjunct {

// total += factor * value, integers of n_limbs limbs modulo 2^(64 n_limbs); value not negative, factor of any sign.
void add_multiple(std::uint64_t* total, std::int64_t factor, const std::uint64_t* value, std::size_t n_limbs) noexcept;

// total = sum over v of histogram[v] * values[v].
// Needs   n_limbs wide enough for the sum; see ExactTable.
// Twin    conjunct.theory.signed_sum
void limb_sum(const std::int64_t* histogram, const std::uint64_t* values, std::size_t n_values, std::size_t n_limbs,
              std::uint64_t* total) noexcept;

// Whether a < b, as signed integers of n_limbs limbs.
bool limb_less(const std::uint64_t* a, const std::uint64_t* b, std::size_t n_limbs) noexcept;

}  // namespace conjunct
