#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>

#include "bind/arrays.hpp"
#include "streams/slot_table.hpp"

namespace conjunct::bind {
namespace {

// Names to numbers (any hashable Python objects, compared as Python compares) and their conjunctions to slots.
class NameTable {
public:
    // `spelling` sorts new names of a set: repr, except for names that Python itself does not always spell alike.
    NameTable(std::size_t max_size, nb::object spelling) : max_size_{max_size}, spelling_{spelling} {
        require(max_size >= 1, "max_size: at least 1");
    }

    nb::dict names() const { return names_; }
    std::size_t n_slots() const { return max_size_ == 1 ? names_.size() : slots_.size(); }

    // Reads examples, each a set, or a dict of names and values, into rows: (starts, places, values). Returns how many
    // examples were read: fewer than all when the table is full, or at the first one that is neither, or that has a value
    // that is not finite, or not 0 or 1 where values are not asked for.
    nb::tuple rows(nb::sequence examples, bool grows, bool with_values, std::size_t most) {
        std::vector<std::int64_t> starts{0};
        std::vector<std::int32_t> places;
        std::vector<double> values;
        std::vector<std::pair<std::int32_t, double>> active;
        std::vector<std::int32_t> ids;
        bool is_full = false;
        for (nb::handle example : examples) {
            if (PyErr_CheckSignals()) throw nb::python_error();
            active.clear();
            if (!read(example, grows, with_values, most, active, is_full)) break;
            std::sort(active.begin(), active.end());  // sets come in no order
            if (max_size_ > 1) {
                ids.resize(active.size());
                std::transform(active.begin(), active.end(), ids.begin(), [](const auto& pair) { return pair.first; });
                is_full = count_conjunctions(ids.size(), max_size_, most) > most ||
                          !append_slots(slots_, ids, max_size_, grows, most, places);
                if (is_full) break;
            } else {
                for (const auto& [id, value] : active) {
                    places.push_back(id);
                    if (with_values) values.push_back(value);
                }
            }
            starts.push_back(static_cast<std::int64_t>(places.size()));
        }
        places.resize(static_cast<std::size_t>(starts.back()));
        return nb::make_tuple(owned(std::move(starts)), owned(std::move(places)), owned(std::move(values)), is_full);
    }

    auto keys() const { return owned(slots_.keys()); }

    // Forgets all names and slots but the first ones.
    void shrink(std::size_t n_names, std::size_t n_slots) {
        require(n_names <= names_.size() && (max_size_ == 1 || n_slots <= slots_.size()), "shrink: more than there are");
        while (names_.size() > n_names) names_.attr("popitem")();
        if (max_size_ > 1 && n_slots < slots_.size()) slots_.shrink(n_slots);
    }

    // Takes over names and the keys of slots in their order; false where they are not those of a table.
    bool restore(nb::list names, Array<const std::uint64_t, 1> keys) {
        require(names_.size() == 0 && slots_.size() == 0, "restore: a table that is not empty");
        const std::size_t most = std::size_t{1} << 30;
        bool is_full = false;
        for (nb::handle name : names) number(name, true, most, is_full);
        if (names_.size() != names.size()) return false;
        std::vector<std::size_t> sizes(keys.shape(0) + 1, 0);  // of conjunctions, by slot + 1
        for (std::size_t k = 0; k < keys.shape(0); ++k) {
            const std::uint64_t parent = keys.data()[k] >> 32, name = keys.data()[k] & 0xffffffff;
            if (parent > k || name >= names.size()) return false;
            if (parent && name <= (keys.data()[parent - 1] & 0xffffffff)) return false;
            if ((sizes[k + 1] = sizes[parent] + 1) > max_size_) return false;
            const std::int32_t slot =
                slots_.slot(static_cast<std::int32_t>(parent) - 1, static_cast<std::int32_t>(name), true, most);
            if (slot != static_cast<std::int32_t>(k)) return false;
        }
        return max_size_ > 1 || keys.shape(0) == 0;
    }

private:
    template <class T>
    static nb::ndarray<nb::numpy, T, nb::ndim<1>> owned(std::vector<T>&& from) {
        auto* kept = new std::vector<T>(std::move(from));
        nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
        return nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->data(), {kept->size()}, owner);
    }

    // The number of a name; -1 where it has none and the table does not grow.
    std::int32_t number(nb::handle name, bool grows, std::size_t most, bool& is_full) {
        PyObject* known = PyDict_GetItemWithError(names_.ptr(), name.ptr());
        if (known) return static_cast<std::int32_t>(PyLong_AsLong(known));
        if (PyErr_Occurred()) throw nb::python_error();
        if (!grows) return SlotTable::none;
        if (names_.size() >= most) {
            is_full = true;
            return SlotTable::none;
        }
        const auto next = static_cast<std::int32_t>(names_.size());
        if (PyDict_SetItem(names_.ptr(), name.ptr(), nb::int_(next).ptr())) throw nb::python_error();
        return next;
    }

    bool read(nb::handle example, bool grows, bool with_values, std::size_t most,
              std::vector<std::pair<std::int32_t, double>>& active, bool& is_full) {
        if (PyDict_Check(example.ptr())) {
            PyObject *name, *given;
            Py_ssize_t at = 0;
            while (PyDict_Next(example.ptr(), &at, &name, &given)) {
                const bool is_one = given == Py_True || given == one_.ptr();
                const double value = is_one ? 1 : given == Py_False ? 0 : PyFloat_AsDouble(given);
                if (value == -1 && PyErr_Occurred()) {
                    PyErr_Clear();
                    return false;
                }
                if (with_values ? !std::isfinite(value) : value != 0 && value != 1) return false;
                if (value == 0) continue;
                active.emplace_back(number(name, grows, most, is_full), value);
                if (is_full) return false;
            }
            return true;
        }
        if (!PyAnySet_Check(example.ptr())) return false;
        nb::list fresh;
        for (nb::handle name : nb::borrow(example)) {
            const std::int32_t known = number(name, false, most, is_full);
            if (known < 0 && grows)
                fresh.append(name);
            else
                active.emplace_back(known, 1);
        }
        if (fresh.size() > 1) fresh.attr("sort")(nb::arg("key") = key_for(fresh));
        for (nb::handle name : fresh) {  // numbered in an order that does not depend on Python's hashes
            active.emplace_back(number(name, true, most, is_full), 1);
            if (is_full) return false;
        }
        return true;
    }

    nb::object key_for(const nb::list& names) const {
        for (nb::handle name : names)
            if (!PyUnicode_CheckExact(name.ptr()) && !PyLong_CheckExact(name.ptr())) return spelling_;
        return nb::module_::import_("builtins").attr("repr");
    }

    std::size_t max_size_;
    nb::object spelling_;
    nb::int_ one_{1};  // the same object wherever Python says 1
    nb::dict names_;
    SlotTable slots_;
};

}  // namespace

void bind_streams(nb::module_& m) {
    nb::class_<NameTable>(m, "NameTable")
        .def(nb::init<std::size_t, nb::object>(), nb::arg("max_size"), nb::arg("spelling"))
        .def_prop_ro("names", &NameTable::names, nb::for_getter(nb::sig("def names(self, /) -> dict[object, int]")))
        .def_prop_ro("n_slots", &NameTable::n_slots)
        .def("keys", &NameTable::keys)
        .def("shrink", &NameTable::shrink, nb::arg("n_names"), nb::arg("n_slots"))
        .def("restore", &NameTable::restore, nb::arg("names"), nb::arg("keys").noconvert(),
             nb::sig("def restore(self, names: list[object], keys: object) -> bool"))
        .def("rows", &NameTable::rows, nb::arg("examples"), nb::arg("grows"), nb::arg("with_values"), nb::arg("most"),
             nb::sig("def rows(self, examples: object, grows: bool, with_values: bool, most: int) -> "
                     "tuple[object, object, object, bool]"));
}

}  // namespace conjunct::bind
