#include "kernels/floor_carry.hpp"

namespace conjunct {

int floor_carry_sign(const std::int64_t* histogram, const std::int64_t* digits, std::size_t n_values) noexcept {
    std::int64_t carry = 0, dropped = 0;
    for (std::size_t s = 0; s < n_values; ++s) {
        if (s > 0) {
            dropped |= carry & 1;
            carry >>= 1;  // floor, also below zero (C++20)
        }
        carry += histogram[s] - digits[s];
    }
    if (carry < 0) return -1;
    return carry > 0 || dropped ? 1 : 0;
}

}  // namespace conjunct
