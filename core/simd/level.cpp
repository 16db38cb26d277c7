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

const Level* best() noexcept {
#ifdef CONJUNCT_X86
    if (has_avx2()) return &avx2_level;
#endif
    return &portable_level;
}

const Level* choose() noexcept {
    const char* wish = std::getenv("CONJUNCT_SIMD");
    if (!wish || !*wish) return best();
    if (std::strcmp(wish, portable_level.name) == 0) return &portable_level;
    return std::strcmp(wish, best()->name) == 0 ? best() : nullptr;
}

}  // namespace

const Level* active_level() noexcept {
    static const Level* const chosen = choose();
    return chosen;
}

const char* const* level_names() noexcept {
    static const char* const with_avx2[] = {"portable", "avx2", nullptr};
    static const char* const without[] = {"portable", nullptr};
    return has_avx2() ? with_avx2 : without;
}

}  // namespace conjunct
