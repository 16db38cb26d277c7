#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "simd/fewest_loop.hpp"
#include "simd/gram_loops.hpp"
#include "simd/pack_loop.hpp"
#include "simd/pair_loops.hpp"
#include "simd/sum_loops.hpp"
#include "simd/transpose_loop.hpp"
#include "simd/weigh_loops.hpp"

namespace conjunct {

// One counting loop: counts[j] = popcount over the words of (x ^ row_j) & mask, or of (x & row_j) & mask.
using CountLoop = void (*)(const std::uint64_t* x, const std::uint64_t* mask, const std::uint64_t* rows,
                           std::size_t n_rows, std::size_t n_words, std::int32_t* counts) noexcept;

// The loops of one instruction set.
struct Level {
    const char* name;
    CountLoop differing;  // ^
    CountLoop common;     // &
    PackLoop pack_bytes;
    TransposeLoop transpose;
    const GramLoops& gram;
    const SumLoops& sums;
    const PairLoops* pairs;  // for lanes of 16, 32 and 64 bits
    const WeighLoops& weights;
    FewestLoop fewest;
};

extern const Level portable_level;
#ifdef CONJUNCT_X86
extern const Level avx2_level;
extern const Level avx512_level;           // avx2, with weights by masks, and planes of 512 bits for Gram matrices
extern const Level avx512_popcount_level;  // avx512, with pair counts by the vector popcount
#endif

// The level of this process: the one CONJUNCT_SIMD names, otherwise the best the CPU has. Read once, at the first call.
// Null when CONJUNCT_SIMD names a level this build or this CPU does not have.
const Level* active_level() noexcept;

// The levels of this build, worst first: each needs what those before it need.
std::span<const Level* const> built_levels() noexcept;

// The first of them: those that this CPU can run.
std::span<const Level* const> runnable_levels() noexcept;

}  // namespace conjunct
