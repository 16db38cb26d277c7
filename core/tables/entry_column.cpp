#include "tables/entry_column.hpp"

#include <limits>

namespace conjunct {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

}  // namespace

void EntryColumn::append(const char* text, const Entry* entries, std::size_t stride, std::size_t n_records,
                         const EntryCodes& missing_spellings) {
    if (keeping == Keeping::nothing || has_failed) return;
    for (std::size_t row = 0; row < n_records; ++row) {
        const Entry entry = entries[row * stride];
        if (!entry.is_escaped) {
            append({text + entry.begin, entry.length}, missing_spellings);
        } else {
            scratch.resize(entry.length);
            append({scratch.data(), unescape(text + entry.begin, entry.length, scratch.data())}, missing_spellings);
        }
    }
}

void EntryColumn::append(std::string_view entry, const EntryCodes& missing_spellings) {
    if (keeping == Keeping::numbers) return append_number(entry, missing_spellings);
    const std::size_t n_before = spellings.size();
    const std::uint32_t code = spellings.code(entry);
    const bool is_new = code == n_before;
    if (is_new && missing_spellings.holds(entry)) spellings.set_kind(code, Spelling::missing);
    codes.push_back(code, is_new);
    if (keeping == Keeping::codes_or_numbers && code >= most_spellings_of_numbers) turn_to_numbers();
}

void EntryColumn::append_number(std::string_view entry, const EntryCodes& missing_spellings) {
    const Number number = read_number(entry.data(), entry.size());
    if (number.spelling == Spelling::integer || number.spelling == Spelling::number) {
        is_integer &= number.spelling == Spelling::integer;
        numbers.push_back(number.value);
    } else if (missing_spellings.holds(entry)) {
        numbers.push_back(missing);
    } else {
        has_failed = true;
    }
}

void EntryColumn::turn_to_numbers() {
    std::vector<double> values;
    bool are_numbers = true;
    spellings.spellings().for_each([&](std::string_view text, Spelling kind) {
        are_numbers &= kind == Spelling::missing || kind == Spelling::integer || kind == Spelling::number;
        is_integer &= kind != Spelling::number;
        values.push_back(kind == Spelling::missing ? missing : read_number(text.data(), text.size()).value);
    });
    if (!are_numbers) {
        keeping = Keeping::codes;
        return;
    }
    codes.for_each([&](std::uint32_t code) { numbers.push_back(values[code]); });
    keeping = Keeping::numbers;
    codes = {};
    spellings = {};
}

}  // namespace conjunct
