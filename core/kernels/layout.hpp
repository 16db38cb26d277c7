#pragma once
#include <cstddef>
#include <cstdint>

namespace conjunct {

// How a kernel sees two rows. A kernel is a sum of summands; a summand is a product of factors; a factor counts, over its
// group of variables, those on which the rows are the same, or those that are 1 in both. The value of a summand is
// table[offset + sum of stride * count over its factors], so a pair of rows is one index per summand.
struct Factor {
    bool same;                  // else common ones
    const std::uint64_t* mask;  // the group, n_words words
    std::int32_t size;          // variables in the group
    std::int32_t stride;
};

struct Summand {
    const Factor* factors;
    std::size_t n_factors;
    std::int32_t offset;
};

struct Layout {
    const Summand* summands;
    std::size_t n_summands;
    std::size_t n_words;
    std::size_t n_values;  // entries of the table
};

// Rows are counted in tiles of this many, so that the indices stay in the first cache and on the stack.
inline constexpr std::size_t tile_rows = 512;

}  // namespace conjunct
