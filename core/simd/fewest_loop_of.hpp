#pragma once
#include <bit>

#include "simd/fewest_loop.hpp"

namespace conjunct {

// The loop for rows of a number of words known when it is compiled, or, where that is 0, of any; Popcount counts a word.
template <class Popcount, std::size_t known>
std::size_t fewest_by(const std::uint64_t* set, std::size_t n_set, const std::uint64_t* rows, const std::uint64_t* mask,
                      std::size_t n_words, const std::int64_t* charges) noexcept {
    __extension__ using Wide = unsigned __int128;
    const auto times = [](std::size_t count, std::int64_t charge) { return Wide{count} * static_cast<Wide>(charge); };
    const std::size_t width = known ? known : n_words;
    std::size_t first = 0, fewest = SIZE_MAX;
    for (std::size_t w = 0; w < n_set; ++w)
        for (std::uint64_t left = set[w]; left; left &= left - 1) {
            const std::size_t i = 64 * w + static_cast<std::size_t>(std::countr_zero(left));
            const std::uint64_t* row = rows + i * width;
            std::size_t count = 0;
            for (std::size_t v = 0; v < width; ++v) count += Popcount{}(row[v] & mask[v]);
            if (fewest != SIZE_MAX && times(count, charges[first]) >= times(fewest, charges[i])) continue;
            first = i, fewest = count;
            if (!count) return first;
        }
    return first;
}

template <class Popcount>
std::size_t fewest_of(const std::uint64_t* set, std::size_t n_set, const std::uint64_t* rows, const std::uint64_t* mask,
                      std::size_t n_words, const std::int64_t* charges) noexcept {
    switch (n_words) {
        case 1:
            return fewest_by<Popcount, 1>(set, n_set, rows, mask, n_words, charges);
        case 2:
            return fewest_by<Popcount, 2>(set, n_set, rows, mask, n_words, charges);
        case 3:
            return fewest_by<Popcount, 3>(set, n_set, rows, mask, n_words, charges);
        case 4:
            return fewest_by<Popcount, 4>(set, n_set, rows, mask, n_words, charges);
        default:
            return fewest_by<Popcount, 0>(set, n_set, rows, mask, n_words, charges);
    }
}

}  // namespace conjunct
