#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#if __has_include(<malloc.h>)
#include <malloc.h>
#endif
#include <string_view>
#include <tuple>
#include <vector>

#include "bind/arrays.hpp"
#include "tables/entry_column.hpp"
#include "tables/row_lines.hpp"
#include "tables/set_bits.hpp"
#include "tables/split_records.hpp"

namespace conjunct::bind {
namespace {

constexpr std::size_t entries_per_step = 1 << 15;  // what lies between splitting and keeping stays in the cache

bool begins_with_letter(std::string_view text) noexcept {
    return !text.empty() && ((text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z'));
}

// The columns of a delimited text, read block by block.
class EntryReader {
public:
    // `keeping`: for each column 0 to leave it out, 1 to keep its spellings, 2 to let it turn to numbers.
    EntryReader(const std::vector<int>& keeping, const std::vector<std::string>& missing) : columns_(keeping.size()) {
        for (std::size_t k = 0; k < keeping.size(); ++k) {
            require(keeping[k] >= 0 && keeping[k] <= 2, "keeping: 0, 1 or 2");
            columns_[k].keeping = static_cast<Keeping>(keeping[k]);
        }
        for (const std::string& spelling : missing) missing_.code(spelling);
        entries_.resize(std::max(entries_per_step, columns_.size()));
        step_lines_.resize(entries_.size() / std::max<std::size_t>(columns_.size(), 1));
    }

    EntryReader(const EntryReader&) = delete;
    EntryReader& operator=(const EntryReader&) = delete;

    // Reads the records of a text from byte `start` on, whose line has the number `line`; returns how many bytes and lines
    // it went through, and whether it stopped at an irregular record.
    std::tuple<std::size_t, std::size_t, bool> read(nb::bytes block, std::size_t start, std::int64_t line,
                                                    char delimiter, bool is_last) {
        require(start <= block.size() && block.size() < (std::size_t{1} << 31), "start or size of the text");
        const std::span<const char> text{block.c_str(), block.size()};
        nb::gil_scoped_release unlocked;
        std::size_t at = start, n_lines = 0;
        while (true) {
            const Split split =
                split_records(text.subspan(at), delimiter, columns_.size(), is_last, entries_, step_lines_);
            for (std::size_t k = 0; k < columns_.size(); ++k)
                columns_[k].append(text.data() + at, entries_.data() + k, columns_.size(), split.n_records, missing_);
            for (std::size_t row = 0; row < split.n_records; ++row)
                lines_.push_back(line + static_cast<std::int64_t>(n_lines + step_lines_[row]));
            at += split.n_bytes;
            n_lines += split.n_lines;
            if (split.end != SplitEnd::room) return {at - start, n_lines, split.end == SplitEnd::irregular};
        }
    }

    // Appends records that were split elsewhere, column by column, and their lines.
    void append(nb::typed<nb::list, nb::typed<nb::list, nb::str>> columns, const std::vector<std::int64_t>& lines) {
        require(columns.size() == columns_.size(), "columns: another number of them");
        for (std::size_t k = 0; k < columns_.size(); ++k) {
            if (columns_[k].keeping == Keeping::nothing) continue;
            for (nb::handle entry : columns[k]) {
                Py_ssize_t length = 0;
                const char* text = PyUnicode_AsUTF8AndSize(entry.ptr(), &length);
                if (!text) throw nb::python_error();
                columns_[k].append({text, static_cast<std::size_t>(length)}, missing_);
            }
        }
        for (const std::int64_t line : lines) lines_.push_back(line);
    }

    // Keeps what was read, and frees what finds the codes of more.
    void close() noexcept {
        for (EntryColumn& column : columns_) column.spellings.close();
    }

    std::size_t n_rows() const noexcept { return lines_.size(); }

    // The columns that turned to numbers and then met something else.
    std::vector<std::size_t> failed() const {
        std::vector<std::size_t> numbers;
        for (std::size_t k = 0; k < columns_.size(); ++k)
            if (columns_[k].has_failed) numbers.push_back(k);
        return numbers;
    }

    bool has_numbers(std::size_t k) const { return column(k).keeping == Keeping::numbers; }
    bool is_integer(std::size_t k) const { return column(k).is_integer; }
    std::size_t n_spellings(std::size_t k) const { return column(k).spellings.size(); }

    void copy_lines(Array<std::int64_t, 1> out) const {
        require(out.size() == lines_.size(), "out: as many as rows expected");
        lines_.copy(out.data());
    }

    // Writes the numbers of a column, NaN where one is missing, and forgets them.
    void take_numbers(std::size_t k, Array<double, 1> out) {
        require(out.size() == column(k).numbers.size(), "out: as many as rows expected");
        double* next = out.data();
        columns_[k].numbers.for_each([&](double number) { *next++ = number; });
        columns_[k].numbers = {};
    }

    // Writes the codes of a column and forgets them.
    void take_codes(std::size_t k, Array<std::int32_t, 1> out) {
        require(out.size() == column(k).n_rows(), "out: as many as rows expected");
        std::int32_t* next = out.data();
        columns_[k].codes.for_each([&](std::uint32_t code) { *next++ = static_cast<std::int32_t>(code); });
        columns_[k].codes = {};
        columns_[k].spellings.close();
    }

    // Writes what each spelling of a column is spelled as.
    void copy_kinds(std::size_t k, Array<std::uint8_t, 1> out) const {
        require(out.size() == n_spellings(k), "out: one for each spelling");
        std::uint8_t* next = out.data();
        column(k).spellings.spellings().for_each([&](std::string_view text, Spelling kind) {
            const bool is_word = kind == Spelling::text && begins_with_letter(text);
            *next++ = static_cast<std::uint8_t>(is_word ? Spelling::word : kind);
        });
    }

    // Writes the number that each spelling of a column stands for.
    void copy_values(std::size_t k, Array<double, 1> out) const {
        require(out.size() == n_spellings(k), "out: one for each spelling");
        double* next = out.data();
        column(k).spellings.spellings().for_each(
            [&](std::string_view text, Spelling) { *next++ = read_number(text.data(), text.size()).value; });
    }

    nb::str spelling(std::size_t k, std::size_t code) const {
        require(code < n_spellings(k), "code: no such spelling");
        const std::string_view text = column(k).spellings.spellings().text(code);
        return nb::str(text.data(), text.size());
    }

private:
    const EntryColumn& column(std::size_t k) const {
        require(k < columns_.size(), "no such column");
        return columns_[k];
    }

    std::vector<EntryColumn> columns_;
    EntryCodes missing_;
    RowLines lines_;
    std::vector<Entry> entries_;
    std::vector<std::uint32_t> step_lines_;
};

// Codes of Python texts: how often one object repeats is common, so its address is looked up before its letters.
class ObjectCodes {
public:
    // Writes the code of each object, -1 for None and NaN; returns the distinct texts, or None where some object is
    // neither text nor missing.
    nb::object code(const nb::list& objects, Array<std::int32_t, 1> out) {
        require(out.size() == objects.size(), "out: as many as objects expected");
        std::size_t row = 0;
        for (nb::handle object : objects) {
            Slot& slot = slot_of(object.ptr());
            if (slot.object != object.ptr()) {
                const std::int64_t code = code_of(object);
                if (code < -1) return nb::none();
                slot = {object.ptr(), static_cast<std::int32_t>(code)};
            }
            out.data()[row++] = slot.code;
        }
        return texts_;
    }

private:
    struct Slot {
        PyObject* object = nullptr;
        std::int32_t code = 0;
    };

    Slot& slot_of(PyObject* object) noexcept {
        const auto address = reinterpret_cast<std::uintptr_t>(object);
        return slots_[(address * 0x9e3779b97f4a7c15ULL) >> 52];
    }

    std::int64_t code_of(nb::handle object) {
        if (object.is_none()) return -1;
        if (PyFloat_Check(object.ptr()) && PyFloat_AsDouble(object.ptr()) != PyFloat_AsDouble(object.ptr())) return -1;
        if (!PyUnicode_CheckExact(object.ptr())) return -2;
        Py_ssize_t length = 0;
        const char* text = PyUnicode_AsUTF8AndSize(object.ptr(), &length);
        if (!text) {
            PyErr_Clear();
            return -2;
        }
        const std::uint32_t code = spellings_.code({text, static_cast<std::size_t>(length)});
        if (code == nb::len(texts_)) texts_.append(object);
        return code;
    }

    std::vector<Slot> slots_ = std::vector<Slot>(1 << 12);  // by address, each forgetting the one before it
    EntryCodes spellings_;
    nb::list texts_;
};

nb::object code_objects(nb::typed<nb::list, nb::any> objects, Array<std::int32_t, 1> out) {
    return ObjectCodes().code(objects, out);
}

// Counts the rows of each kind of entry, where codes say which of the kinds a row's is.
void count_kinds(Array<const std::uint8_t, 1> kinds, Array<const std::int32_t, 1> codes, Array<std::int64_t, 1> out) {
    const std::size_t n_codes = kinds.size();
    for (std::size_t code = 0; code < n_codes; ++code) require(kinds.data()[code] < out.size(), "kinds: no such count");
    std::fill(out.data(), out.data() + out.size(), 0);
    for (std::size_t row = 0; row < codes.size(); ++row) {
        const auto code = static_cast<std::uint32_t>(codes.data()[row]);
        require(code < n_codes, "codes: no such kind");
        ++out.data()[kinds.data()[code]];
    }
}

// Gives memory that was freed back to the system: of a text that has been read, which the C library would keep as holes.
void return_freed_memory() {
#ifdef __GLIBC__
    nb::gil_scoped_release unlocked;
    malloc_trim(0);
#endif
}

BitsOut bits_out(const Array<std::uint64_t, 2>& words, std::size_t n_rows) {
    require(words.shape(0) == n_rows, "words: as many rows as entries expected");
    return {words.data(), words.shape(1)};
}

void set_codes(Array<const std::int32_t, 1> codes, Array<const std::int32_t, 2> ranges, Array<std::uint64_t, 2> words) {
    const auto n_bits = static_cast<std::int64_t>(64 * words.shape(1));
    require(ranges.shape(1) == 2 && ranges.shape(0) >= 1, "ranges: begin and end of each code");
    for (std::size_t k = 0; k < ranges.size(); ++k)
        require(ranges.data()[k] >= 0 && ranges.data()[k] <= n_bits, "ranges: outside the row");
    for (std::size_t row = 0; row < codes.size(); ++row)
        require(codes.data()[row] >= -1 && codes.data()[row] + 1 < static_cast<std::int64_t>(ranges.shape(0)),
                "codes: no such range");
    const BitsOut out = bits_out(words, codes.size());
    nb::gil_scoped_release unlocked;
    set_code_bits({codes.data(), codes.size()}, {reinterpret_cast<const BitRange*>(ranges.data()), ranges.shape(0)},
                  out);
}

void set_numbers(Array<const double, 1> values, Array<const double, 1> cuts, std::int32_t begin, std::int32_t missing,
                 Array<std::uint64_t, 2> words) {
    const auto n_bits = static_cast<std::int64_t>(64 * words.shape(1));
    require(begin >= 0 && begin + static_cast<std::int64_t>(cuts.size()) <= n_bits && missing >= -1 && missing < n_bits,
            "begin, cuts, missing: outside the row");
    const BitsOut out = bits_out(words, values.size());
    nb::gil_scoped_release unlocked;
    set_number_bits({values.data(), values.size()}, {cuts.data(), cuts.size()}, begin, missing, out);
}

}  // namespace

void bind_tables(nb::module_& m) {
    nb::class_<EntryReader>(m, "EntryReader")
        .def(constructor<EntryReader, const std::vector<int>&, const std::vector<std::string>&>(), nb::arg("keeping"),
             nb::arg("missing"))
        .def("read", &EntryReader::read, nb::arg("text"), nb::arg("start"), nb::arg("line"), nb::arg("delimiter"),
             nb::arg("is_last"))
        .def("append", &EntryReader::append, nb::arg("columns"), nb::arg("lines"))
        .def("failed", &EntryReader::failed)
        .def("close", &EntryReader::close)
        .def_prop_ro("n_rows", &EntryReader::n_rows)
        .def("has_numbers", &EntryReader::has_numbers, nb::arg("column"))
        .def("is_integer", &EntryReader::is_integer, nb::arg("column"))
        .def("n_spellings", &EntryReader::n_spellings, nb::arg("column"))
        .def("copy_lines", &EntryReader::copy_lines, nb::arg("out").noconvert())
        .def("take_numbers", &EntryReader::take_numbers, nb::arg("column"), nb::arg("out").noconvert())
        .def("take_codes", &EntryReader::take_codes, nb::arg("column"), nb::arg("out").noconvert())
        .def("copy_kinds", &EntryReader::copy_kinds, nb::arg("column"), nb::arg("out").noconvert())
        .def("copy_values", &EntryReader::copy_values, nb::arg("column"), nb::arg("out").noconvert())
        .def("spelling", &EntryReader::spelling, nb::arg("column"), nb::arg("code"));
    def(m, "return_freed_memory", &return_freed_memory);
    def(m, "code_objects", &code_objects, nb::arg("objects"), nb::arg("out").noconvert());
    def(m, "count_kinds", &count_kinds, nb::arg("kinds").noconvert(), nb::arg("codes").noconvert(),
        nb::arg("out").noconvert());
    def(m, "set_code_bits", &set_codes, nb::arg("codes").noconvert(), nb::arg("ranges").noconvert(),
        nb::arg("words").noconvert());
    def(m, "set_number_bits", &set_numbers, nb::arg("values").noconvert(), nb::arg("cuts").noconvert(),
        nb::arg("begin"), nb::arg("missing"), nb::arg("words").noconvert());
}

}  // namespace conjunct::bind
