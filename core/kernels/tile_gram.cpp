#include "kernels/tile_gram.hpp"

#include <algorithm>

namespace conjunct {

template <class T>
void tile_gram(const GramLoops& loops, const GramPart<T>& part, std::size_t first, std::size_t last,
               GramScratch& scratch) noexcept {
    const WriteLoops<T>& write = loops.write<T>();
    constexpr std::size_t line = cells_per_line<T>, stride = value_stride<T>;
    T* values = reinterpret_cast<T*>(scratch.values) + line * stride;
    for (std::size_t start = first; start < last; start += gram_rows) {
        const Rows a{part.a.row(start), std::min(gram_rows, last - start), part.a.n_words};
        const std::size_t below = part.is_symmetric && start > part.b_start ? start - part.b_start : 0;
        loops.count(part.factor, {a, part.b, part.planes, below}, scratch);
        for (std::size_t i = 0; i < a.n_rows; ++i)
            write.look_up(scratch.counts + gram_columns * i + below, part.b.n_rows - below, part.table,
                          values + (part.is_symmetric ? stride * i + below : 0),
                          part.out + (start + i) * part.n_columns + part.b_start + below);
        if (!part.is_symmetric) continue;
        const std::size_t next = start + gram_rows;
        const auto mirror = [&](std::size_t from, std::size_t to, bool is_continued) {
            if (from < to)
                write.mirror(values + from, a.n_rows, to - from, start > first, is_continued, part.n_columns,
                             part.out + (part.b_start + from) * part.n_columns + start);
        };
        // Columns of the next square on the diagonal are mirrored here for the last time; of this square, not at all.
        const std::size_t square = next > part.b_start ? std::min(next - part.b_start, part.b.n_rows) : 0;
        const std::size_t next_square = next >= part.b_start ? std::min(square + gram_rows, part.b.n_rows) : 0;
        mirror(square, next_square, false);
        mirror(next_square, part.b.n_rows, next < last);
        std::copy_n(values + (gram_rows - line) * stride, line * stride, values - line * stride);
    }
    loops.finish();
}

template void tile_gram(const GramLoops&, const GramPart<float>&, std::size_t, std::size_t, GramScratch&) noexcept;
template void tile_gram(const GramLoops&, const GramPart<double>&, std::size_t, std::size_t, GramScratch&) noexcept;

}  // namespace conjunct
