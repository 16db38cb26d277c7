#include "tables/set_bits.hpp"

#include <algorithm>

namespace conjunct {
namespace {

constexpr std::size_t most_compared = 16;  // beyond, halving is faster than comparing with all cuts

inline void set_range(std::uint64_t* row, BitRange range) noexcept {
    if (range.begin >= range.end) return;
    const auto first = static_cast<std::size_t>(range.begin) / 64, last = static_cast<std::size_t>(range.end - 1) / 64;
    const std::uint64_t from = ~std::uint64_t{0} << (range.begin % 64);
    const std::uint64_t to = ~std::uint64_t{0} >> (63 - (range.end - 1) % 64);
    if (first == last) {
        row[first] |= from & to;
        return;
    }
    row[first] |= from;
    for (std::size_t word = first + 1; word < last; ++word) row[word] = ~std::uint64_t{0};
    row[last] |= to;
}

}  // namespace

void set_code_bits(std::span<const std::int32_t> codes, std::span<const BitRange> ranges, BitsOut out) noexcept {
    std::uint64_t* row = out.words;
    for (const std::int32_t code : codes) {
        set_range(row, ranges[static_cast<std::size_t>(code + 1)]);
        row += out.words_per_row;
    }
}

void set_number_bits(std::span<const double> values, std::span<const double> cuts, std::int32_t begin,
                     std::int32_t missing, BitsOut out) noexcept {
    const auto end = begin + static_cast<std::int32_t>(cuts.size());
    std::uint64_t* row = out.words;
    for (const double value : values) {
        if (value != value) {
            if (missing >= 0) set_range(row, {missing, missing + 1});
        } else {
            std::int32_t n_below = 0;
            if (cuts.size() <= most_compared)
                for (const double cut : cuts) n_below += cut < value;
            else
                n_below = static_cast<std::int32_t>(std::lower_bound(cuts.begin(), cuts.end(), value) - cuts.begin());
            set_range(row, {begin + n_below, end});
        }
        row += out.words_per_row;
    }
}

}  // namespace conjunct
