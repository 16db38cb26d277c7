#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace conjunct {

// A field of a text: where it begins, and its length; `is_escaped` where it holds quotes written twice or CR LF.
struct Entry {
    std::uint32_t begin;
    std::uint32_t length : 31;
    std::uint32_t is_escaped : 1;
};

enum class SplitEnd { text, room, irregular };

// How far a text was split: up to which byte and line, into how many records, and why no further.
struct Split {
    std::size_t n_bytes, n_lines, n_records;
    SplitEnd end;
};

// Splits delimited text into records of `width` entries.
// Given   text: below 2^31 bytes of whole lines; the last may lack its LF where `is_last`. delimiter: one ASCII character,
//         a blank for runs of blanks and tabs.
// Writes  entries: record by record; lines: for each record, how many lines of the text are before it.
// Stops   before a record that is cut off by the end of the text (quotes may hold line ends), that `entries` has no room
//         for, or that is irregular: of another width, a quote not closed, text after a closing quote.
// As RFC 4180, but: blanks around an entry are dropped, a quote inside an unquoted entry is a plain character, lines of
// blanks are no records, CR before LF is dropped.   Twin  conjunct.tables.records.records
Split split_records(std::span<const char> text, char delimiter, std::size_t width, bool is_last,
                    std::span<Entry> entries, std::span<std::uint32_t> lines) noexcept;

// Writes an escaped entry as it is meant: quotes once, LF for CR LF. Returns its length, at most that of the entry.
std::size_t unescape(const char* text, std::size_t length, char* out) noexcept;

}  // namespace conjunct
