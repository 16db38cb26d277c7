#include "simd/level.hpp"

#include <cstdlib>
#include <cstring>

namespace conjunct {
namespace {

bool has_avx2() noexcept {
#ifdef CONJUNCT_X86
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
#else
    return false;
#endif
}

bool has_avx512() noexcept {
#ifdef CONJUNCT_X86
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512bitalg");
#else
    return false;
#endif
}

// The levels this CPU can run, worst first; null ends the list.
const Level* const* levels() noexcept {
#ifdef CONJUNCT_X86
    static const Level* const with_avx512[] = {&portable_level, &avx2_level, &avx512_level, nullptr};
    static const Level* const with_avx2[] = {&portable_level, &avx2_level, nullptr};
    if (has_avx512()) return with_avx512;
    if (has_avx2()) return with_avx2;
#endif
    static const Level* const without[] = {&portable_level, nullptr};
    return without;
}

const Level* choose() noexcept {
    const char* wish = std::getenv("CONJUNCT_SIMD");
    const Level* chosen = nullptr;
    for (const Level* const* level = levels(); *level; ++level)
        if (!wish || !*wish || std::strcmp(wish, (*level)->name) == 0) chosen = *level;
    return chosen;
}

}  // namespace

const Level* active_level() noexcept {
    static const Level* const chosen = choose();
    return chosen;
}

const char* const* level_names() noexcept {
    static const char* names[4] = {};
    for (std::size_t i = 0; levels()[i]; ++i) names[i] = levels()[i]->name;
    return names;
}

}  // namespace conjunct
