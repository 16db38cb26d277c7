// Ways to add up weight * table[count] over the pairs of 5,000 rows whose counts are kept, on one thread:
//   c++ -O3 -std=c++20 -mavx2 -ffp-contract=off benchmarks/micro/look_ups.cpp -o look_ups && ./look_ups
// The first is that of core/simd/sum_avx2.cpp; the others lost.
#include <immintrin.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

constexpr std::size_t n_rows = 5000, at_once = 4;
using Counts = const std::uint8_t*;

template <class Value>  // of four counts
void add(Value value, Counts counts, const double* weights, double* sums) {
    __m256d factors[at_once];
    for (std::size_t i = 0; i < at_once; ++i) factors[i] = _mm256_set1_pd(weights[i]);
    for (std::size_t j = 0; j + 4 <= n_rows; j += 4) {
        __m256d sum = _mm256_loadu_pd(sums + j);
        for (std::size_t i = 0; i < at_once; ++i)
            sum = _mm256_add_pd(sum, _mm256_mul_pd(factors[i], value(counts + n_rows * i + j)));
        _mm256_storeu_pd(sums + j, sum);
    }
}

std::uint32_t word(Counts counts) {
    std::uint32_t four;
    std::memcpy(&four, counts, 4);
    return four;
}

__m128i wide(Counts counts) { return _mm_cvtepu8_epi32(_mm_cvtsi32_si128(static_cast<int>(word(counts)))); }

void scalar(Counts counts, const double* table, const double* weights, double* sums) {
    for (std::size_t j = 0; j < n_rows; ++j)
        for (std::size_t i = 0; i < at_once; ++i) sums[j] += weights[i] * table[counts[n_rows * i + j]];
}

template <class Body>
void measure(const char* name, Body body) {
    double best = 1e9;
    for (int round = 0; round < 7; ++round) {
        const auto start = std::chrono::steady_clock::now();
        body();
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    std::printf("%-32s %.2f G look-ups/s\n", name, n_rows * n_rows / best / 1e9);
}

}  // namespace

int main() {
    std::vector<std::uint8_t> counts(n_rows * n_rows);
    std::uint32_t state = 1;
    for (std::uint8_t& count : counts) count = static_cast<std::uint8_t>(50 + ((state = state * 1664525 + 1013904223) >> 27));
    std::vector<double> table(256), weights(n_rows, 0.5), sums(n_rows);
    for (std::size_t s = 0; s < table.size(); ++s) table[s] = static_cast<double>(s * s);
    const double* t = table.data();
    const auto by_word = [t](Counts c) {
        const std::uint32_t four = word(c);
        return _mm256_setr_pd(t[four & 255], t[four >> 8 & 255], t[four >> 16 & 255], t[four >> 24]);
    };
    const auto by_byte = [t](Counts c) { return _mm256_setr_pd(t[c[0]], t[c[1]], t[c[2]], t[c[3]]); };
    const auto by_gather = [t](Counts c) { return _mm256_i32gather_pd(t, wide(c), 8); };
    const auto by_cubic = [](Counts c) {
        const __m256d s = _mm256_cvtepi32_pd(wide(c));
        __m256d value = _mm256_set1_pd(4.0);
        for (double coefficient : {3.0, 2.0, 1.0})
            value = _mm256_add_pd(_mm256_mul_pd(value, s), _mm256_set1_pd(coefficient));
        return value;
    };
    const auto all = [&](auto value) {
        for (std::size_t i = 0; i + at_once <= n_rows; i += at_once)
            add(value, counts.data() + n_rows * i, weights.data() + i, sums.data());
    };
    measure("four counts read as a word", [&] { all(by_word); });
    measure("four counts read apart", [&] { all(by_byte); });
    measure("gathers", [&] { all(by_gather); });
    measure("a cubic instead of a table", [&] { all(by_cubic); });
    measure("scalar", [&] {
        for (std::size_t i = 0; i + at_once <= n_rows; i += at_once)
            scalar(counts.data() + n_rows * i, t, weights.data() + i, sums.data());
    });
    return sums[0] == 0.5;
}
