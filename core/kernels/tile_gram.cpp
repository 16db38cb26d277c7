#include "kernels/tile_gram.hpp"

#include <algorithm>
#include <type_traits>

namespace conjunct {

template <class T>
void tile_gram(const GramLoops& loops, const GramPart<T>& part, std::size_t first, std::size_t last,
               std::uint16_t* counts) noexcept {
    const auto write = [&] {
        if constexpr (std::is_same_v<T, float>)
            return loops.write_floats;
        else
            return loops.write_doubles;
    }();
    std::uint16_t* mirrored = counts + gram_rows * gram_columns;
    const std::size_t n_b = part.b.n_rows;
    for (std::size_t start = first; start < last; start += gram_rows) {
        const std::size_t n_a = std::min(gram_rows, last - start);
        const Rows a{part.a.row(start), n_a, part.a.n_words};
        const GramTile tile{a, part.b, part.nibbles, part.n_nibbles, part.planes, part.ones};
        (part.by_planes ? loops.count_by_planes : loops.count)(part.factor, tile, counts);
        for (std::size_t i = 0; i < n_a; ++i)
            write(counts + gram_columns * i, n_b, part.table, part.out + (start + i) * part.n_columns + part.b_start);
        if (!part.is_symmetric || start >= part.b_start) continue;
        loops.mirror(counts, mirrored);
        for (std::size_t j = 0; j < n_b; ++j)
            write(mirrored + gram_rows * j, n_a, part.table, part.out + (part.b_start + j) * part.n_columns + start);
    }
    loops.finish();
}

template void tile_gram(const GramLoops&, const GramPart<float>&, std::size_t, std::size_t, std::uint16_t*) noexcept;
template void tile_gram(const GramLoops&, const GramPart<double>&, std::size_t, std::size_t, std::uint16_t*) noexcept;

}  // namespace conjunct
