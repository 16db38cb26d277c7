#pragma once
#include <cstdint>
#include <vector>

namespace conjunct {

// Sorts the places of a row.
// Given   places from 0 on that differ, or -1, any number of times.
void sort_places(std::vector<std::int32_t>& places);

}  // namespace conjunct
