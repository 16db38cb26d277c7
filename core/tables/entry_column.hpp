#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tables/chunked.hpp"
#include "tables/entry_codes.hpp"
#include "tables/row_codes.hpp"
#include "tables/split_records.hpp"

namespace conjunct {

// How a column is kept: as codes of its spellings, or as numbers; or it is not read.
enum class Keeping : std::uint8_t { nothing, codes, codes_or_numbers, numbers };

// The entries of one column. One of `codes_or_numbers` turns to numbers once it has many spellings and all of them are
// numbers or missing; what it then meets that is no number of 53 bits makes it fail: its spellings are gone.
struct EntryColumn {
    static constexpr std::size_t most_spellings_of_numbers = 4096;

    Keeping keeping = Keeping::codes;
    bool has_failed = false;
    bool is_integer = true;  // of numbers: whether each was spelled as an integer
    EntryCodes spellings;
    RowCodes codes;
    Chunked<double> numbers;  // NaN where missing
    std::vector<char> scratch;

    std::size_t n_rows() const noexcept { return numbers.size() + codes.size(); }

    // Appends the entries of one column of records: every `stride`-th one.
    // Given   missing_spellings: those that stand for a missing entry.
    void append(const char* text, const Entry* entries, std::size_t stride, std::size_t n_records,
                const EntryCodes& missing_spellings);
    void append(std::string_view entry, const EntryCodes& missing_spellings);

private:
    void append_number(std::string_view entry, const EntryCodes& missing_spellings);
    void turn_to_numbers();
};

}  // namespace conjunct
