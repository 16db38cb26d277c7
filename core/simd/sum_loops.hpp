#pragma once
#include <cstddef>
#include <cstdint>

namespace conjunct {

// sums[j] += weights[i] * table[counts[i][j]] for i = 0, 1, ... in this order and j < n: the same bits at every level.
template <class Count>
using AddLookUps = void (*)(const Count* const* counts, std::size_t n_rows, std::size_t n, const double* table,
                            const double* weights, double* sums) noexcept;

// The loops of one instruction set.
struct SumLoops {
    AddLookUps<std::uint8_t> bytes;
    AddLookUps<std::uint16_t> shorts;
    // sums[j] += factor * values[j] for j < n.
    void (*add_multiple)(double factor, const double* values, std::size_t n, double* sums) noexcept;
    // out[j] = counts[j] for j < n; every count below 256.
    void (*narrow)(const std::uint16_t* counts, std::size_t n, std::uint8_t* out) noexcept;

    AddLookUps<std::uint8_t> look_ups(const std::uint8_t*) const noexcept { return bytes; }
    AddLookUps<std::uint16_t> look_ups(const std::uint16_t*) const noexcept { return shorts; }
};

extern const SumLoops portable_sum_loops;
#ifdef CONJUNCT_X86
extern const SumLoops avx2_sum_loops;
#endif

}  // namespace conjunct
