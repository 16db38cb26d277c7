#include "bind/name_table.hpp"

namespace conjunct::bind {

void bind_names(nb::module_& m) {
    nb::class_<NameTable>(m, "NameTable")
        .def(constructor<NameTable, std::size_t, nb::object>(), nb::arg("max_size"), nb::arg("spelling"))
        .def("names", &NameTable::names, nb::sig("def names(self) -> list[object]"))
        .def_prop_ro("n_names", &NameTable::n_names)
        .def_prop_ro("n_slots", &NameTable::n_slots)
        .def("keys", &NameTable::keys)
        .def("shrink", &NameTable::shrink, nb::arg("n_names"), nb::arg("n_slots"))
        .def("restore", &NameTable::restore, nb::arg("names"), nb::arg("keys").noconvert(),
             nb::sig("def restore(self, names: list[object], keys: object) -> bool"))
        .def("rows", &NameTable::rows, nb::arg("examples"), nb::arg("grows"), nb::arg("with_values"), nb::arg("most"),
             nb::sig("def rows(self, examples: object, grows: bool, with_values: bool, most: int) -> "
                     "tuple[bytes, bytes, bytes, bool]"));
}

}  // namespace conjunct::bind
