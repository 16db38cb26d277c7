// The bare loops of a Gram matrix: counting alone, on a tile that stays in the cache, beside counting by nibbles; and the
// whole symmetric matrix of 10,000 rows in float32, output touched. One JSON line each.
//
//     gram_tile N_VARIABLES LEVEL
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "kernels/tile_gram.hpp"
#include "nibble_count.hpp"

using namespace conjunct;

namespace {

struct alignas(64) Line {
    std::uint64_t words[8];
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
    const std::size_t n = std::strtoul(arguments[1], nullptr, 10), m = 10000, n_words = n / 64;
    const GramLoops& loops = std::strncmp(arguments[2], "avx512", 6) == 0 ? avx512_gram_loops : avx2_gram_loops;
    std::vector<std::uint64_t> words(m * n_words), mask(n_words, ~0ULL);
    std::uint64_t state = 1;
    for (std::uint64_t& word : words) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        word = state ^ state >> 29;
    }
    const Factor factor{true, mask.data(), static_cast<std::int32_t>(n), 1};
    std::vector<float> table(n + 1);
    for (std::size_t s = 0; s <= n; ++s) table[s] = static_cast<float>(s);
    const auto scratch = std::make_unique<GramScratch>();
    std::vector<Line> laid_out(PlaneLayout::all_words(n_words) / 8 + 1);
    alignas(64) std::uint16_t ones[plane_columns];
    const Planes planes{laid_out[0].words, ones};
    const Rows tile{words.data(), gram_columns, n_words};
    plane_rows(loops.layout, tile, mask.data(), laid_out[0].words, ones);
    const double counting = best_seconds([&] {
        for (std::size_t i = 0; i + gram_rows <= 2048; i += gram_rows)
            loops.count(factor, {{words.data() + i * n_words, gram_rows, n_words}, tile, planes, 0},
                                  *scratch);
    });
    const NibbleColumns columns(tile);
    std::vector<std::uint16_t> nibble_counts(gram_rows * gram_columns);
    const double by_nibbles = best_seconds([&] {
        for (std::size_t i = 0; i + gram_rows <= 2048; i += gram_rows)
            nibble_count({words.data() + i * n_words, gram_rows, n_words}, columns, nibble_counts.data());
    });
    if (!std::equal(nibble_counts.begin(), nibble_counts.end(), scratch->counts)) return 1;
    std::printf("{\"what\": \"bare counting by nibbles, n=%zu\", \"per_second\": %.0f}\n", n,
                2048 * gram_columns / by_nibbles);
    std::printf("{\"what\": \"bare counting, n=%zu\", \"per_second\": %.0f}\n", n, 2048 * gram_columns / counting);
    const std::size_t huge = std::size_t{1} << 21, size = (m * m * sizeof(float) + huge - 1) / huge * huge;
    auto* out = static_cast<float*>(std::aligned_alloc(huge, size));
    madvise(out, size, MADV_HUGEPAGE);  // as NumPy does
    std::memset(out, 0, size);
    const double whole = best_seconds([&] {
        for (std::size_t start = 0; start < m; start += gram_columns) {
            const Rows b{words.data() + start * n_words, std::min(gram_columns, m - start), n_words};
            plane_rows(loops.layout, b, mask.data(), laid_out[0].words, ones);
            const GramPart<float> part{.factor = factor,
                                       .a = {words.data(), m, n_words},
                                       .b = b,
                                       .b_start = start,
                                       .planes = planes,
                                       .table = table.data(),
                                       .out = out,
                                       .n_columns = m,
                                       .is_symmetric = true};
            tile_gram(loops, part, 0, start + b.n_rows, *scratch);
        }
    });
    std::printf("{\"what\": \"bare matrix, n=%zu\", \"per_second\": %.0f}\n", n, static_cast<double>(m * m) / whole);
}
