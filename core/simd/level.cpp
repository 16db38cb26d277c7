#include "simd/level.hpp"

#include <cstdlib>
#include <cstring>

namespace conjunct {
namespace {

#ifdef CONJUNCT_X86
constexpr const Level* built[] = {&portable_level, &avx2_level, &avx512_level, &avx512_popcount_level};
#else
constexpr const Level* built[] = {&portable_level};
#endif

// How many levels of the list this CPU has.
std::size_t n_runnable() noexcept {
#ifdef CONJUNCT_X86
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("popcnt")) return 1;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
        !__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("avx512dq"))
        return 2;
    if (!__builtin_cpu_supports("avx512vpopcntdq") || !__builtin_cpu_supports("avx512bitalg")) return 3;
#endif
    return std::size(built);
}

const Level* choose() noexcept {
    const char* wish = std::getenv("CONJUNCT_SIMD");
    const Level* chosen = nullptr;
    for (const Level* level : runnable_levels())
        if (!wish || !*wish || std::strcmp(wish, level->name) == 0) chosen = level;
    return chosen;
}

}  // namespace

std::span<const Level* const> built_levels() noexcept { return built; }

std::span<const Level* const> runnable_levels() noexcept { return built_levels().first(n_runnable()); }

const Level* active_level() noexcept {
    static const Level* const chosen = choose();
    return chosen;
}

}  // namespace conjunct
