#include "simd/count_loops.hpp"

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

const CountLoops* best() noexcept {
#ifdef CONJUNCT_X86
    if (has_avx2()) return &avx2_count_loops();
#endif
    return &portable_count_loops();
}

const CountLoops* choose() noexcept {
    const char* wish = std::getenv("CONJUNCT_SIMD");
    if (!wish || !*wish) return best();
    if (std::strcmp(wish, portable_count_loops().level) == 0) return &portable_count_loops();
    return std::strcmp(wish, best()->level) == 0 ? best() : nullptr;
}

}  // namespace

const CountLoops* count_loops() noexcept {
    static const CountLoops* const chosen = choose();
    return chosen;
}

const char* const* simd_levels() noexcept {
    static const char* const with_avx2[] = {"portable", "avx2", nullptr};
    static const char* const without[] = {"portable", nullptr};
    return has_avx2() ? with_avx2 : without;
}

}  // namespace conjunct
