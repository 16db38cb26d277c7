#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.hpp"
#include "bind/parallel.hpp"
#include "bits/negate_rows.hpp"
#include "bits/pack_dense.hpp"
#include "bits/pack_sparse.hpp"
#include "bits/sort_rows.hpp"
#include "bits/unpack_rows.hpp"
#include "simd/level.hpp"

namespace conjunct::bind {
namespace {

template <class T>
using Dense = Array<const T, 2, false>;

template <class T>
std::int64_t pack_dense_table(const Dense<T>& table, Array<std::uint64_t, 2> words, std::size_t threads) {
    const DenseTable<T> dense{table.data(), table.shape(0), table.shape(1), table.stride(0), table.stride(1)};
    require(words.shape(0) == dense.n_rows && words.shape(1) == (dense.n_variables + 63) / 64, "words: wrong shape");
    const std::size_t n_parts = parts_for(dense.n_rows, threads);
    std::vector<std::int64_t> stray(n_parts, -1);
    {
        nb::gil_scoped_release unlocked;
        in_parallel(dense.n_rows, n_parts, [&](std::size_t part, std::size_t first, std::size_t last) {
            stray[part] = pack_dense(dense, first, last, words.data());
        });
    }
    for (const std::int64_t index : stray)
        if (index >= 0) return index;
    return -1;
}

template <class Index>
std::int64_t pack_sparse_table(Array<const Index, 1> indptr, Array<const Index, 1> indices,
                               Array<const std::uint8_t, 1> is_one, std::size_t n_variables,
                               Array<std::uint64_t, 2> words) {
    require(indptr.shape(0) == words.shape(0) + 1, "indptr: one entry more than rows expected");
    require(words.shape(1) == words_for(n_variables), "words: wrong shape");
    require(indices.shape(0) == is_one.shape(0), "indices and values: equal lengths expected");
    nb::gil_scoped_release unlocked;
    return pack_sparse(indptr.data(), indices.data(), is_one.data(), words.shape(0), n_variables, indices.shape(0),
                       words.data());
}

void unpack(Array<const std::uint64_t, 2> words, Array<std::uint8_t, 2> out) {
    require(out.shape(0) == words.shape(0) && words.shape(1) == (out.shape(1) + 63) / 64, "out: wrong shape");
    nb::gil_scoped_release unlocked;
    unpack_rows(rows_of(words), out.shape(1), out.data());
}

void negate(Array<const std::uint64_t, 2> words, std::size_t n_variables, Array<std::uint64_t, 2> out) {
    require(words.shape(1) == words_for(n_variables), "words: wrong width");
    require(out.shape(0) == words.shape(0) && out.shape(1) == (2 * n_variables + 63) / 64, "out: wrong shape");
    nb::gil_scoped_release unlocked;
    negate_rows(rows_of(words), n_variables, out.data());
}

void require_row_numbers(const Array<const std::uint64_t, 2>& words, const std::int64_t* numbers, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k)
        require(numbers[k] >= 0 && static_cast<std::size_t>(numbers[k]) < words.shape(0), "order: no such row");
}

void sort(Array<const std::uint64_t, 2> words, Array<std::int64_t, 1> order) {
    require_row_numbers(words, order.data(), order.shape(0));
    nb::gil_scoped_release unlocked;
    sort_rows(rows_of(words), order.data(), order.shape(0));
}

std::size_t merge(Array<const std::uint64_t, 2> words, Array<const std::int64_t, 1> left,
                  Array<const std::int64_t, 1> right, Array<std::int64_t, 1> merged) {
    require_row_numbers(words, left.data(), left.shape(0));
    require_row_numbers(words, right.data(), right.shape(0));
    require(merged.shape(0) <= left.shape(0) + right.shape(0), "merged: longer than both runs");
    nb::gil_scoped_release unlocked;
    return merge_rows(rows_of(words), left.data(), left.shape(0), right.data(), right.shape(0), merged.data(),
                      merged.shape(0));
}

std::vector<std::string> names_of(std::span<const Level* const> levels) {
    std::vector<std::string> names;
    for (const Level* level : levels) names.emplace_back(level->name);
    return names;
}

template <class... T>
void bind_packers(nb::module_& m) {
    (def(m, "pack_dense", &pack_dense_table<T>, nb::arg("table").noconvert(), nb::arg("words").noconvert(),
         nb::arg("threads")),
     ...);
}

}  // namespace

void bind_bits(nb::module_& m) {
    bind_packers<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::uint32_t, std::int32_t, std::uint64_t,
                 std::int64_t, float, double>(m);
    def(m, "pack_sparse", &pack_sparse_table<std::int32_t>, nb::arg("indptr").noconvert(),
        nb::arg("indices").noconvert(), nb::arg("is_one").noconvert(), nb::arg("n_variables"),
        nb::arg("words").noconvert());
    def(m, "pack_sparse", &pack_sparse_table<std::int64_t>, nb::arg("indptr").noconvert(),
        nb::arg("indices").noconvert(), nb::arg("is_one").noconvert(), nb::arg("n_variables"),
        nb::arg("words").noconvert());
    def(m, "unpack_rows", &unpack, nb::arg("words").noconvert(), nb::arg("out").noconvert());
    def(m, "negate_rows", &negate, nb::arg("words").noconvert(), nb::arg("n_variables"), nb::arg("out").noconvert());
    def(m, "sort_rows", &sort, nb::arg("words").noconvert(), nb::arg("order").noconvert());
    def(m, "merge_rows", &merge, nb::arg("words").noconvert(), nb::arg("left").noconvert(),
        nb::arg("right").noconvert(), nb::arg("merged").noconvert());
    m.def("simd_level", [] { return std::string(active_level()->name); });
    m.def("simd_levels", [] { return names_of(runnable_levels()); });
    m.def("built_simd_levels", [] { return names_of(built_levels()); });
}

}  // namespace conjunct::bind
