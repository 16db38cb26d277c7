#include "bits/pack_dense.hpp"

#include <bit>
#include <cstring>
#include <type_traits>

namespace conjunct {
namespace {

// Eight bytes 0/1, lowest address first, to eight bits, lowest bit first: byte i lands on bit 56 + i, no carries.
constexpr std::uint64_t gather_bytes = 0x0102040810204080ULL;
constexpr std::uint64_t all_ones_bytes = 0x0101010101010101ULL;

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

bool pack_64_bytes(const std::uint8_t* bytes, std::uint64_t& word) noexcept {
    std::uint64_t bits = 0, stray = 0;
    for (int k = 0; k < 8; ++k) {
        std::uint64_t eight;
        std::memcpy(&eight, bytes + 8 * k, 8);
        stray |= eight;
        bits |= ((eight & all_ones_bytes) * gather_bytes >> 56) << (8 * k);
    }
    word = bits;
    return (stray & ~all_ones_bytes) == 0;
}

template <class T>
std::size_t first_stray(const DenseTable<T>& table, std::size_t row, std::size_t column) noexcept {
    for (;; ++column) {
        const T value = table.at(row, column);
        if (value != T(0) && value != T(1)) return column;
    }
}

}  // namespace

template <class T>
std::int64_t pack_dense(const DenseTable<T>& table, std::size_t first, std::size_t last, std::uint64_t* words) noexcept {
    const std::size_t n = table.n_variables, n_words = (n + 63) / 64;
    const bool bytes_in_a_row =
        std::is_same_v<T, std::uint8_t> && table.column_stride == 1 && std::endian::native == std::endian::little;
    for (std::size_t i = first; i < last; ++i) {
        for (std::size_t w = 0; w < n_words; ++w) {
            const std::size_t column = 64 * w, count = n - column < 64 ? n - column : 64;
            std::uint64_t& word = words[i * n_words + w];
            bool clean;
            if (bytes_in_a_row && count == 64)
                clean = pack_64_bytes(reinterpret_cast<const std::uint8_t*>(table.data) +
                                          static_cast<std::ptrdiff_t>(i) * table.row_stride + column,
                                      word);
            else
                clean = pack_word(table, i, column, count, word);
            if (!clean) return static_cast<std::int64_t>(i * n + first_stray(table, i, column));
        }
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
