#include <cstddef>
#include <cstdint>

namespace conjunct {
namespace {

constexpr std::size_t vector_bytes = 16;

// Sideways addition in every lane.
template <class V>
V popcount(V x) noexcept;

}  // namespace
}  // namespace conjunct

#include "simd/pair_loops_of.hpp"

namespace conjunct {
namespace {

template <class V>
V popcount(V x) noexcept {
    using Lane = std::remove_cvref_t<decltype(x[0])>;
    const auto every = [](std::uint64_t byte) { return static_cast<Lane>(byte * 0x0101010101010101ULL); };
    x -= (x >> Lane{1}) & every(0x55);
    x = (x & every(0x33)) + ((x >> Lane{2}) & every(0x33));
    x = (x + (x >> Lane{4})) & every(0x0f);
    for (Lane s = 8; s < bits_of<Lane>; s = static_cast<Lane>(s * 2)) x += x >> s;
    return x & Lane{0x7f};
}

}  // namespace

constexpr PairLoops portable_pair_loops[3]{loops_of<std::uint16_t>, loops_of<std::uint32_t>, loops_of<std::uint64_t>};

}  // namespace conjunct
