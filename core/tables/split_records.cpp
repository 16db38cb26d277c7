#include "tables/split_records.hpp"

#include <bit>
#include <cstring>

namespace conjunct {
namespace {

enum class Field { entry, last_entry, cut_off, irregular };

constexpr std::uint64_t each_byte = 0x0101010101010101ULL;

// The high bit of each byte that is zero; of bytes above the first such one, perhaps of others too.
constexpr std::uint64_t zero_bytes(std::uint64_t word) noexcept { return (word - each_byte) & ~word & each_byte << 7; }

// Where the first of two characters stands, or `size`: eight bytes at a time, since most entries are that short.
inline std::size_t find_either(const char* text, std::size_t at, std::size_t size, char a, char b) noexcept {
    if constexpr (std::endian::native == std::endian::little) {
        const std::uint64_t all_a = each_byte * static_cast<unsigned char>(a);
        const std::uint64_t all_b = each_byte * static_cast<unsigned char>(b);
        for (; at + 8 <= size; at += 8) {
            std::uint64_t word;
            std::memcpy(&word, text + at, sizeof word);
            const std::uint64_t hits = zero_bytes(word ^ all_a) | zero_bytes(word ^ all_b);
            if (hits) return at + static_cast<std::size_t>(std::countr_zero(hits)) / 8;
        }
    }
    while (at < size && text[at] != a && text[at] != b) ++at;
    return at;
}

struct Scanner {
    const char* text;
    std::size_t size;
    char delimiter;
    bool is_last;
    std::size_t at = 0;
    std::size_t n_lines = 0;

    bool is_blank(char c) const noexcept { return c == ' ' || (c == '\t' && delimiter != '\t'); }

    void skip_blanks() noexcept {
        while (at < size && is_blank(text[at])) ++at;
    }

    // At LF, at CR LF, or at the end of the text.
    bool is_line_end() const noexcept {
        return at == size || text[at] == '\n' || (text[at] == '\r' && at + 1 < size && text[at + 1] == '\n');
    }

    void next_line() noexcept {
        if (at < size && text[at] == '\r') ++at;
        if (at < size) ++at;
        ++n_lines;
    }

    // An entry between delimiters; leaves the scanner after the delimiter, or at the start of the next line.
    Field plain(Entry& entry) noexcept {
        const std::size_t begin = at;
        at = find_either(text, at, size, delimiter, '\n');
        const bool is_end = at == size || text[at] == '\n';
        std::size_t end = at;
        if (is_end && at < size && end > begin && text[end - 1] == '\r') --end;
        while (end > begin && is_blank(text[end - 1])) --end;
        entry = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin) & 0x7fffffffU, 0};
        if (at < size) ++at;
        if (!is_end) return Field::entry;
        ++n_lines;
        return Field::last_entry;
    }

    // An entry in quotes; the scanner is at the first.
    Field quoted(Entry& entry) noexcept {
        const std::size_t begin = ++at;
        bool is_escaped = false;
        for (;; ++at) {
            at = find_either(text, at, size, '"', '\n');
            if (at == size) return is_last ? Field::irregular : Field::cut_off;
            if (text[at] == '\n') {
                ++n_lines;
                is_escaped |= text[at - 1] == '\r';
            } else if (at + 1 < size && text[at + 1] == '"') {
                is_escaped = true;
                ++at;
            } else {
                break;
            }
        }
        entry = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at - begin) & 0x7fffffffU, is_escaped};
        const std::size_t after = ++at;
        skip_blanks();
        if (delimiter == ' ' && at > after && !is_line_end()) return Field::entry;
        if (delimiter != ' ' && at < size && text[at] == delimiter) {
            ++at;
            return Field::entry;
        }
        if (!is_line_end()) return Field::irregular;
        next_line();
        return Field::last_entry;
    }

    Field field(Entry& entry) noexcept {
        skip_blanks();
        return at < size && text[at] == '"' ? quoted(entry) : plain(entry);
    }

    // An entry between blanks, where the delimiter is one; at a character that is none.
    Field word(Entry& entry) noexcept {
        if (text[at] == '"') return quoted(entry);
        const std::size_t begin = at;
        while (!is_line_end() && !is_blank(text[at])) ++at;
        entry = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at - begin) & 0x7fffffffU, 0};
        skip_blanks();
        if (!is_line_end()) return Field::entry;
        next_line();
        return Field::last_entry;
    }
};

}  // namespace

Split split_records(std::span<const char> text, char delimiter, std::size_t width, bool is_last,
                    std::span<Entry> entries, std::span<std::uint32_t> lines) noexcept {
    Scanner scanner{text.data(), text.size(), delimiter, is_last};
    std::size_t n_records = 0;
    while (scanner.at < scanner.size) {
        const std::size_t start = scanner.at, start_line = scanner.n_lines;
        scanner.skip_blanks();
        if (scanner.is_line_end()) {
            scanner.next_line();
            continue;
        }
        if (n_records == lines.size() || (n_records + 1) * width > entries.size())
            return {start, start_line, n_records, SplitEnd::room};
        if (delimiter != ' ') scanner.at = start;
        Entry* record = entries.data() + n_records * width;
        Entry surplus;
        std::size_t n_entries = 0;
        Field end = Field::entry;
        while (end == Field::entry) {
            Entry& entry = n_entries < width ? record[n_entries] : surplus;
            end = delimiter == ' ' ? scanner.word(entry) : scanner.field(entry);
            ++n_entries;
        }
        if (end == Field::cut_off) return {start, start_line, n_records, SplitEnd::text};
        if (end == Field::irregular || n_entries != width) return {start, start_line, n_records, SplitEnd::irregular};
        lines[n_records++] = static_cast<std::uint32_t>(start_line);
    }
    return {scanner.at, scanner.n_lines, n_records, SplitEnd::text};
}

std::size_t unescape(const char* text, std::size_t length, char* out) noexcept {
    std::size_t n = 0;
    for (std::size_t i = 0; i < length; ++i) {
        const bool is_dropped =
            i + 1 < length && ((text[i] == '"' && text[i + 1] == '"') || (text[i] == '\r' && text[i + 1] == '\n'));
        if (is_dropped) ++i;
        out[n++] = text[i];
    }
    return n;
}

}  // namespace conjunct
