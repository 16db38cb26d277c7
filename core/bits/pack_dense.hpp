#pragma once
#include <cstddef>
#include <cstdint>

namespace conjunct {

// A dense table of T by address and byte strides (any order, any sign).
template <class T>
struct DenseTable {
    const T* data;
    std::size_t n_rows, n_variables;
    std::ptrdiff_t row_stride, column_stride;  // bytes

    T at(std::size_t row, std::size_t column) const noexcept {
        const char* base = reinterpret_cast<const char*>(data);
        return *reinterpret_cast<const T*>(base + static_cast<std::ptrdiff_t>(row) * row_stride +
                                           static_cast<std::ptrdiff_t>(column) * column_stride);
    }
};

// Packs rows [first, last) of a table of zeros and ones.
// Given   a table of T in {bool as uint8, (u)int8..64, float, double}; elements aligned for T.
// Writes  words: ceil(n_variables / 64) per row, tail bits zero, at words + row * n_words.
// Returns the flat index (row * n_variables + column) of the first value that is neither 0 nor 1, or -1.
// Twin    numpy.packbits(table, bitorder="little")
template <class T>
std::int64_t pack_dense(const DenseTable<T>& table, std::size_t first, std::size_t last, std::uint64_t* words) noexcept;

}  // namespace conjunct
