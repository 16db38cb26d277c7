#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <limits>
#include <span>

#include "bind/arrays.hpp"
#include "search/frontier.hpp"
#include "search/tree_search.hpp"
#include "simd/level.hpp"

namespace conjunct::bind {
namespace {

using Clock = std::chrono::steady_clock;

// What looks for signals, the time and whoever watches, while a search runs without the lock.
struct Looks {
    Clock::time_point deadline, next;
    nb::handle progress;
    bool has_raised = false;

    static StopReason is_over(void* context, std::int64_t lower, std::int64_t upper) {
        auto& looks = *static_cast<Looks*>(context);
        const auto now = Clock::now();
        if (now >= looks.next) {
            looks.next = now + std::chrono::milliseconds(30);
            nb::gil_scoped_acquire locked;
            looks.has_raised = PyErr_CheckSignals() != 0;
            if (!looks.has_raised && !looks.progress.is_none()) {
                nb::object told = nb::steal(PyObject_CallFunction(
                    looks.progress.ptr(), "LL", static_cast<long long>(lower), static_cast<long long>(upper)));
                looks.has_raised = !told.is_valid();
            }
            if (looks.has_raised) return StopReason::interrupt;
        }
        return now >= looks.deadline ? StopReason::time : StopReason::none;
    }
};

TreeCells cells_of(const Array<const std::uint64_t, 2>& words, std::size_t n_tests,
                   const Array<const std::int64_t, 2>& penalties, const Integers& removals, const Integers& sizes,
                   std::int64_t min_samples_leaf, PairLoops& lanes) {
    const std::size_t n = words.shape(0), n_classes = penalties.shape(1);
    require(n >= 1 && words.shape(1) == words_for(n_tests), "tests: another number of words");
    require(n_classes >= 1 && n_classes < 64, "penalties: 1 to 63 classes");
    require(penalties.shape(0) == n && removals.shape(0) == n && sizes.shape(0) == n, "one number per cell expected");
    TreeCells cells = tree_cells(rows_of(words), n_tests, {penalties.data(), penalties.size()}, n_classes,
                                 {removals.data(), n}, {sizes.data(), n}, min_samples_leaf);
    lanes = active_level()->pairs[cells.lanes];
    return cells;
}

// Runs a search without the lock; returns why it ended: 0 proved, 1 nodes, 2 time, 3 memory.
template <class Search>
int run_search(Search& search, double seconds, const nb::object& progress) {
    const auto now = Clock::now();
    Looks looks{Clock::time_point::max(), now, progress};
    if (seconds < 1e9)
        looks.deadline = now + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    {
        nb::gil_scoped_release unlocked;
        search.run({&Looks::is_over, &looks});
    }
    if (looks.has_raised) throw nb::python_error();
    return static_cast<int>(search.stopped_by());
}

class NativeTreeSearch {
public:
    NativeTreeSearch(Array<const std::uint64_t, 2> words, std::size_t n_tests, Array<const std::int64_t, 2> penalties,
                     Integers removals, Integers sizes, std::int64_t leaf_cost, int max_depth,
                     std::int64_t min_samples_leaf, bool keeps_lemmas, std::uint64_t max_nodes, std::uint64_t max_bytes,
                     std::uint32_t n_similar, std::uint64_t first_pass_work, std::size_t rest_words)
        : search_{cells_of(words, n_tests, penalties, removals, sizes, min_samples_leaf, lanes_),
                  {leaf_cost, depth_of(max_depth), min_samples_leaf, keeps_lemmas, max_nodes, max_bytes, n_similar,
                   first_pass_work, rest_words},
                  lanes_} {}

    int run(double seconds, nb::object progress) { return run_search(search_, seconds, progress); }

    nb::tuple proof() {
        TreeSearch::Proof proof;
        {
            nb::gil_scoped_release unlocked;
            proof = search_.proof();
        }
        return nb::make_tuple(nb::bytes(proof.text.data(), proof.text.size()), proof.n_lemmas, proof.n_pairs,
                              proof.n_splits);
    }

    nb::dict stats() const {
        const TreeSearchStats& stats = search_.stats();
        nb::dict told;
        told["n_nodes"] = stats.n_nodes;
        told["n_enumerations"] = stats.n_enumerations;
        told["n_pairs_counted"] = stats.n_pairs;
        told["n_rests"] = stats.n_rests;
        told["n_shape_bounds"] = stats.n_shape_bounds;
        told["n_counted"] = stats.n_counted;
        told["n_splits"] = stats.n_splits;
        told["n_memo_hits"] = stats.n_memo_hits;
        told["n_similar_hits"] = stats.n_similar_hits;
        told["n_forgotten"] = stats.n_forgotten;
        return told;
    }

    std::int64_t lower() const noexcept { return search_.lower(); }
    std::int64_t upper() const noexcept { return search_.upper(); }
    std::vector<std::int64_t> tree() const { return search_.tree(); }

private:
    static std::uint8_t depth_of(int max_depth) {
        require(max_depth >= -1, "max_depth: not negative, or -1 for any");
        return max_depth < 0 || max_depth >= any_depth ? any_depth : static_cast<std::uint8_t>(max_depth);
    }

    PairLoops lanes_{};
    TreeSearch search_;
};

class NativeFrontierSearch {
public:
    NativeFrontierSearch(Array<const std::uint64_t, 2> words, std::size_t n_tests,
                         Array<const std::int64_t, 2> penalties, Integers removals, Integers sizes, int max_depth,
                         std::int64_t min_samples_leaf, std::uint64_t max_bytes)
        : search_{cells_of(words, n_tests, penalties, removals, sizes, min_samples_leaf, lanes_),
                  {1, depth_of(max_depth), min_samples_leaf, false, UINT64_MAX, max_bytes, 0},
                  lanes_} {}

    int run(double seconds, nb::object progress) { return run_search(search_, seconds, progress); }

    nb::dict stats() const {
        const TreeSearchStats& stats = search_.stats();
        nb::dict told;
        told["n_nodes"] = stats.n_nodes;
        told["n_pairs_counted"] = stats.n_pairs;
        told["n_memo_hits"] = stats.n_memo_hits;
        told["n_forgotten"] = stats.n_forgotten;
        return told;
    }

    std::vector<std::int64_t> errors() const { return search_.errors(); }
    std::vector<std::vector<std::int64_t>> trees() const { return search_.trees(); }
    std::size_t n_splits() const noexcept { return search_.n_splits(); }

private:
    static std::uint8_t depth_of(int max_depth) {
        require(max_depth >= 0 && max_depth <= FrontierSearch::most_depth, "max_depth: 0 to 4");
        return static_cast<std::uint8_t>(max_depth);
    }

    PairLoops lanes_{};
    FrontierSearch search_;
};

}  // namespace

void bind_search(nb::module_& m) {
    nb::class_<NativeTreeSearch>(m, "TreeSearch")
        .def(constructor<NativeTreeSearch, Array<const std::uint64_t, 2>, std::size_t, Array<const std::int64_t, 2>,
                         Integers, Integers, std::int64_t, int, std::int64_t, bool, std::uint64_t, std::uint64_t,
                         std::uint32_t, std::uint64_t, std::size_t>(),
             nb::arg("words").noconvert(), nb::arg("n_tests"), nb::arg("penalties").noconvert(),
             nb::arg("removals").noconvert(), nb::arg("sizes").noconvert(), nb::arg("leaf_cost"), nb::arg("max_depth"),
             nb::arg("min_samples_leaf"), nb::arg("keeps_lemmas"), nb::arg("max_nodes"), nb::arg("max_bytes"),
             nb::arg("n_similar"), nb::arg("first_pass_work"), nb::arg("rest_words"))
        .def("run", &NativeTreeSearch::run, nb::arg("seconds"), nb::arg("progress").none())
        .def("proof", &NativeTreeSearch::proof, nb::sig("def proof(self) -> tuple[bytes, int, int, int]"))
        .def_prop_ro("stats", &NativeTreeSearch::stats, nb::sig("def stats(self) -> dict[str, int]"))
        .def_prop_ro("lower", &NativeTreeSearch::lower)
        .def_prop_ro("upper", &NativeTreeSearch::upper)
        .def_prop_ro("tree", &NativeTreeSearch::tree);
    nb::class_<NativeFrontierSearch>(m, "FrontierSearch")
        .def(constructor<NativeFrontierSearch, Array<const std::uint64_t, 2>, std::size_t, Array<const std::int64_t, 2>,
                         Integers, Integers, int, std::int64_t, std::uint64_t>(),
             nb::arg("words").noconvert(), nb::arg("n_tests"), nb::arg("penalties").noconvert(),
             nb::arg("removals").noconvert(), nb::arg("sizes").noconvert(), nb::arg("max_depth"),
             nb::arg("min_samples_leaf"), nb::arg("max_bytes"))
        .def("run", &NativeFrontierSearch::run, nb::arg("seconds"), nb::arg("progress").none())
        .def_prop_ro("stats", &NativeFrontierSearch::stats, nb::sig("def stats(self) -> dict[str, int]"))
        .def_prop_ro("errors", &NativeFrontierSearch::errors)
        .def_prop_ro("trees", &NativeFrontierSearch::trees)
        .def_prop_ro("n_splits", &NativeFrontierSearch::n_splits);
}

}  // namespace conjunct::bind
