#include "search/wide_scales.hpp"

#include <algorithm>

#include "search/weighted_cells.hpp"

namespace conjunct {
namespace {

__extension__ using Wide = unsigned __int128;

std::uint64_t size_of(std::int64_t sum) noexcept {
    const auto own = static_cast<std::uint64_t>(sum);
    return sum < 0 ? 0 - own : own;
}

// The words of a number times a scale, one after the other from the lowest; a last one is carried out of the scale.
struct Product {
    std::uint64_t factor, carry = 0;

    std::uint64_t next(std::uint64_t word) noexcept {
        const Wide product = Wide{factor} * word + carry;
        carry = static_cast<std::uint64_t>(product >> 64);
        return static_cast<std::uint64_t>(product);
    }
};

}  // namespace

bool WideScales::is_zero(std::size_t n_literals) const noexcept {
    return std::ranges::all_of(scale(n_literals), [](std::uint64_t word) { return word == 0; });
}

// The highest word in which two products differ decides.
std::strong_ordering WideScales::compare(std::int64_t a, std::size_t i, std::int64_t b, std::size_t j) const noexcept {
    if ((a < 0) != (b < 0)) return a <=> b;
    Product left{size_of(a)}, right{size_of(b)};
    const auto first = scale(i), second = scale(j);
    auto order = std::strong_ordering::equal;
    for (std::size_t w = 0; w < first.size(); ++w) {
        const auto own = left.next(first[w]) <=> right.next(second[w]);
        if (own != 0) order = own;
    }
    if (left.carry != right.carry) order = left.carry <=> right.carry;
    return a < 0 ? 0 <=> order : order;
}

std::int64_t WideScales::least_reaching(std::int64_t from, std::size_t i, std::int64_t b, std::size_t j,
                                        bool passes) const noexcept {
    const auto is_enough = [&](std::int64_t a) {
        const auto order = compare(a, i, b, j);
        return order > 0 || (order == 0 && !passes);
    };
    if (from > WeightedCells::most_sum || is_enough(from)) return from;
    std::int64_t below = from, enough = WeightedCells::most_sum + 1;  // or no sum is
    while (enough - below > 1) {
        const std::int64_t middle = below + (enough - below) / 2;
        (is_enough(middle) ? enough : below) = middle;
    }
    return enough;
}

}  // namespace conjunct
