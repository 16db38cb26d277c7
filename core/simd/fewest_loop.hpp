#pragma once
#include <cstddef>
#include <cstdint>

namespace conjunct {

// Returns which row of a set has the fewest bits of a mask for its charge, the least quotient; of equal ones the first.
// Given  set: bit i % 64 of word i / 64 for row i, n_set words, not all zero; rows and mask of n_words words each; a charge
//        above 0 for each row.
using FewestLoop = std::size_t (*)(const std::uint64_t* set, std::size_t n_set, const std::uint64_t* rows,
                                   const std::uint64_t* mask, std::size_t n_words,
                                   const std::int64_t* charges) noexcept;

std::size_t fewest_portable(const std::uint64_t* set, std::size_t n_set, const std::uint64_t* rows,
                            const std::uint64_t* mask, std::size_t n_words, const std::int64_t* charges) noexcept;
#ifdef CONJUNCT_X86
std::size_t fewest_avx2(const std::uint64_t* set, std::size_t n_set, const std::uint64_t* rows,
                        const std::uint64_t* mask, std::size_t n_words, const std::int64_t* charges) noexcept;
#endif

}  // namespace conjunct
