#include "bits/conjunction_rows.hpp"

#include <algorithm>

namespace conjunct {
namespace {

// The literals that are true on a row, in rising order; returns how many.
template <class Column>
std::size_t true_literals(const std::uint64_t* row, std::size_t n_variables, bool has_negations,
                          Column* literals) noexcept {
    std::size_t count = 0;
    for (std::size_t v = 0; v < n_variables; ++v) {
        const std::uint64_t is_one = row[v / 64] >> (v % 64) & 1;
        literals[count] = static_cast<Column>(has_negations ? 2 * v + (is_one ^ 1) : v);
        count += has_negations ? 1 : is_one;
    }
    return count;
}

// Whether m things have `n_subsets` subsets of 1 .. max_size of them; false also where that passes 2**63.
bool has_subsets(std::size_t m, std::size_t max_size, std::uint64_t n_subsets) noexcept {
    std::uint64_t total = 0, subsets = 1;
    for (std::size_t k = 1; k <= std::min(m, max_size); ++k) {
        if (subsets > (std::uint64_t{1} << 63) / (m - k + 1)) return false;
        subsets = subsets * (m - k + 1) / k;
        total += subsets;
        if (total > n_subsets) return false;
    }
    return total == n_subsets;
}

// The columns of the subsets of k out of m literals, in lexicographic order; parts[r * stride + j] is the share of
// literal j where r literals follow it. Returns where the next column goes.
template <class Column>
Column* subsets_of_size(std::size_t k, std::size_t m, Column base, const Column* parts, std::size_t stride,
                        Column* sums, std::size_t* marks, Column* out) noexcept {
    std::size_t depth = 0, next = 0;  // literals chosen, and the first one that may be chosen now
    while (true) {
        const Column sum = depth ? sums[depth - 1] : base;
        const std::size_t r = k - 1 - depth;
        if (r == 0) {
            for (std::size_t j = next; j < m; ++j) *out++ = static_cast<Column>(sum + parts[j]);
        } else if (next + r < m) {
            sums[depth] = static_cast<Column>(sum + parts[r * stride + next]);
            marks[depth++] = ++next;
            continue;
        }
        if (depth == 0) return out;
        next = marks[--depth];
    }
}

}  // namespace

template <class Column>
std::int64_t conjunction_rows(Rows rows, std::size_t n_variables, std::size_t max_size, bool has_negations,
                              const Column* bases, const Column* shares, const std::int64_t* starts, std::size_t first,
                              std::size_t last, Column* scratch, Column* sums, std::size_t* marks,
                              Column* columns) noexcept {
    const std::size_t n_literals = has_negations ? 2 * n_variables : n_variables;
    Column* literals = scratch + max_size * n_variables;
    for (std::size_t i = first; i < last; ++i) {
        const std::size_t m = true_literals(rows.row(i), n_variables, has_negations, literals);
        if (!has_subsets(m, max_size, static_cast<std::uint64_t>(starts[i + 1] - starts[i])))
            return static_cast<std::int64_t>(i);
        const std::size_t most = std::min(m, max_size);
        for (std::size_t r = 0; r < most; ++r)
            for (std::size_t j = 0; j < m; ++j) scratch[r * n_variables + j] = shares[r * n_literals + literals[j]];
        Column* out = columns + starts[i];
        for (std::size_t k = 1; k <= most; ++k)
            out = subsets_of_size(k, m, bases[k - 1], scratch, n_variables, sums, marks, out);
    }
    return -1;
}

template std::int64_t conjunction_rows(Rows, std::size_t, std::size_t, bool, const std::uint32_t*, const std::uint32_t*,
                                       const std::int64_t*, std::size_t, std::size_t, std::uint32_t*, std::uint32_t*,
                                       std::size_t*, std::uint32_t*) noexcept;
template std::int64_t conjunction_rows(Rows, std::size_t, std::size_t, bool, const std::uint64_t*, const std::uint64_t*,
                                       const std::int64_t*, std::size_t, std::size_t, std::uint64_t*, std::uint64_t*,
                                       std::size_t*, std::uint64_t*) noexcept;

}  // namespace conjunct
