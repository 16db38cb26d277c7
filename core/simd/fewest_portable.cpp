#include "simd/fewest_loop_of.hpp"

namespace conjunct {
namespace {

// Sideways addition; std::popcount without -mpopcnt is a call per word.
struct Sideways {
    std::size_t operator()(std::uint64_t x) const noexcept {
        x -= x >> 1 & 0x5555555555555555ULL;
        x = (x & 0x3333333333333333ULL) + (x >> 2 & 0x3333333333333333ULL);
        x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
        return static_cast<std::size_t>(x * 0x0101010101010101ULL >> 56);
    }
};

}  // namespace

std::size_t fewest_portable(const std::uint64_t* set, std::size_t n_set, const std::uint64_t* rows,
                            const std::uint64_t* mask, std::size_t n_words, const std::int64_t* charges) noexcept {
    return fewest_of<Sideways>(set, n_set, rows, mask, n_words, charges);
}

}  // namespace conjunct
