#include <bit>

#include "simd/weigh_loops_of.hpp"

namespace conjunct {
namespace {

template <class Weight>
struct OneLane {
    std::int64_t sum = 0;

    void add(std::uint64_t cells, const Weight* weights) noexcept {
        for (; cells; cells &= cells - 1) sum += weights[std::countr_zero(cells)];
    }
    std::int64_t total() const noexcept { return sum; }
};

}  // namespace

constexpr WeighLoops portable_weigh_loops{weigh_by<OneLane<std::int32_t>, std::int32_t>,
                                          weigh_by<OneLane<std::int64_t>, std::int64_t>};

}  // namespace conjunct
