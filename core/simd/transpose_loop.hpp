#pragma once
#include <cstddef>
#include <cstdint>

namespace conjunct {

// Transposes, in place, four squares of 64 x 64 bits that lie beside each other: word k of square q is squares[4 k + q],
// and its bit j becomes bit k of word j.
using TransposeLoop = void (*)(std::uint64_t* squares) noexcept;

void transpose_portable(std::uint64_t* squares) noexcept;
#ifdef CONJUNCT_X86
void transpose_avx2(std::uint64_t* squares) noexcept;
#endif

}  // namespace conjunct
