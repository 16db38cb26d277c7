#include <nanobind/nanobind.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include "simd/level.hpp"

namespace conjunct::bind {
void bind_bits(nanobind::module_& m);
void bind_conjunctions(nanobind::module_& m);
void bind_formulas(nanobind::module_& m);
void bind_gradient(nanobind::module_& m);
void bind_gram(nanobind::module_& m);
void bind_kernels(nanobind::module_& m);
void bind_learners(nanobind::module_& m);
void bind_low_rank(nanobind::module_& m);
void bind_margin(nanobind::module_& m);
void bind_names(nanobind::module_& m);
void bind_perceptron(nanobind::module_& m);
void bind_search(nanobind::module_& m);
void bind_sparse(nanobind::module_& m);
void bind_stream(nanobind::module_& m);
void bind_sums(nanobind::module_& m);
void bind_tables(nanobind::module_& m);
void bind_winnow(nanobind::module_& m);
void bind_winnow_stream(nanobind::module_& m);
}  // namespace conjunct::bind

NB_MODULE(_core, m) {
    using namespace conjunct;
    m.doc() = "The compiled loops of conjunct; private.";
    nanobind::set_leak_warnings(false);  // cached layouts live until the process ends
    nanobind::register_exception_translator([](const std::exception_ptr& error, void*) {
        try {
            std::rethrow_exception(error);
        } catch (const std::bad_alloc&) {
            PyErr_SetString(PyExc_MemoryError, "no memory is left for an object of the compiled core");
        }
    });
    if (!active_level()) {
        std::string known;
        for (const Level* level : runnable_levels()) known += (known.empty() ? "" : " or ") + std::string(level->name);
        const std::string wish = std::getenv("CONJUNCT_SIMD");
        throw std::runtime_error("CONJUNCT_SIMD=" + wish.substr(0, 40) + ": expected " + known +
                                 " on this CPU; unset it to let conjunct choose");
    }
    bind::bind_bits(m);
    bind::bind_conjunctions(m);
    bind::bind_formulas(m);
    bind::bind_gram(m);
    bind::bind_kernels(m);
    bind::bind_learners(m);
    bind::bind_low_rank(m);
    bind::bind_margin(m);
    bind::bind_names(m);
    bind::bind_search(m);
    bind::bind_sparse(m);  // before what learns from its rows
    bind::bind_gradient(m);
    bind::bind_perceptron(m);
    bind::bind_stream(m);
    bind::bind_winnow(m);
    bind::bind_winnow_stream(m);
    bind::bind_sums(m);
    bind::bind_tables(m);
}
