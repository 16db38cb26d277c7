#pragma once
#include "bits/rows.hpp"

namespace conjunct {

// Writes the variables of every row as bytes 0/1: out[i * n_variables + v].
// Twin    numpy.unpackbits(words, bitorder="little")
void unpack_rows(Rows rows, std::size_t n_variables, std::uint8_t* out) noexcept;

}  // namespace conjunct
