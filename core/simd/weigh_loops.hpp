#pragma once
#include <cstddef>
#include <cstdint>

namespace conjunct {

// What the cells of a set that are also in a column weigh.
struct Weighed {
    std::int64_t first, second;  // sums over the cells of the words before a place, and of those from it on
    std::uint64_t kept, lost;    // not zero where some cell of the set is in the column, where some is not
};

// Weight i belongs to bit i % 64 of word i / 64; n_first <= n_words. The sum of any weights fits the type of a weight.
template <class Weight>
using WeighLoop = Weighed (*)(const std::uint64_t* set, const std::uint64_t* column, const Weight* weights,
                              std::size_t n_first, std::size_t n_words) noexcept;

// The loops of one instruction set.
struct WeighLoops {
    WeighLoop<std::int32_t> narrow;
    WeighLoop<std::int64_t> wide;
};

extern const WeighLoops portable_weigh_loops;
#ifdef CONJUNCT_X86
extern const WeighLoops avx2_weigh_loops;
extern const WeighLoops avx512_weigh_loops;
#endif

}  // namespace conjunct
