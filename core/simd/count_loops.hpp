#pragma once
#include <cstddef>
#include <cstdint>

namespace conjunct {

// One counting loop: counts[j] = popcount over the words of (x ^ row_j) & mask, or of (x & row_j) & mask.
using CountLoop = void (*)(const std::uint64_t* x, const std::uint64_t* mask, const std::uint64_t* rows,
                           std::size_t n_rows, std::size_t n_words, std::int32_t* counts) noexcept;

struct CountLoops {
    const char* level;
    CountLoop differing;  // ^
    CountLoop common;     // &
};

const CountLoops& portable_count_loops() noexcept;
#ifdef CONJUNCT_X86
const CountLoops& avx2_count_loops() noexcept;
#endif

// The loops of this process: those CONJUNCT_SIMD names, otherwise the best the CPU has. Read once, at the first call.
// Null when CONJUNCT_SIMD names a level this build or this CPU does not have.
const CountLoops* count_loops() noexcept;

// The levels this CPU can run, worst first; null ends the list.
const char* const* simd_levels() noexcept;

}  // namespace conjunct
