#pragma once
#include <cstdint>
#include <vector>

namespace conjunct {

// Sorts the indices of a row.
// Given   indices from 0 on that differ, or -1, any number of times.
void sort_indices(std::vector<std::int32_t>& indices);

}  // namespace conjunct
