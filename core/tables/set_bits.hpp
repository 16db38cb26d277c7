#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace conjunct {

// Packed rows that are being written: `words_per_row` words from one row to the next.
struct BitsOut {
    std::uint64_t* words;
    std::size_t words_per_row;
};

// Which of a column's variables hold on an entry: those from `begin` to `end`, next to each other in a row.
struct BitRange {
    std::int32_t begin, end;
};

// Sets, in every row, the variables of the range that belongs to its code; ranges[0] is that of code -1, a missing entry.
void set_code_bits(std::span<const std::int32_t> codes, std::span<const BitRange> ranges, BitsOut out) noexcept;

// Sets, in every row, the variables value <= cut: the first is variable `begin`. cuts increase. On NaN, a missing entry,
// variable `missing` is set, or none where that is -1.   Twin  conjunct.tables.variable_tests.VariableTest.holds
void set_number_bits(std::span<const double> values, std::span<const double> cuts, std::int32_t begin,
                     std::int32_t missing, BitsOut out) noexcept;

}  // namespace conjunct
