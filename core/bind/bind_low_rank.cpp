#include "bind/arrays.hpp"
#include "learners/low_rank.hpp"
#include "simd/level.hpp"

namespace conjunct::bind {
namespace {

using Table = Array<const double, 2>;
using Numbers = Array<const double, 1>;

void rows_added(Table rows, Numbers factors, Array<double, 1> sums) {
    require(factors.shape(0) == rows.shape(0) && sums.shape(0) == rows.shape(1), "factors or sums: another length");
    nb::gil_scoped_release unlocked;
    add_rows(rows.data(), rows.shape(0), rows.shape(1), factors.data(), active_level()->sums, sums.data());
}

bool normal_solution(Table rows, Numbers masses, double ridge, Array<double, 2> room, Array<double, 1> x) {
    const std::size_t n = rows.shape(1);
    require(masses.shape(0) == rows.shape(0) && x.shape(0) == n, "masses or x: another length");
    require(room.shape(0) == n && room.shape(1) == n, "room: a square expected");
    nb::gil_scoped_release unlocked;
    normal_matrix(rows.data(), rows.shape(0), n, masses.data(), ridge, active_level()->sums, room.data());
    return solve_positive(room.data(), n, x.data());
}

}  // namespace

void bind_low_rank(nb::module_& m) {
    def(m, "add_rows", &rows_added, nb::arg("rows").noconvert(), nb::arg("factors").noconvert(),
        nb::arg("sums").noconvert());
    def(m, "normal_solution", &normal_solution, nb::arg("rows").noconvert(), nb::arg("masses").noconvert(),
        nb::arg("ridge"), nb::arg("room").noconvert(), nb::arg("x").noconvert());
}

}  // namespace conjunct::bind
