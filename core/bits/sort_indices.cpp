#include "bits/sort_indices.hpp"

#include <algorithm>

namespace conjunct {
namespace {

constexpr std::size_t few = 64;

// Every index is compared with every other: more work than sorting, but without a branch to guess.
void sort_few(std::vector<std::int32_t>& indices) noexcept {
    std::int32_t unsorted[few];
    const std::size_t n = indices.size();
    std::copy(indices.begin(), indices.end(), unsorted);
    std::fill(indices.begin(), indices.end(), -1);  // several may be -1: they have one rank, the lowest
    for (std::size_t k = 0; k < n; ++k) {
        std::uint32_t rank = 0;
        for (std::size_t other = 0; other < n; ++other) rank += unsorted[other] < unsorted[k];
        indices[rank] = unsorted[k];
    }
}

}  // namespace

void sort_indices(std::vector<std::int32_t>& indices) {
    if (indices.size() <= few)
        sort_few(indices);
    else
        std::sort(indices.begin(), indices.end());
}

}  // namespace conjunct
