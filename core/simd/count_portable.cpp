#include "simd/level.hpp"

namespace conjunct {
namespace {

// Sideways addition; std::popcount without -mpopcnt is a call per word.
inline std::int32_t popcount(std::uint64_t x) noexcept {
    x -= x >> 1 & 0x5555555555555555ULL;
    x = (x & 0x3333333333333333ULL) + (x >> 2 & 0x3333333333333333ULL);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
    return static_cast<std::int32_t>(x * 0x0101010101010101ULL >> 56);
}

template <bool differing>
void count(const std::uint64_t* x, const std::uint64_t* mask, const std::uint64_t* rows, std::size_t n_rows,
           std::size_t n_words, std::int32_t* counts) noexcept {
    for (std::size_t j = 0; j < n_rows; ++j, rows += n_words) {
        std::int32_t total = 0;
        for (std::size_t w = 0; w < n_words; ++w)
            total += popcount((differing ? x[w] ^ rows[w] : x[w] & rows[w]) & mask[w]);
        counts[j] = total;
    }
}

}  // namespace

constexpr Level portable_level{"portable",           count<true>,         count<false>,       pack_bytes_portable,
                               transpose_portable,   portable_gram_loops, portable_sum_loops, portable_pair_loops,
                               portable_weigh_loops, fewest_portable};

}  // namespace conjunct
