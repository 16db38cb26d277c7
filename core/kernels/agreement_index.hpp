#pragma once
#include "kernels/layout.hpp"

namespace conjunct {

// index[j] = the table index of one summand for the pair (x, row j).
// Given   n_rows <= tile_rows packed rows.
// Source  [khardon2005, Section 3]: a Boolean kernel depends on two rows through agreement counts only.
// Twin    conjunct.theory.agreement_count
void agreement_index(const Layout& layout, const Summand& summand, const std::uint64_t* x, const std::uint64_t* rows,
                     std::size_t n_rows, std::int32_t* index) noexcept;

}  // namespace conjunct
