#pragma once
#include "bits/rows.hpp"

namespace conjunct {

// Lays rows out a nibble to a byte, 32 rows to a block, as GramTile reads them; rows up to `n_padded` are zero.
// Given   n_nibbles <= 16 rows.n_words; n_padded a multiple of 32, at least rows.n_rows.
// Writes  nibbles: n_padded x n_nibbles bytes.
void nibble_rows(Rows rows, std::size_t n_nibbles, std::size_t n_padded, std::uint8_t* nibbles) noexcept;

}  // namespace conjunct
