// Built with -mavx2 -mpopcnt; reached only after the CPU was asked.
#include <immintrin.h>

#include "simd/fewest_loop_of.hpp"

namespace conjunct {
namespace {

struct Instruction {
    std::size_t operator()(std::uint64_t x) const noexcept { return static_cast<std::size_t>(_mm_popcnt_u64(x)); }
};

}  // namespace

std::size_t fewest_avx2(const std::uint64_t* set, std::size_t n_set, const std::uint64_t* rows,
                        const std::uint64_t* mask, std::size_t n_words, const std::int64_t* charges) noexcept {
    return fewest_of<Instruction>(set, n_set, rows, mask, n_words, charges);
}

}  // namespace conjunct
