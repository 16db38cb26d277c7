#pragma once
#include "bits/rows.hpp"

namespace conjunct {

// Transposes at most 1024 rows into bit planes: bit j % 64 of word 16 v + j / 64 is variable v of row j. One more plane,
// number 64 rows.n_words, is zero.
// Writes  planes: 16 (64 rows.n_words + 1) words; ones[j]: the set bits of row j within the mask, 0 past the last row.
void plane_rows(Rows rows, const std::uint64_t* mask, std::uint64_t* planes, std::uint16_t* ones) noexcept;

}  // namespace conjunct
