#pragma once
#include <cstddef>
#include <cstdint>

namespace conjunct {

// What an entry is spelled as. A large integer is beyond 2^53, and an infinite number past the range of floats. A word is
// text that begins with a letter: no number or date in any notation does.
enum class Spelling : std::uint8_t { missing, integer, number, large_integer, infinite, text, word };

struct Number {
    Spelling spelling;
    double value;  // nearest to what is spelled; of large integers and text, nothing
};

// Reads a number: ASCII digits with at most one sign before them, one point, and one exponent.
// Twin  conjunct.tables.number_grammar.number
Number read_number(const char* text, std::size_t length) noexcept;

}  // namespace conjunct
