#include "bits/pack_dense.hpp"

#include <algorithm>
#include <type_traits>

#include "simd/level.hpp"

namespace conjunct {
namespace {

template <class T>
bool pack_word(const DenseTable<T>& table, std::size_t row, std::size_t column, std::size_t count,
               std::uint64_t& word) noexcept {
    std::uint64_t bits = 0;
    bool clean = true;
    for (std::size_t k = 0; k < count; ++k) {
        const T value = table.at(row, column + k);
        clean &= value == T(0) || value == T(1);
        bits |= static_cast<std::uint64_t>(value == T(1)) << k;
    }
    word = bits;
    return clean;
}

// Of a row that has one; another thread may have mended it meanwhile: then the last column.
template <class T>
std::size_t first_stray(const DenseTable<T>& table, std::size_t row) noexcept {
    std::size_t column = 0;
    for (; column + 1 < table.n_variables; ++column) {
        const T value = table.at(row, column);
        if (value != T(0) && value != T(1)) break;
    }
    return column;
}

}  // namespace

template <class T>
std::int64_t pack_dense(const DenseTable<T>& table, std::size_t first, std::size_t last,
                        std::uint64_t* words) noexcept {
    const std::size_t n = table.n_variables, n_words = (n + 63) / 64;
    const bool bytes_in_a_row = std::is_same_v<T, std::uint8_t> && table.column_stride == 1;
    const std::size_t n_whole = bytes_in_a_row ? n / 64 : 0;  // words packed from 64 bytes side by side
    const PackLoop pack_bytes = active_level()->pack_bytes;
    for (std::size_t i = first; i < last; ++i) {
        std::uint64_t* row = words + i * n_words;
        const char* bytes =
            reinterpret_cast<const char*>(table.data) + static_cast<std::ptrdiff_t>(i) * table.row_stride;
        bool clean = n_whole == 0 || pack_bytes(reinterpret_cast<const std::uint8_t*>(bytes), n_whole, row);
        for (std::size_t w = n_whole; w < n_words; ++w)
            clean &= pack_word(table, i, 64 * w, std::min<std::size_t>(64, n - 64 * w), row[w]);
        if (!clean) return static_cast<std::int64_t>(i * n + first_stray(table, i));
    }
    return -1;
}

template std::int64_t pack_dense(const DenseTable<std::uint8_t>&, std::size_t, std::size_t, std::uint64_t*) noexcept;
template std::int64_t pack_dense(const DenseTable<std::int8_t>&, std::size_t, std::size_t, std::uint64_t*) noexcept;
template std::int64_t pack_dense(const DenseTable<std::uint16_t>&, std::size_t, std::size_t, std::uint64_t*) noexcept;
template std::int64_t pack_dense(const DenseTable<std::int16_t>&, std::size_t, std::size_t, std::uint64_t*) noexcept;
template std::int64_t pack_dense(const DenseTable<std::uint32_t>&, std::size_t, std::size_t, std::uint64_t*) noexcept;
template std::int64_t pack_dense(const DenseTable<std::int32_t>&, std::size_t, std::size_t, std::uint64_t*) noexcept;
template std::int64_t pack_dense(const DenseTable<std::uint64_t>&, std::size_t, std::size_t, std::uint64_t*) noexcept;
template std::int64_t pack_dense(const DenseTable<std::int64_t>&, std::size_t, std::size_t, std::uint64_t*) noexcept;
template std::int64_t pack_dense(const DenseTable<float>&, std::size_t, std::size_t, std::uint64_t*) noexcept;
template std::int64_t pack_dense(const DenseTable<double>&, std::size_t, std::size_t, std::uint64_t*) noexcept;

}  // namespace conjunct
