#include "bits/pool_rows.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace conjunct {

std::size_t pool_rows(Rows rows, std::int64_t* order, std::int64_t* cell_of) noexcept {
    const std::size_t n_words = rows.n_words;
    const auto row = [&](std::int64_t i) { return rows.row(static_cast<std::size_t>(i)); };
    std::iota(order, order + rows.n_rows, std::int64_t{0});
    std::sort(order, order + rows.n_rows, [&](std::int64_t i, std::int64_t j) {
        const std::uint64_t *a = row(i), *b = row(j);
        for (std::size_t w = 0; w < n_words; ++w)
            if (const std::uint64_t differing = a[w] ^ b[w])
                return (a[w] & differing & (0 - differing)) == 0;  // the first variable on which they differ
        return i < j;
    });
    std::size_t n_cells = 0;
    for (std::size_t k = 0; k < rows.n_rows; ++k) {
        if (k > 0 && std::memcmp(row(order[k - 1]), row(order[k]), n_words * sizeof(std::uint64_t)) != 0) ++n_cells;
        cell_of[order[k]] = static_cast<std::int64_t>(n_cells);
    }
    return rows.n_rows == 0 ? 0 : n_cells + 1;
}

}  // namespace conjunct
