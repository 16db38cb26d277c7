// The bare loops of a Gram matrix: counting alone, on a tile that stays in the cache; and the whole symmetric matrix of
// 10,000 rows in float32, output touched. One JSON line each.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "kernels/nibble_rows.hpp"
#include "kernels/tile_gram.hpp"

using namespace conjunct;

namespace {

struct alignas(64) Line {
    std::uint8_t bytes[64];
};

template <class Work>
double best_seconds(Work work) {
    double best = 1e9;
    for (int round = 0; round < 5; ++round) {
        const auto start = std::chrono::steady_clock::now();
        work();
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

}  // namespace

int main(int, char** arguments) {
    const std::size_t n = std::strtoul(arguments[1], nullptr, 10), m = 10000, n_words = n / 64, n_nibbles = n / 4;
    std::vector<std::uint64_t> words(m * n_words), mask(n_words, ~0ULL);
    std::uint64_t state = 1;
    for (std::uint64_t& word : words) word = (state = state * 6364136223846793005ULL + 1442695040888963407ULL) ^ state >> 29;
    const Factor factor{true, mask.data(), static_cast<std::int32_t>(n), 1};
    std::vector<float> table(n + 1);
    for (std::size_t s = 0; s <= n; ++s) table[s] = static_cast<float>(s);
    std::vector<Line> nibbles(gram_columns * n_nibbles / 64), counts(2 * gram_rows * gram_columns * 2 / 64);
    auto* scratch = reinterpret_cast<std::uint16_t*>(counts.data());
    const Rows tile{words.data(), gram_columns, n_words};
    nibble_rows(tile, n_nibbles, gram_columns, nibbles[0].bytes);
    const double counting = best_seconds([&] {
        for (std::size_t i = 0; i + gram_rows <= 2048; i += gram_rows)
            avx2_gram_loops.count(factor, {{words.data() + i * n_words, gram_rows, n_words}, tile, nibbles[0].bytes, n_nibbles, nullptr, nullptr}, scratch);
    });
    std::printf("{\"what\": \"bare counting, n=%zu\", \"per_second\": %.0f}\n", n, 2048 * gram_columns / counting);
    std::vector<Line> out(m * m * 4 / 64 + 1);
    std::memset(out.data(), 0, out.size() * 64);
    const double whole = best_seconds([&] {
        for (std::size_t start = 0; start < m; start += gram_columns) {
            const Rows b{words.data() + start * n_words, std::min(gram_columns, m - start), n_words};
            nibble_rows(b, n_nibbles, gram_columns, nibbles[0].bytes);
            const GramPart<float> part{.factor = factor,
                                       .a = {words.data(), m, n_words},
                                       .b = b,
                                       .b_start = start,
                                       .nibbles = nibbles[0].bytes,
                                       .n_nibbles = n_nibbles,
                                       .planes = nullptr,
                                       .ones = nullptr,
                                       .by_planes = false,
                                       .table = table.data(),
                                       .out = reinterpret_cast<float*>(out.data()),
                                       .n_columns = m,
                                       .is_symmetric = n >= 257};
            const std::size_t last = part.is_symmetric ? start + b.n_rows : m;
            tile_gram(avx2_gram_loops, part, 0, last, scratch);
        }
    });
    std::printf("{\"what\": \"bare matrix, n=%zu\", \"per_second\": %.0f}\n", n, static_cast<double>(m * m) / whole);
}
