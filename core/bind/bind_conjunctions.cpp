#include <nanobind/stl/vector.h>

#include <chrono>
#include <memory>
#include <span>

#include "bind/arrays.hpp"
#include "search/conjunction_search.hpp"
#include "search/row_walk.hpp"
#include "simd/level.hpp"

namespace conjunct::bind {
namespace {

using Clock = std::chrono::steady_clock;

// What looks for signals while a search runs without the lock, and at the clock.
struct Signals {
    Clock::time_point deadline = Clock::time_point::max();
    Clock::time_point next = Clock::now();
    bool has_raised = false;

    static bool is_over(void* context) {
        auto& signals = *static_cast<Signals*>(context);
        const auto now = Clock::now();
        if (now < signals.next) return signals.has_raised || now >= signals.deadline;
        signals.next = now + std::chrono::milliseconds(30);
        nb::gil_scoped_acquire locked;
        signals.has_raised = signals.has_raised || PyErr_CheckSignals() != 0;
        return signals.has_raised || now >= signals.deadline;
    }
};

Clock::time_point deadline_of(double seconds) {
    if (!(seconds < 1e9)) return Clock::time_point::max();
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

void require_weights(const Array<const std::uint64_t, 2>& words, std::size_t n_variables, std::size_t n_weights,
                     std::span<const std::int64_t> weights) {
    require(words.shape(0) >= 1 && words.shape(1) == words_for(n_variables), "cells: another number of words");
    require(n_weights == words.shape(0), "one weight per cell expected");
    std::uint64_t size = 0;
    for (const std::int64_t weight : weights) {
        const auto own = static_cast<std::uint64_t>(weight);
        size += std::min<std::uint64_t>(weight < 0 ? 0 - own : own, WeightedCells::most_sum);
        require(size <= WeightedCells::most_sum, "the weights add up to more than 2**61");
    }
}

// scales: a row of words for each size, the lowest first.
// Returns (found, unvisited, n_nodes, reason): of each conjunction its literals and the sum of its weights.
nb::tuple heaviest_conjunctions(Array<const std::uint64_t, 2> words, std::size_t n_variables, Integers weights,
                                Array<const std::uint64_t, 2> scales, Integers least, bool has_negations,
                                bool is_signed, bool lists_sets_once, std::size_t top, std::size_t most,
                                std::uint64_t max_nodes, double seconds, std::size_t n_threads) {
    require_weights(words, n_variables, weights.size(), {weights.data(), weights.size()});
    require(scales.size() >= 1 && least.size() == scales.shape(0), "one scale and one limit per size expected");
    const WeightedCells cells{rows_of(words), n_variables, {weights.data(), weights.size()}, active_level()->weights};
    ConjunctionSearch search{
        cells,
        {scales.shape(0) - 1, has_negations, is_signed, lists_sets_once, top, most, max_nodes, deadline_of(seconds)},
        {{scales.data(), scales.size()}, scales.shape(0)},
        {least.data(), least.size()}};
    Signals signals;
    {
        nb::gil_scoped_release unlocked;
        search.run(n_threads, {&Signals::is_over, &signals});
    }
    if (signals.has_raised) throw nb::python_error();
    nb::list found;
    for (const HeaviestList::Entry& entry : search.list().entries()) {
        nb::list literals;
        for (const std::uint32_t literal : entry.literals) literals.append(literal);
        found.append(nb::make_tuple(nb::tuple(literals), entry.sum));
    }
    nb::list unvisited;
    for (const std::int64_t bound : search.unvisited())
        unvisited.append(bound == INT64_MIN ? nb::object(nb::none()) : nb::object(nb::int_(bound)));
    return nb::make_tuple(found, unvisited, search.n_nodes(), static_cast<int>(search.stopped_by()));
}

// Returns (conjunctions above the limit, n_nodes, whether the walk came to its end, the cells picked in 32 bits each).
nb::tuple walk_by_rows(Array<const std::uint64_t, 2> words, std::size_t n_variables, Integers weights,
                       std::int64_t limit, Integers literals, std::size_t max_size, std::uint64_t max_nodes,
                       std::size_t most_heavy, bool raises_limit, bool keeps_trace, double seconds) {
    require_weights(words, n_variables, weights.size(), {weights.data(), weights.size()});
    require(words.shape(0) <= UINT32_MAX, "more cells than 32 bits number");
    require(all_within(literals, 2 * n_variables), "literals: one of no variable");
    RowWalk walk{rows_of(words),
                 n_variables,
                 {weights.data(), weights.size()},
                 {literals.data(), literals.data() + literals.size()},
                 {limit, max_size, max_nodes, most_heavy, raises_limit, keeps_trace},
                 *active_level()};
    Signals signals{deadline_of(seconds)};
    {
        nb::gil_scoped_release unlocked;
        walk.run({&Signals::is_over, &signals});
    }
    if (signals.has_raised) throw nb::python_error();
    return nb::make_tuple(walk.heavy(), walk.n_nodes(), walk.is_complete(), bytes_of(walk.trace()));
}

}  // namespace

void bind_conjunctions(nb::module_& m) {
    m.def("heaviest_conjunctions", &heaviest_conjunctions, nb::arg("words").noconvert(), nb::arg("n_variables"),
          nb::arg("weights").noconvert(), nb::arg("scales").noconvert(), nb::arg("least").noconvert(),
          nb::arg("has_negations"), nb::arg("is_signed"), nb::arg("lists_sets_once"), nb::arg("top"), nb::arg("most"),
          nb::arg("max_nodes"), nb::arg("seconds"), nb::arg("n_threads"),
          nb::sig("def heaviest_conjunctions(words: object, n_variables: int, weights: object, scales: object, "
                  "least: object, has_negations: bool, is_signed: bool, lists_sets_once: bool, top: int, most: int, "
                  "max_nodes: int, seconds: float, n_threads: int) -> "
                  "tuple[list[tuple[tuple[int, ...], int]], list[int | None], int, int]"));
    def(m, "walk_by_rows", &walk_by_rows, nb::arg("words").noconvert(), nb::arg("n_variables"),
        nb::arg("weights").noconvert(), nb::arg("limit"), nb::arg("literals").noconvert(), nb::arg("max_size"),
        nb::arg("max_nodes"), nb::arg("most_heavy"), nb::arg("raises_limit"), nb::arg("keeps_trace"),
        nb::arg("seconds"),
        nb::sig("def walk_by_rows(words: object, n_variables: int, weights: object, limit: int, "
                "literals: object, max_size: int, max_nodes: int, most_heavy: int, raises_limit: bool, "
                "keeps_trace: bool, seconds: float) -> tuple[list[list[int]], int, bool, bytes]"));
}

}  // namespace conjunct::bind
