#include <memory>
#include <vector>

#include "bind/native_kernel.hpp"
#include "bind/parallel.hpp"
#include "kernels/kernel_sums.hpp"
#include "learners/cell_descent.hpp"
#include "simd/level.hpp"

namespace conjunct::bind {
namespace {

using Words = Array<const std::uint64_t, 2>;
using Numbers = Array<const double, 1>;

// What one thread counts in.
struct Desk {
    explicit Desk(std::size_t n_words)
        : planes(new Line[PlaneLayout::all_words(n_words) / 8 + 1]), scratch(new GramScratch) {}
    std::unique_ptr<Line[]> planes;
    std::unique_ptr<GramScratch> scratch;
};

std::vector<Desk> desks(std::size_t n, std::size_t n_words) {
    std::vector<Desk> all;
    for (std::size_t i = 0; i < n; ++i) all.emplace_back(n_words);
    return all;
}

void sums_of_rows(const NativeLayout& native, Words rows, Numbers weights, Numbers table, Words x, std::size_t first,
                  std::size_t last, Array<double, 1> sums, std::size_t threads) {
    const Layout layout = native.view();
    require(rows.shape(1) == layout.n_words && x.shape(1) == layout.n_words, "rows: another number of words");
    require(table.shape(0) == layout.n_values, "table: one value per index expected");
    require(weights.shape(0) == rows.shape(0) && sums.shape(0) == x.shape(0), "weights or sums: one per row expected");
    require(first <= last && last <= x.shape(0), "rows: out of range");
    const WeightedRows sum{layout, rows_of(rows), weights.data(), table.data()};
    const Level& level = *active_level();
    nb::gil_scoped_release unlocked;
    if (!is_tiled(layout)) {
        in_parallel(last - first, parts_for(last - first, threads), [&](std::size_t, std::size_t from, std::size_t to) {
            kernel_sums(sum, rows_of(x), first + from, first + to, sums.data());
        });
        return;
    }
    const std::size_t n_tiles = (last - first + gram_columns - 1) / gram_columns, n_parts = parts_for(n_tiles, threads);
    const std::vector<Desk> desk = desks(n_parts, layout.n_words);
    in_parallel(n_tiles, n_parts, [&](std::size_t part, std::size_t from, std::size_t to) {
        tiled_kernel_sums(level.gram, level.sums, sum, rows_of(x), first + from * gram_columns,
                          std::min(last, first + to * gram_columns), desk[part].planes[0].words, *desk[part].scratch,
                          sums.data());
    });
}

template <class Count>
void counts_of_pairs(const NativeLayout& native, Words x, std::size_t first, std::size_t last, Array<Count, 2> out,
                     std::size_t threads) {
    const Layout layout = native.view();
    require(is_tiled(layout) && layout.n_values - 1 <= std::numeric_limits<Count>::max(),
            "layout: one factor, no count past the type");
    require(x.shape(1) == layout.n_words, "rows: another number of words");
    require(out.shape(0) == x.shape(0) && out.shape(1) == x.shape(0), "out: wrong shape");
    require(first <= last && last <= x.shape(0), "rows: out of range");
    const Level& level = *active_level();
    nb::gil_scoped_release unlocked;
    const std::size_t n_parts = parts_for((last - first) / gram_rows, threads);
    const std::vector<Desk> desk = desks(n_parts, layout.n_words);
    in_parallel(last - first, n_parts, [&](std::size_t part, std::size_t from, std::size_t to) {
        pair_counts(level.gram, level.sums, layout.summands[0].factors[0], rows_of(x), first + from, first + to,
                    desk[part].planes[0].words, *desk[part].scratch, out.data());
    });
}

// sums[j] += sum over k of weights[k] * table[counts[chosen[k], j]].
template <class Count>
void sums_of_counts(Array<const Count, 2> counts, Array<const std::int64_t, 1> chosen, Numbers weights, Numbers table,
                    Array<double, 1> sums, std::size_t threads) {
    const std::size_t m = counts.shape(1);
    require(counts.shape(0) == m && sums.shape(0) == m, "counts or sums: one per row expected");
    require(weights.shape(0) == chosen.shape(0), "weights: one per chosen row expected");
    require(table.shape(0) > std::numeric_limits<Count>::max(), "table: a value for every count the type holds");
    for (std::size_t k = 0; k < chosen.shape(0); ++k)
        require(chosen.data()[k] >= 0 && static_cast<std::size_t>(chosen.data()[k]) < m, "chosen: no such row");
    const SumLoops& add = active_level()->sums;
    nb::gil_scoped_release unlocked;
    const std::size_t n_parts = parts_for(m, threads);
    std::vector<std::vector<const Count*>> starts(n_parts, std::vector<const Count*>(chosen.shape(0)));
    in_parallel(m, n_parts, [&](std::size_t part, std::size_t from, std::size_t to) {
        for (std::size_t k = 0; k < chosen.shape(0); ++k)
            starts[part][k] = counts.data() + static_cast<std::size_t>(chosen.data()[k]) * m + from;
        add.look_ups(counts.data())(starts[part].data(), chosen.shape(0), to - from, table.data(), weights.data(),
                                    sums.data() + from);
    });
}

void descend(int loss, Array<const double, 2> gram, Numbers positive, Numbers negative, double lam,
             std::size_t n_sweeps, Array<double, 1> weights, Array<double, 1> scores) {
    const std::size_t n = gram.shape(0);
    require(loss >= 0 && loss <= 2 && lam > 0, "loss or lam: out of range");
    require(gram.shape(1) == n && positive.shape(0) == n && negative.shape(0) == n && weights.shape(0) == n &&
                scores.shape(0) == n,
            "block: one value per cell expected");
    const SumLoops& loops = active_level()->sums;
    nb::gil_scoped_release unlocked;
    cell_descent(static_cast<CellLoss>(loss), {gram.data(), positive.data(), negative.data(), lam, n}, n_sweeps, loops,
                 weights.data(), scores.data());
}

template <class Count>
void bind_counts(nb::module_& m) {
    def(m, "pair_counts", &counts_of_pairs<Count>, nb::arg("layout"), nb::arg("x").noconvert(), nb::arg("first"),
        nb::arg("last"), nb::arg("out").noconvert(), nb::arg("threads"));
    def(m, "sums_of_counts", &sums_of_counts<Count>, nb::arg("counts").noconvert(), nb::arg("chosen").noconvert(),
        nb::arg("weights").noconvert(), nb::arg("table").noconvert(), nb::arg("sums").noconvert(), nb::arg("threads"));
}

}  // namespace

void bind_sums(nb::module_& m) {
    def(m, "kernel_sums", &sums_of_rows, nb::arg("layout"), nb::arg("rows").noconvert(), nb::arg("weights").noconvert(),
        nb::arg("table").noconvert(), nb::arg("x").noconvert(), nb::arg("first"), nb::arg("last"),
        nb::arg("sums").noconvert(), nb::arg("threads"));
    bind_counts<std::uint8_t>(m);
    bind_counts<std::uint16_t>(m);
    def(m, "cell_descent", &descend, nb::arg("loss"), nb::arg("gram").noconvert(), nb::arg("positive").noconvert(),
        nb::arg("negative").noconvert(), nb::arg("lam"), nb::arg("n_sweeps"), nb::arg("weights").noconvert(),
        nb::arg("scores").noconvert());
}

}  // namespace conjunct::bind
