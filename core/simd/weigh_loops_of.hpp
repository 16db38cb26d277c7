#pragma once
#include "simd/weigh_loops.hpp"

namespace conjunct {

// The loop over words; Lanes add the weights of the cells of a word. Words without a cell in common are passed over.
template <class Lanes, class Weight>
Weighed weigh_by(const std::uint64_t* set, const std::uint64_t* column, const Weight* weights, std::size_t n_first,
                 std::size_t n_words) noexcept {
    Weighed weighed{0, 0, 0, 0};
    Lanes lanes;
    for (std::size_t w = 0; w < n_words; ++w) {
        if (w == n_first) weighed.first = lanes.total(), lanes = Lanes{};
        const std::uint64_t common = set[w] & column[w];
        weighed.kept |= common, weighed.lost |= common ^ set[w];
        if (common) lanes.add(common, weights + 64 * w);
    }
    (n_first < n_words ? weighed.second : weighed.first) = lanes.total();
    return weighed;
}

}  // namespace conjunct
