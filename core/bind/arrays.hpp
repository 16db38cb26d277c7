#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <string>

#include "bits/rows.hpp"

namespace conjunct::bind {

namespace nb = nanobind;

template <class T, int n_dims>
using Array = nb::ndarray<T, nb::numpy, nb::ndim<n_dims>, nb::c_contig, nb::device::cpu>;

inline void require(bool holds, const char* what) {
    if (!holds) throw nb::value_error(what);
}

// Of a row of so many variables; exact also for numbers that no row has.
inline std::size_t words_for(std::size_t n_variables) { return n_variables / 64 + (n_variables % 64 != 0); }

inline Rows rows_of(const Array<const std::uint64_t, 2>& words) {
    return {words.data(), words.shape(0), words.shape(1)};
}

}  // namespace conjunct::bind
