// The heaviest conjunction by a plain depth-first search: no bound, no order, every conjunction weighed; and the machine's
// limit for weighing sets, the bare loop of the core on sets that stay in the first cache.
//
//     plain_conjunctions search SIZE < cells     cells: their number and that of the variables, then digits and weight
//     plain_conjunctions limit N_WORDS LEVEL
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iostream>
#include <string>
#include <vector>

#include "simd/weigh_loops.hpp"

// Of CPU: other work on the machine does not count.
static double seconds_since(std::clock_t start) { return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC; }

struct PlainSearch {
    std::size_t n_cells = 0, n_variables = 0, n_words = 0, max_size = 0;
    std::vector<std::uint64_t> columns;  // of literals
    std::vector<std::int64_t> sums;      // of the weights of the cells in each byte, by the byte
    std::vector<std::vector<std::uint64_t>> sets;
    std::int64_t best = 0;
    std::uint64_t n_nodes = 0;

    void read() {
        std::cin >> n_cells >> n_variables;
        n_words = (n_cells + 63) / 64;
        columns.resize(2 * n_variables * n_words);
        std::vector<std::int64_t> weights(64 * n_words);
        std::string digits;
        for (std::size_t i = 0; i < n_cells; ++i) {
            std::cin >> digits >> weights[i];
            for (std::size_t j = 0; j < n_variables; ++j)
                columns[(2 * j + (digits[j] == '1')) * n_words + i / 64] |= std::uint64_t{1} << i % 64;
        }
        sums.resize(256 * 8 * n_words);
        for (std::size_t b = 0; b < 8 * n_words; ++b)
            for (std::size_t byte = 1; byte < 256; ++byte)
                for (std::size_t k = 0; k < 8; ++k) sums[256 * b + byte] += byte >> k & 1 ? weights[8 * b + k] : 0;
        sets.assign(max_size + 1, std::vector<std::uint64_t>(n_words));
        for (std::size_t i = 0; i < n_cells; ++i) sets[0][i / 64] |= std::uint64_t{1} << i % 64;
    }

    std::int64_t weight(const std::vector<std::uint64_t>& set) const {
        std::int64_t total = 0;
        for (std::size_t w = 0; w < n_words; ++w)
            for (std::size_t k = 0; k < 8; ++k) total += sums[256 * (8 * w + k) + (set[w] >> 8 * k & 255)];
        return total;
    }

    void visit(std::size_t size, std::size_t first) {
        for (std::size_t l = first; l < 2 * n_variables; ++l) {
            std::uint64_t any = 0;
            for (std::size_t w = 0; w < n_words; ++w)
                any |= sets[size + 1][w] = sets[size][w] & columns[l * n_words + w];
            if (!any) continue;
            ++n_nodes;
            best = std::max(best, weight(sets[size + 1]));
            if (size + 1 < max_size) visit(size + 1, l + 1);
        }
    }
};

int main(int, char** arguments) {
    if (std::strcmp(arguments[1], "search") == 0) {
        PlainSearch search;
        search.max_size = static_cast<std::size_t>(std::atoi(arguments[2]));
        search.read();
        const auto start = std::clock();
        search.best = search.weight(search.sets[0]);
        search.visit(0, 0);
        std::printf("{\"best\": %ld, \"nodes\": %lu, \"seconds\": %.6f}\n", search.best, search.n_nodes,
                    seconds_since(start));
        return 0;
    }
    const auto n_words = static_cast<std::size_t>(std::atoi(arguments[2]));
    std::vector<std::uint64_t> set(n_words, ~std::uint64_t{0}), columns(16 * n_words);
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i] = 0x9e3779b97f4a7c15 * (i + 1);
    std::vector<std::int32_t> weights(64 * n_words, 3);
    const conjunct::WeighLoops& loops =
        std::strncmp(arguments[3], "avx512", 6) == 0 ? conjunct::avx512_weigh_loops : conjunct::avx2_weigh_loops;
    const std::size_t repeats = (std::size_t{1} << 26) / (n_words + 1);
    std::int64_t total = 0;
    double best = 1e9;
    for (int round = 0; round < 5; ++round) {
        const auto start = std::clock();
        for (std::size_t r = 0; r < repeats; ++r)
            total +=
                loops.narrow(set.data(), columns.data() + r % 16 * n_words, weights.data(), n_words / 2, n_words).first;
        best = std::min(best, seconds_since(start));
    }
    std::printf("{\"sets_per_second\": %.0f, \"total\": %ld}\n", static_cast<double>(repeats) / best, total);
}
