#include "kernels/pair_row.hpp"

#include <algorithm>

#include "kernels/agreement_index.hpp"

namespace conjunct {
namespace {

template <class Count>
void look_up(const PairSource& source, const SumLoops& loops, const Count* counts, std::size_t i,
             double* out) noexcept {
    const std::size_t n = source.rows.n_rows;
    const Count* row = counts + i * n;
    const double one = 1;
    loops.look_ups(counts)(&row, 1, n, source.table, &one, out);
}

}  // namespace

void pair_row(const PairSource& source, const SumLoops& loops, std::size_t i, double* out) noexcept {
    const std::size_t n_rows = source.rows.n_rows;
    std::fill(out, out + n_rows, 0.0);
    if (source.bytes) return look_up(source, loops, source.bytes, i, out);
    if (source.shorts) return look_up(source, loops, source.shorts, i, out);
    std::int32_t index[tile_rows];
    for (std::size_t j = 0; j < n_rows; j += tile_rows) {
        const std::size_t n = std::min(tile_rows, n_rows - j);
        for (std::size_t t = 0; t < source.layout.n_summands; ++t) {
            agreement_index(source.layout, source.layout.summands[t], source.rows.row(i), source.rows.row(j), n, index);
            for (std::size_t k = 0; k < n; ++k) out[j + k] += source.table[index[k]];
        }
    }
}

}  // namespace conjunct
