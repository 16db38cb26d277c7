#include "bind/sparse_lesson.hpp"
#include "bits/sparse_dot.hpp"
#include "bits/sparse_ones.hpp"
#include "bits/sparse_take.hpp"

namespace conjunct::bind {
namespace {

template <class Value>
bool are_ones(Integers starts, Places places, Array<const Value, 1> values, std::size_t n_places,
              Array<std::int32_t, 1> own) {
    const std::size_t n = places.shape(0);
    require(values.shape(0) == n && own.shape(0) == n && n_places < (std::size_t{1} << 31), "places: too many or few");
    require(starts.shape(0) >= 1, "starts: too few");
    const std::size_t n_rows = starts.shape(0) - 1;
    if (starts.data()[0] != 0 || !std::is_sorted(starts.data(), starts.data() + n_rows + 1) ||
        static_cast<std::size_t>(starts.data()[n_rows]) != n)
        return false;
    nb::gil_scoped_release unlocked;
    return sparse_ones(starts.data(), places.data(), values.data(), n_rows, static_cast<std::int32_t>(n_places),
                       own.data());
}

void take(const NativeSparseRows& rows, Integers index, Integers starts, Array<std::int32_t, 1> places,
          Array<double, 1> values) {
    const SparseRows from = rows.view();
    std::int64_t at = 0;
    require(starts.shape(0) == index.shape(0) + 1, "starts: one more than rows expected");
    for (std::size_t k = 0; k < index.shape(0); ++k) {
        const std::int64_t i = index.data()[k];
        require(i >= 0 && static_cast<std::size_t>(i) < from.n_rows && starts.data()[k] == at, "index: out of range");
        at += from.starts[i + 1] - from.starts[i];
    }
    const auto size = static_cast<std::size_t>(at);
    require(places.shape(0) == size && values.shape(0) == (from.values ? size : 0), "places, values: room expected");
    nb::gil_scoped_release unlocked;
    sparse_take(from, index.data(), starts.data(), index.shape(0), places.data(), values.data());
}

template <class W>
void dot(const NativeSparseRows& rows, Array<const W, 1> weights, W unseen, std::size_t first, Array<W, 1> out) {
    require(weights.shape(0) >= rows.n_places(), "weights: one per place expected");
    const std::size_t n_rows = rows.view().n_rows;
    require(first <= n_rows && out.shape(0) <= n_rows - first, "out: more rows than there are");
    require((std::is_same_v<W, double>) || !rows.has_values(), "integer weights: Boolean rows expected");
    nb::gil_scoped_release unlocked;
    sparse_dot<W>(rows.view(), weights.data(), unseen, first, first + out.shape(0), out.data());
}

template <class W>
void bind_dot(nb::module_& m) {
    def(m, "sparse_dot", &dot<W>, nb::arg("rows"), nb::arg("weights").noconvert(), nb::arg("unseen"), nb::arg("first"),
        nb::arg("out").noconvert());
}

template <class Value>
void bind_ones(nb::module_& m) {
    def(m, "sparse_ones", &are_ones<Value>, nb::arg("starts").noconvert(), nb::arg("places").noconvert(),
        nb::arg("values").noconvert(), nb::arg("n_places"), nb::arg("own").noconvert());
}

}  // namespace

void bind_sparse(nb::module_& m) {
    nb::class_<NativeSparseRows>(m, "SparseRows")
        .def(constructor<NativeSparseRows, Integers, Places, std::optional<Doubles>, std::size_t, bool>(),
             nb::arg("starts").noconvert(), nb::arg("places").noconvert(), nb::arg("values").noconvert().none(),
             nb::arg("n_places"), nb::arg("is_checked"))
        .def_prop_ro("lowest", &NativeSparseRows::lowest);
    bind_dot<std::int64_t>(m);
    bind_dot<double>(m);
    nb::class_<NativeLesson>(m, "SparseLesson")
        .def(constructor<NativeLesson, const NativeSparseRows&, Labels, Integers, std::optional<Integers>,
                         std::int64_t>(),
             nb::arg("rows"), nb::arg("label").noconvert(), nb::arg("rate").noconvert(),
             nb::arg("order").noconvert().none(), nb::arg("first_step"));
    nb::class_<NativeUpdateLog>(m, "UpdateLog")
        .def(constructor<NativeUpdateLog, Array<std::int64_t, 1>, Array<std::uint8_t, 1>>(),
             nb::arg("position").noconvert(), nb::arg("is_mistake").noconvert())
        .def_ro("n_updates", &NativeUpdateLog::n_updates);
    bind_ones<double>(m);
    bind_ones<float>(m);
    bind_ones<std::int64_t>(m);
    bind_ones<std::int8_t>(m);
    bind_ones<std::uint8_t>(m);
    def(m, "sparse_take", &take, nb::arg("rows"), nb::arg("index").noconvert(), nb::arg("starts").noconvert(),
        nb::arg("places").noconvert(), nb::arg("values").noconvert());
}

}  // namespace conjunct::bind
