// Vectors of lanes, for the instruction set of the file that includes pair_loops_of.hpp.
#pragma once
#include <cstring>

#include "simd/pair_loops.hpp"

namespace conjunct {
namespace {

template <class Lane>
struct VectorOf {
    typedef Lane type __attribute__((vector_size(vector_bytes)));
};
template <class Lane>
using Vector = typename VectorOf<Lane>::type;
template <class Lane>
constexpr std::size_t n_lanes = vector_bytes / sizeof(Lane);
template <class Lane>
constexpr unsigned bits_of = 8 * sizeof(Lane);

template <class Lane>
Vector<Lane> all(Lane x) noexcept {
    return Vector<Lane>{} + x;
}

template <class V>
V minimum(V a, V b) noexcept {
    return a < b ? a : b;
}

template <class Lane>
Vector<Lane> load(const Lane* from) noexcept {
    return *reinterpret_cast<const Vector<Lane>*>(from);
}

// Halves are compared until one lane is left.
template <class Lane>
Lane least(Vector<Lane> v) noexcept {
    typedef Lane Half __attribute__((vector_size(16)));
    Half parts[vector_bytes / 16];
    std::memcpy(parts, &v, vector_bytes);
    Half half = parts[0];
    for (std::size_t i = 1; i < vector_bytes / 16; ++i) half = minimum(half, parts[i]);
    typedef std::uint64_t Pair __attribute__((vector_size(16)));
    half = minimum(half, reinterpret_cast<Half>(__builtin_shuffle(reinterpret_cast<Pair>(half), Pair{1, 0})));
    for (unsigned s = 32; s >= bits_of<Lane>; s /= 2)
        half = minimum(half, reinterpret_cast<Half>(reinterpret_cast<Pair>(half) >> s));
    return half[0];
}

template <class Lane>
Lane valid_rows(const RowGroup& group, std::size_t w) noexcept {
    const std::size_t left = group.n_rows - w * bits_of<Lane>;
    return left >= bits_of<Lane> ? static_cast<Lane>(~Lane{0}) : static_cast<Lane>((Lane{1} << left) - 1);
}

}  // namespace
}  // namespace conjunct
