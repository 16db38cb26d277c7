#include "kernels/limb_sum.hpp"

namespace conjunct {

void add_multiple(std::uint64_t* total, std::int64_t factor, const std::uint64_t* value, std::size_t n_limbs) noexcept {
    __extension__ using Wide = unsigned __int128;
    const std::uint64_t size = factor < 0 ? 0 - static_cast<std::uint64_t>(factor) : static_cast<std::uint64_t>(factor);
    std::uint64_t carry = 0, borrow = 0;
    for (std::size_t l = 0; l < n_limbs; ++l) {
        const Wide product = static_cast<Wide>(size) * value[l] + carry;
        const std::uint64_t limb = static_cast<std::uint64_t>(product);
        carry = static_cast<std::uint64_t>(product >> 64);
        const Wide sum =
            factor < 0 ? static_cast<Wide>(total[l]) - limb - borrow : static_cast<Wide>(total[l]) + limb + borrow;
        total[l] = static_cast<std::uint64_t>(sum);
        borrow = static_cast<std::uint64_t>(sum >> 64) & 1;
    }
}

void limb_sum(const std::int64_t* histogram, const std::uint64_t* values, std::size_t n_values, std::size_t n_limbs,
              std::uint64_t* total) noexcept {
    for (std::size_t l = 0; l < n_limbs; ++l) total[l] = 0;
    for (std::size_t v = 0; v < n_values; ++v)
        if (histogram[v]) add_multiple(total, histogram[v], values + v * n_limbs, n_limbs);
}

bool limb_less(const std::uint64_t* a, const std::uint64_t* b, std::size_t n_limbs) noexcept {
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    for (std::size_t l = n_limbs; l-- > 0;) {
        const std::uint64_t flip = l + 1 == n_limbs ? sign : 0;
        if (a[l] != b[l]) return (a[l] ^ flip) < (b[l] ^ flip);
    }
    return false;
}

}  // namespace conjunct
