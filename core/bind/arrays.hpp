#pragma once
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "bits/rows.hpp"

namespace conjunct::bind {

namespace nb = nanobind;

// An array of NumPy's, kept alive; const T reads, T writes. Unlike nanobind's own it raises where memory is short: there
// the process would end.
template <class T, int n_dims, bool is_contiguous = true>
class Array {
public:
    T* data() const noexcept { return data_; }
    std::size_t shape(std::size_t i) const noexcept { return shape_[i]; }
    std::ptrdiff_t stride(std::size_t i) const noexcept { return strides_[i]; }  // in bytes
    std::size_t size() const noexcept {
        std::size_t product = 1;
        for (const std::size_t length : shape_) product *= length;
        return product;
    }

    // False where it is of another type, shape or order.
    bool take(nb::handle from) {
        Py_buffer view;
        if (PyObject_GetBuffer(from.ptr(), &view, std::is_const_v<T> ? PyBUF_RECORDS_RO : PyBUF_RECORDS)) {
            if (PyErr_ExceptionMatches(PyExc_MemoryError)) throw nb::python_error();
            PyErr_Clear();
            return false;
        }
        const bool fits = view.ndim == n_dims && view.itemsize == sizeof(T) && is_of_type(view.format) &&
                          reinterpret_cast<std::uintptr_t>(view.buf) % alignof(T) == 0;
        if (fits) {
            data_ = static_cast<T*>(view.buf);
            for (int i = 0; i < n_dims; ++i) {
                shape_[i] = static_cast<std::size_t>(view.shape[i]);
                strides_[i] = view.strides[i];
            }
        }
        PyBuffer_Release(&view);  // the array itself keeps its memory
        if (!fits || (is_contiguous && !is_in_order())) return false;
        owner_ = nb::borrow(from);
        return true;
    }

private:
    static bool is_of_type(const char* format) noexcept {
        if (!format) return false;
        if (*format == '@' || *format == '=') ++format;
        const char* kinds = std::is_floating_point_v<T> ? "fd" : std::is_signed_v<T> ? "bhilq" : "BHILQ";
        return *format && !format[1] && std::strchr(kinds, *format);
    }

    bool is_in_order() const noexcept {
        auto step = static_cast<std::ptrdiff_t>(sizeof(T));
        bool holds = true;
        for (int i = n_dims - 1; i >= 0; --i) {
            holds = holds && (shape_[i] <= 1 || strides_[i] == step);
            step *= static_cast<std::ptrdiff_t>(shape_[i]);
        }
        return holds || step == 0;
    }

    nb::object owner_;
    T* data_ = nullptr;
    std::size_t shape_[n_dims] = {};
    std::ptrdiff_t strides_[n_dims] = {};
};

inline void require(bool holds, const char* what) {
    if (!holds) throw nb::value_error(what);
}

using Integers = Array<const std::int64_t, 1>;

inline bool all_within(const Integers& indices, std::size_t limit) {
    return std::all_of(indices.data(), indices.data() + indices.size(),
                       [&](std::int64_t i) { return i >= 0 && static_cast<std::size_t>(i) < limit; });
}

// Binds a function; where memory is short, its MemoryError says who asked.
template <class Result, class... Arguments, class... Extra>
void def(nb::module_& m, const char* name, Result (*call)(Arguments...), const Extra&... extra) {
    m.def(
        name,
        [call, name](Arguments... arguments) -> Result {
            try {
                return call(std::forward<Arguments>(arguments)...);
            } catch (const std::bad_alloc&) {
                PyErr_Format(PyExc_MemoryError, "no memory is left for what %s works in", name);
                throw nb::python_error();
            }
        },
        extra...);
}

// A constructor that raises where memory is short: nanobind's own ends the process when its list of objects cannot grow.
template <class T, class... Arguments>
nb::object made(Arguments... arguments) {
    nb::object made = nb::inst_alloc(nb::type<T>());
    new (nb::inst_ptr<T>(made)) T(std::forward<Arguments>(arguments)...);
    nb::inst_mark_ready(made);
    return made;
}

template <class T, class... Arguments>
auto constructor() {
    return nb::new_(&made<T, Arguments...>);
}

template <class T>
nb::bytes bytes_of(const std::vector<T>& from) {
    return nb::bytes(static_cast<const void*>(from.data()), from.size() * sizeof(T));
}

// Of a row of so many variables; exact also for numbers that no row has.
inline std::size_t words_for(std::size_t n_variables) { return n_variables / 64 + (n_variables % 64 != 0); }

inline Rows rows_of(const Array<const std::uint64_t, 2>& words) {
    return {words.data(), words.shape(0), words.shape(1)};
}

}  // namespace conjunct::bind

namespace nanobind::detail {

// These may throw: nanobind's own caster of optionals may not.
template <class T, int n_dims, bool is_contiguous>
struct type_caster<conjunct::bind::Array<T, n_dims, is_contiguous>> {
    using Array = conjunct::bind::Array<T, n_dims, is_contiguous>;
    NB_TYPE_CASTER(Array, const_name("numpy.typing.NDArray[numpy.") +
                              const_name<std::is_floating_point_v<T>>(const_name("float"),
                                                                      const_name<std::is_signed_v<T>>("int", "uint")) +
                              const_name<8 * sizeof(T)>() + const_name("]"))
    bool from_python(handle from, std::uint32_t, cleanup_list*) { return value.take(from); }
};

template <class T, int n_dims, bool is_contiguous>
struct type_caster<std::optional<conjunct::bind::Array<T, n_dims, is_contiguous>>> {
    using Array = conjunct::bind::Array<T, n_dims, is_contiguous>;
    NB_TYPE_CASTER(std::optional<Array>, type_caster<Array>::Name + const_name(" | None"))
    bool from_python(handle from, std::uint32_t, cleanup_list*) { return from.is_none() || value.emplace().take(from); }
};

}  // namespace nanobind::detail
