#pragma once
#include <algorithm>
#include <cmath>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "bits/name_index.hpp"
#include "bits/slot_table.hpp"
#include "bits/sort_indices.hpp"

namespace conjunct::bind {

// Names to numbers (any hashable Python objects, compared as Python compares) and their conjunctions to slots.
class NameTable {
public:
    struct Active {
        PyObject* name;  // borrowed from the example
        std::uint64_t hash;
        double value;
    };

    struct Reading {
        std::vector<Active> active;          // the names of an example
        std::vector<std::int32_t> numbers;   // and their numbers
        std::vector<nb::object> references;  // where reading, hashing and comparing them may run any code
        std::vector<std::int32_t> places;    // of all examples read
        std::vector<double> values;
    };

    enum class ReadEnd { read, refused, full };

    // `spelling` sorts new names of a set: repr, except for names that Python itself does not always spell alike.
    NameTable(std::size_t max_size, nb::object spelling) : max_size_{max_size}, spelling_{spelling} {
        require(max_size >= 1, "max_size: at least 1");
    }

    ~NameTable() { forget(0); }
    NameTable(const NameTable&) = delete;
    NameTable& operator=(const NameTable&) = delete;

    nb::list names() const {
        nb::list all;
        for (std::size_t k = 0; k < n_names(); ++k) all.append(object(names_.name(k)));
        return all;
    }
    std::size_t n_names() const noexcept { return names_.size(); }
    std::size_t n_slots() const { return max_size_ == 1 ? n_names() : slots_.size(); }

    // Reads examples, each a set, or a dict of names and values, into rows: (starts, places, values) of rising places.
    // Returns how many examples were read: fewer than all when the table is full, or at the first one that is neither, or
    // that has a value that is not finite, or not 0 or 1 where values are not asked for.
    nb::tuple rows(nb::sequence examples, bool grows, bool with_values, std::size_t most) {
        std::vector<std::int64_t> starts{0};
        Reading reading;
        ReadEnd end = ReadEnd::read;
        for (nb::handle example : examples) {
            if (PyErr_CheckSignals()) throw nb::python_error();
            end = read(example, grows, with_values, most, reading);
            if (end != ReadEnd::read) break;
            starts.push_back(static_cast<std::int64_t>(reading.places.size()));
        }
        reading.places.resize(static_cast<std::size_t>(starts.back()));
        return nb::make_tuple(bytes_of(starts), bytes_of(reading.places), bytes_of(reading.values),
                              end == ReadEnd::full);
    }

    // Appends the places of one example, rising, and their values where they are asked for.
    ReadEnd read(nb::handle example, bool grows, bool with_values, std::size_t most, Reading& reading) {
        if (!collect(example, with_values, reading)) return ReadEnd::refused;
        number_all(PyAnySet_Check(example.ptr()), grows, most, reading);
        std::vector<std::int32_t>& numbers = reading.numbers;
        if (numbers.size() < reading.active.size()) return ReadEnd::full;
        if (with_values)
            sort_with_values(reading);
        else
            sort_indices(numbers);
        if (max_size_ > 1) {
            const bool is_full = count_conjunctions(numbers.size(), max_size_, most) > most ||
                                 !append_slots(slots_, numbers, max_size_, grows, most, reading.places);
            return is_full ? ReadEnd::full : ReadEnd::read;
        }
        reading.places.insert(reading.places.end(), numbers.begin(), numbers.end());
        if (with_values)
            for (const Active& name : reading.active) reading.values.push_back(name.value);
        return ReadEnd::read;
    }

    nb::bytes keys() const { return bytes_of(slots_.keys()); }

    // Forgets all names and slots but the first ones.
    void shrink(std::size_t n_names, std::size_t n_slots) {
        require(n_names <= this->n_names() && (max_size_ == 1 || n_slots <= slots_.size()),
                "shrink: more than there are");
        forget(n_names);
        if (max_size_ > 1 && n_slots < slots_.size()) slots_.shrink(n_slots);
    }

    // Takes over names and the keys of slots in their order; false where they are not those of a table.
    bool restore(nb::list names, Array<const std::uint64_t, 1> keys) {
        require(n_names() == 0 && slots_.size() == 0, "restore: a table that is not empty");
        const std::size_t most = std::size_t{1} << 30;
        for (std::size_t k = 0; k < names.size(); ++k) {
            const nb::object name = nb::borrow(names[k]);  // hashing it may change the list
            const std::uint64_t hash = hash_of(name.ptr());
            if (find(hash, name.ptr()) != NameIndex::none || n_names() >= most) return false;
            add(hash, name.ptr());
        }
        std::vector<std::size_t> sizes(keys.shape(0) + 1, 0);  // of conjunctions, by slot + 1
        for (std::size_t k = 0; k < keys.shape(0); ++k) {
            const std::uint64_t key = keys.data()[k], parent = key >> 32, name = key & 0xffffffff;
            if (parent > k || name >= n_names()) return false;
            if (parent && name <= (keys.data()[parent - 1] & 0xffffffff)) return false;
            if ((sizes[k + 1] = sizes[parent] + 1) > max_size_) return false;
            const std::int32_t slot =
                slots_.slot(static_cast<std::int32_t>(parent) - 1, static_cast<std::int32_t>(name), true, most);
            if (slot != static_cast<std::int32_t>(k)) return false;
        }
        return max_size_ > 1 || keys.shape(0) == 0;
    }

private:
    static nb::handle object(NameIndex::Handle name) { return static_cast<PyObject*>(name); }

    static std::uint64_t hash_of(PyObject* name) {
        const Py_hash_t hash = PyObject_Hash(name);
        if (hash == -1) throw nb::python_error();
        return static_cast<std::uint64_t>(hash);
    }

    // Whether hashing, comparing and spelling a name runs no code of its own.
    static bool is_plain(PyObject* name) { return PyUnicode_CheckExact(name) || PyLong_CheckExact(name); }

    // Whether reading a value runs no code of its own.
    static bool is_plain_value(PyObject* value) {
        return PyFloat_Check(value) || PyLong_CheckExact(value) || PyBool_Check(value);
    }

    // NumPy gives a span of time without a unit out as a number.
    static bool is_span_of_time(PyObject* value) {
        return std::string_view(Py_TYPE(value)->tp_name) == "numpy.timedelta64";
    }

    static bool is_same(PyObject* stored, PyObject* name) {
        if (stored == name) return true;
        if (PyUnicode_CheckExact(stored) && PyUnicode_CheckExact(name)) {
            const nb::object equal = nb::steal(PyUnicode_RichCompare(stored, name, Py_EQ));
            if (!equal.is_valid()) throw nb::python_error();
            return equal.ptr() == Py_True;
        }
        const nb::object reference = nb::borrow(stored);
        const int equal = PyObject_RichCompareBool(stored, name, Py_EQ);
        if (equal < 0) throw nb::python_error();
        return equal == 1;
    }

    std::int32_t find(std::uint64_t hash, PyObject* name) const {
        return names_.find(hash,
                           [&](NameIndex::Handle stored) { return is_same(static_cast<PyObject*>(stored), name); });
    }

    std::int32_t add(std::uint64_t hash, PyObject* name) {
        const std::int32_t number = names_.add(hash, name);
        Py_INCREF(name);
        is_plain_ = is_plain_ && is_plain(name);
        return number;
    }

    // One by one: the end of a name may run code that uses the table.
    void forget(std::size_t n) noexcept {
        while (n_names() > n) Py_DECREF(object(names_.pop()).ptr());
    }

    // Lists the names of an example that are not 0, with values and hashes; false where it is no example.
    bool collect(nb::handle example, bool with_values, Reading& reading) const {
        auto& active = reading.active;
        auto& references = reading.references;
        active.clear();
        references.clear();
        bool holds = !is_plain_;  // code that runs may change the example, which alone holds its names
        const auto hold_all = [&] {
            holds = true;
            for (const Active& name : active) references.push_back(nb::borrow(name.name));
        };
        if (PyDict_Check(example.ptr())) {
            PyObject *name, *number;
            Py_ssize_t position = 0;
            while (PyDict_Next(example.ptr(), &position, &name, &number)) {
                const bool is_one = number == Py_True || number == one_.ptr();
                nb::object value_reference;
                if (!is_one && !is_plain_value(number)) {
                    if (is_span_of_time(number)) return false;
                    if (!holds) hold_all();
                    value_reference = nb::borrow(number);
                }
                if (holds) references.push_back(nb::borrow(name));
                const double value = is_one ? 1 : number == Py_False ? 0 : PyFloat_AsDouble(number);
                if (value == -1 && PyErr_Occurred()) {
                    PyErr_Clear();
                    return false;
                }
                if (with_values ? !std::isfinite(value) : value != 0 && value != 1) return false;
                if (value == 0) continue;
                __builtin_prefetch(name);
                active.push_back({name, 0, value});
            }
        } else if (PyAnySet_Check(example.ptr())) {
            holds = holds || !PyAnySet_CheckExact(example.ptr());  // others may make names while they list them
            for (nb::handle name : nb::borrow(example)) {
                if (holds) references.push_back(nb::borrow(name));
                active.push_back({name.ptr(), 0, 1});
            }
        } else {
            return false;
        }
        if (!holds &&
            !std::all_of(active.begin(), active.end(), [](const Active& name) { return is_plain(name.name); }))
            hold_all();
        for (Active& name : active) names_.approach(name.hash = hash_of(name.name));
        for (const Active& name : active) names_.arrive(name.hash);
        return true;
    }

    // Numbers the names of an example, -1 for one that is new where the table does not grow. Fewer numbers than names: the
    // table is full. New names of a set are numbered in an order that does not depend on Python's hashes.
    void number_all(bool is_set, bool grows, std::size_t most, Reading& reading) {
        auto& numbers = reading.numbers;
        numbers.clear();
        nb::list fresh;
        for (const Active& name : reading.active) {
            std::int32_t number = find(name.hash, name.name);
            if (number == NameIndex::none && grows) {
                if (is_set) {
                    fresh.append(nb::handle(name.name));
                    continue;
                }
                if (n_names() >= most) return;
                number = add(name.hash, name.name);
            }
            numbers.push_back(number);
        }
        if (fresh.size() > 1) fresh.attr("sort")(nb::arg("key") = key_for(fresh));
        for (nb::handle name : fresh) {
            if (n_names() >= most) return;
            numbers.push_back(add(hash_of(name.ptr()), name.ptr()));
        }
    }

    static void sort_with_values(Reading& reading) {
        std::vector<std::pair<std::int32_t, double>> pairs;
        for (std::size_t k = 0; k < reading.active.size(); ++k)
            pairs.emplace_back(reading.numbers[k], reading.active[k].value);
        std::sort(pairs.begin(), pairs.end());
        for (std::size_t k = 0; k < pairs.size(); ++k) std::tie(reading.numbers[k], reading.active[k].value) = pairs[k];
    }

    nb::object key_for(const nb::list& names) const {
        for (nb::handle name : names)
            if (!is_plain(name.ptr())) return spelling_;
        return nb::module_::import_("builtins").attr("repr");
    }

    std::size_t max_size_;
    nb::object spelling_;
    nb::int_ one_{1};       // the same object wherever Python says 1
    NameIndex names_;       // owns a reference to each
    bool is_plain_ = true;  // whether comparing with them runs no code
    SlotTable slots_;
};

}  // namespace conjunct::bind
