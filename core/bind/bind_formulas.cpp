#include <algorithm>
#include <atomic>
#include <vector>

#include "bind/arrays.hpp"
#include "bind/parallel.hpp"
#include "bits/conjunction_rows.hpp"
#include "bits/first_rule.hpp"
#include "bits/weighted_sums.hpp"

namespace conjunct::bind {
namespace {

using Words = Array<const std::uint64_t, 2>;

void decide(Words words, std::size_t n_variables, Integers starts, Array<const std::int32_t, 1> literals,
            Array<const std::uint8_t, 1> labels, bool otherwise, std::size_t threads, Array<std::uint8_t, 1> out) {
    const Rows rows = rows_of(words);
    const std::size_t n_rules = labels.shape(0), n_literals = literals.shape(0);
    require(rows.n_words == words_for(n_variables), "words: wrong width");
    require(out.shape(0) == rows.n_rows, "out: one byte per row expected");
    require(starts.shape(0) == n_rules + 1 && starts.data()[0] == 0 &&
                std::is_sorted(starts.data(), starts.data() + n_rules + 1) &&
                starts.data()[n_rules] == static_cast<std::int64_t>(n_literals),
            "starts: not those of the literals");
    require(std::all_of(labels.data(), labels.data() + n_rules, [](std::uint8_t label) { return label <= 1; }),
            "labels: 0 or 1 expected");
    std::vector<std::size_t> place_of_word(rows.n_words, 0), used;
    for (std::size_t k = 0; k < n_literals; ++k) {
        const std::int64_t code = literals.data()[k];
        require(code >= 0 && static_cast<std::size_t>(code / 2) < n_variables, "literals: no such variable");
        place_of_word[static_cast<std::size_t>(code / 128)] = 1;
    }
    for (std::size_t w = 0; w < rows.n_words; ++w)
        if (place_of_word[w]) {
            place_of_word[w] = used.size();
            used.push_back(w);
        }
    std::vector<std::uint32_t> places(n_literals);
    for (std::size_t k = 0; k < n_literals; ++k) {
        const auto code = static_cast<std::size_t>(literals.data()[k]);
        places[k] = static_cast<std::uint32_t>(128 * place_of_word[code / 128] + code % 128);
    }
    const Rules rules{starts.data(), places.data(), labels.data(), n_rules, used.data(), used.size(), otherwise};
    const std::size_t n_blocks = (rows.n_rows + rule_block - 1) / rule_block, n_parts = parts_for(n_blocks, threads);
    std::vector<std::uint64_t> planes(n_parts * rule_block * used.size());
    nb::gil_scoped_release unlocked;
    in_parallel(n_blocks, n_parts, [&](std::size_t part, std::size_t first, std::size_t last) {
        first_rule(rows, rules, rule_block * first, std::min(rule_block * last, rows.n_rows),
                   planes.data() + part * rule_block * used.size(), out.data());
    });
}

void sum_weights(Words words, Integers weights, std::size_t threads, Array<std::int64_t, 1> out) {
    const Rows rows = rows_of(words);
    require(rows.n_words == words_for(weights.shape(0)), "weights: one per variable expected");
    require(out.shape(0) == rows.n_rows, "out: one sum per row expected");
    constexpr std::int64_t limit = std::int64_t{1} << 62;
    std::int64_t total = 0;
    for (std::size_t v = 0; v < weights.shape(0); ++v) {
        const std::int64_t weight = weights.data()[v];
        require(-limit < weight && weight < limit, "weights: too large");
        total += weight < 0 ? -weight : weight;
        require(total < limit, "weights: too large");
    }
    std::vector<std::int64_t> padded(64 * rows.n_words, 0);
    std::copy_n(weights.data(), weights.shape(0), padded.data());
    const std::size_t n_parts = parts_for(rows.n_rows, threads);
    std::vector<std::int64_t> tables(n_parts * sum_table);
    nb::gil_scoped_release unlocked;
    in_parallel(rows.n_rows, n_parts, [&](std::size_t part, std::size_t first, std::size_t last) {
        weighted_sums(rows, padded.data(), first, last, tables.data() + part * sum_table, out.data());
    });
}

// Columns are counted modulo the range of Column: bases and shares come as they are in Python, columns as unsigned.
template <class Column>
void fill_conjunctions(Words words, std::size_t n_variables, bool has_negations, Integers bases,
                       Array<const std::int64_t, 2> shares, Integers starts, std::size_t threads,
                       Array<Column, 1> columns) {
    const Rows rows = rows_of(words);
    const std::size_t max_size = bases.shape(0);
    require(rows.n_words == words_for(n_variables), "words: wrong width");
    require(max_size >= 1 && shares.shape(0) == max_size && shares.shape(1) == (has_negations ? 2 : 1) * n_variables,
            "shares: wrong shape");
    require(starts.shape(0) == rows.n_rows + 1 && starts.data()[0] == 0 &&
                std::is_sorted(starts.data(), starts.data() + rows.n_rows + 1) &&
                starts.data()[rows.n_rows] == static_cast<std::int64_t>(columns.shape(0)),
            "starts: not those of the columns");
    const auto narrow = [](std::int64_t value) { return static_cast<Column>(value); };
    std::vector<Column> base(max_size), share(shares.size());
    std::transform(bases.data(), bases.data() + base.size(), base.data(), narrow);
    std::transform(shares.data(), shares.data() + share.size(), share.data(), narrow);
    const std::size_t n_parts = parts_for(rows.n_rows, threads), n_scratch = (max_size + 1) * n_variables;
    std::vector<Column> scratch(n_parts * n_scratch), sums(n_parts * max_size);
    std::vector<std::size_t> marks(n_parts * max_size);
    std::atomic<bool> is_filled{true};
    {
        nb::gil_scoped_release unlocked;
        in_parallel(rows.n_rows, n_parts, [&](std::size_t part, std::size_t first, std::size_t last) {
            if (conjunction_rows(rows, n_variables, max_size, has_negations, base.data(), share.data(), starts.data(),
                                 first, last, scratch.data() + part * n_scratch, sums.data() + part * max_size,
                                 marks.data() + part * max_size, columns.data()) >= 0)
                is_filled = false;
        });
    }
    require(is_filled, "starts: other numbers of conjunctions than the rows have");
}

template <class Column>
void bind_conjunctions(nb::module_& m) {
    def(m, "conjunction_rows", &fill_conjunctions<Column>, nb::arg("words").noconvert(), nb::arg("n_variables"),
        nb::arg("has_negations"), nb::arg("bases").noconvert(), nb::arg("shares").noconvert(),
        nb::arg("starts").noconvert(), nb::arg("threads"), nb::arg("columns").noconvert());
}

}  // namespace

void bind_formulas(nb::module_& m) {
    def(m, "first_rule", &decide, nb::arg("words").noconvert(), nb::arg("n_variables"), nb::arg("starts").noconvert(),
        nb::arg("literals").noconvert(), nb::arg("labels").noconvert(), nb::arg("otherwise"), nb::arg("threads"),
        nb::arg("out").noconvert());
    def(m, "weighted_sums", &sum_weights, nb::arg("words").noconvert(), nb::arg("weights").noconvert(),
        nb::arg("threads"), nb::arg("out").noconvert());
    bind_conjunctions<std::uint32_t>(m);
    bind_conjunctions<std::uint64_t>(m);
}

}  // namespace conjunct::bind
