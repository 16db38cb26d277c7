#pragma once
#include <cstddef>
#include <cstdint>

namespace conjunct {

// Sets the bits of a sparse table (CSR: the columns of row i are indices[indptr[i] .. indptr[i + 1])).
// Given   is_one per entry (an explicit zero sets nothing); entries of a row in any order.
// Needs   words zeroed by the caller.
// Returns -1, or the first row whose indptr leaves [0, n_entries] or decreases, or whose index leaves [0, n_variables);
//         nothing outside the arrays is touched.
template <class Index>
std::int64_t pack_sparse(const Index* indptr, const Index* indices, const std::uint8_t* is_one, std::size_t n_rows,
                         std::size_t n_variables, std::size_t n_entries, std::uint64_t* words) noexcept;

}  // namespace conjunct
