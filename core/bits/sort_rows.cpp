#include "bits/sort_rows.hpp"

#include <algorithm>

namespace conjunct {
namespace {

bool comes_before(Rows rows, std::int64_t i, std::int64_t j) noexcept {
    const std::uint64_t *a = rows.row(static_cast<std::size_t>(i)), *b = rows.row(static_cast<std::size_t>(j));
    for (std::size_t w = 0; w < rows.n_words; ++w)
        if (const std::uint64_t differing = a[w] ^ b[w])
            return (a[w] & differing & (0 - differing)) == 0;  // the first variable on which they differ
    return i < j;
}

}  // namespace

void sort_rows(Rows rows, std::int64_t* order, std::size_t count) noexcept {
    std::sort(order, order + count, [rows](std::int64_t i, std::int64_t j) { return comes_before(rows, i, j); });
}

std::size_t merge_rows(Rows rows, const std::int64_t* left, std::size_t n_left, const std::int64_t* right,
                       std::size_t n_right, std::int64_t* merged, std::size_t count) noexcept {
    std::size_t l = 0, r = 0;
    for (std::size_t k = 0; k < count; ++k) {
        const bool from_right = l == n_left || (r < n_right && comes_before(rows, right[r], left[l]));
        merged[k] = from_right ? right[r++] : left[l++];
    }
    return l;
}

}  // namespace conjunct
