#pragma once
#include <cstddef>
#include <cstdint>

namespace conjunct {

// Packed Boolean rows: variable v of a row is bit v % 64 of its word v / 64; bits past the last variable are zero.
struct Rows {
    const std::uint64_t* words;
    std::size_t n_rows;
    std::size_t n_words;  // per row

    const std::uint64_t* row(std::size_t i) const noexcept { return words + i * n_words; }
};

}  // namespace conjunct
