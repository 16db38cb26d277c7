#include "tables/entry_column.hpp"

#include <limits>

namespace conjunct {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_short_codes = 1 << 16;

// A spelling is among few others, without a look at a table for the many that are too long.
bool is_among(const EntryCodes& spellings, std::string_view entry) noexcept {
    for (std::size_t k = 0; k < spellings.size(); ++k)
        if (spellings.spelling(k) == entry) return true;
    return false;
}

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
    if (code == n_before && is_among(missing_spellings, entry)) spellings.set_kind(code, Spelling::missing);
    if (code < most_short_codes && long_codes.empty())
        short_codes.push_back(static_cast<std::uint16_t>(code));
    else
        long_codes.push_back(code);
    if (keeping == Keeping::codes_or_numbers && code >= most_spellings_of_numbers) turn_to_numbers();
}

void EntryColumn::append_number(std::string_view entry, const EntryCodes& missing_spellings) {
    const Number number = read_number(entry.data(), entry.size());
    if (number.spelling == Spelling::integer || number.spelling == Spelling::number) {
        is_integer &= number.spelling == Spelling::integer;
        numbers.push_back(number.value);
    } else if (is_among(missing_spellings, entry)) {
        numbers.push_back(missing);
    } else {
        has_failed = true;
    }
}

void EntryColumn::turn_to_numbers() {
    std::vector<double> values;
    for (std::size_t code = 0; code < spellings.size(); ++code) {
        const Spelling kind = spellings.kind(code);
        if (kind != Spelling::missing && kind != Spelling::integer && kind != Spelling::number) {
            keeping = Keeping::codes;
            return;
        }
        is_integer &= kind != Spelling::number;
        const std::string_view text = spellings.spelling(code);
        values.push_back(kind == Spelling::missing ? missing : read_number(text.data(), text.size()).value);
    }
    short_codes.for_each([&](std::uint16_t code) { numbers.push_back(values[code]); });
    keeping = Keeping::numbers;
    short_codes = {};
    spellings = {};
}

void EntryColumn::copy_codes(std::int32_t* out) const {
    short_codes.for_each([&](std::uint16_t code) { *out++ = code; });
    long_codes.for_each([&](std::uint32_t code) { *out++ = static_cast<std::int32_t>(code); });
}

}  // namespace conjunct
