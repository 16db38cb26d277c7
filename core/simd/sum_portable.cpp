#include "simd/sum_loops.hpp"

namespace conjunct {
namespace {

template <class Count>
void add_look_ups(const Count* const* counts, std::size_t n_rows, std::size_t n, const double* table,
                  const double* weights, double* sums) noexcept {
    for (std::size_t i = 0; i < n_rows; ++i)
        for (std::size_t j = 0; j < n; ++j) sums[j] += weights[i] * table[counts[i][j]];
}

void add_multiple(double factor, const double* values, std::size_t n, double* sums) noexcept {
    for (std::size_t j = 0; j < n; ++j) sums[j] += factor * values[j];
}

void narrow(const std::uint16_t* counts, std::size_t n, std::uint8_t* out) noexcept {
    for (std::size_t j = 0; j < n; ++j) out[j] = static_cast<std::uint8_t>(counts[j]);
}

}  // namespace

constexpr SumLoops portable_sum_loops{add_look_ups<std::uint8_t>, add_look_ups<std::uint16_t>, add_multiple, narrow};

}  // namespace conjunct
