#include <memory>

#include "bind/native_kernel.hpp"
#include "bind/parallel.hpp"
#include "kernels/plane_rows.hpp"
#include "kernels/table_gram.hpp"
#include "kernels/tile_gram.hpp"
#include "simd/level.hpp"

namespace conjunct::bind {
namespace {

using Words = Array<const std::uint64_t, 2>;

template <class T>
void gram_tile(const NativeLayout& native, Words a, Words b, std::size_t b_start, std::size_t first, std::size_t last,
               Array<const T, 1> table, Array<T, 2> out, bool is_symmetric, std::size_t threads) {
    const Layout layout = native.view();
    require(is_tiled(layout) && table.shape(0) == layout.n_values, "layout: one factor of at most 65535 variables");
    require(a.shape(1) == layout.n_words && b.shape(1) == layout.n_words, "rows: another number of words");
    require(out.shape(0) == a.shape(0) && out.shape(1) == b.shape(0), "out: wrong shape");
    require(b_start < b.shape(0) && b_start % gram_columns == 0 && first % gram_rows == 0, "tile: not on the grid");
    const Rows whole = rows_of(b);
    const Rows tile{whole.row(b_start), std::min(gram_columns, whole.n_rows - b_start), whole.n_words};
    require(first <= last && last <= a.shape(0), "rows: out of range");
    require(!is_symmetric || (a.data() == b.data() && a.shape(0) == b.shape(0) && last <= b_start + tile.n_rows),
            "symmetric: a is not b, or rows past the tile");
    nb::gil_scoped_release unlocked;
    const GramLoops& loops = active_level()->gram;
    const Factor& factor = layout.summands[0].factors[0];
    const std::size_t n_plane_words = loops.layout.block_rows ? PlaneLayout::all_words(layout.n_words) : 0;
    const std::unique_ptr<Line[]> planes(new Line[n_plane_words / 8 + 1]);
    alignas(64) std::uint16_t ones[plane_columns];
    plane_rows(loops.layout, tile, factor.mask, planes[0].words, ones);
    const GramPart<T> part{.factor = factor,
                           .a = rows_of(a),
                           .b = tile,
                           .b_start = b_start,
                           .planes = {planes[0].words, ones},
                           .table = table.data(),
                           .out = out.data(),
                           .n_columns = b.shape(0),
                           .is_symmetric = is_symmetric};
    const std::size_t n_blocks = (last - first + gram_rows - 1) / gram_rows, n_parts = parts_for(n_blocks, threads);
    const std::unique_ptr<GramScratch[]> scratch(new GramScratch[n_parts]);
    in_parallel(n_blocks, n_parts, [&](std::size_t p, std::size_t from, std::size_t to) {
        tile_gram(loops, part, first + from * gram_rows, std::min(last, first + to * gram_rows), scratch[p]);
    });
}

// Any layout, any size: rows of a one by one.
void gram(const NativeLayout& layout, Words a, Words b, Array<const double, 1> table, Array<double, 2> out,
          std::size_t threads) {
    require(a.shape(1) == layout.view().n_words && b.shape(1) == layout.view().n_words,
            "rows: another number of words");
    require(table.shape(0) == layout.view().n_values, "table: one value per index expected");
    require(out.shape(0) == a.shape(0) && out.shape(1) == b.shape(0), "out: wrong shape");
    nb::gil_scoped_release unlocked;
    in_parallel(a.shape(0), parts_for(a.shape(0), threads), [&](std::size_t, std::size_t first, std::size_t last) {
        table_gram(layout.view(), rows_of(a), rows_of(b), table.data(), first, last, out.data());
    });
}

template <class T>
void bind_tile(nb::module_& m) {
    def(m, "gram_tile", &gram_tile<T>, nb::arg("layout"), nb::arg("a").noconvert(), nb::arg("b").noconvert(),
        nb::arg("b_start"), nb::arg("first"), nb::arg("last"), nb::arg("table").noconvert(), nb::arg("out").noconvert(),
        nb::arg("is_symmetric"), nb::arg("threads"));
}

}  // namespace

void bind_gram(nb::module_& m) {
    def(m, "gram", &gram, nb::arg("layout"), nb::arg("a").noconvert(), nb::arg("b").noconvert(),
        nb::arg("table").noconvert(), nb::arg("out").noconvert(), nb::arg("threads"));
    bind_tile<float>(m);
    bind_tile<double>(m);
    m.attr("GRAM_COLUMNS") = gram_columns;
    m.attr("GRAM_ROWS") = gram_rows;
}

}  // namespace conjunct::bind
