// Built with -mavx2 -mpopcnt; reached only after the CPU was asked.
#include <immintrin.h>

#include "simd/gram_loops.hpp"

namespace conjunct {
namespace {

// Eight floats or four doubles.
template <class T>
struct Lanes;

template <>
struct Lanes<float> {
    using Vector = __m256;
    static constexpr std::size_t n = 8;
    static Vector load(const float* from) noexcept { return _mm256_loadu_ps(from); }
    static void store(float* to, Vector v) noexcept { _mm256_storeu_ps(to, v); }
    static void stream(float* to, Vector v) noexcept { _mm256_stream_ps(to, v); }
    static Vector look_up(const std::uint16_t* c, const float* table) noexcept {
        return _mm256_setr_ps(table[c[0]], table[c[1]], table[c[2]], table[c[3]], table[c[4]], table[c[5]], table[c[6]],
                              table[c[7]]);
    }
    static void transpose(Vector (&v)[8]) noexcept {
        Vector w[8];
        for (std::size_t k = 0; k < 8; k += 2) {
            w[k] = _mm256_unpacklo_ps(v[k], v[k + 1]);
            w[k + 1] = _mm256_unpackhi_ps(v[k], v[k + 1]);
        }
        for (std::size_t k = 0; k < 8; k += 4) {
            v[k] = _mm256_shuffle_ps(w[k], w[k + 2], 0x44);
            v[k + 1] = _mm256_shuffle_ps(w[k], w[k + 2], 0xee);
            v[k + 2] = _mm256_shuffle_ps(w[k + 1], w[k + 3], 0x44);
            v[k + 3] = _mm256_shuffle_ps(w[k + 1], w[k + 3], 0xee);
        }
        for (std::size_t k = 0; k < 4; ++k) {
            const Vector low = v[k], high = v[k + 4];
            v[k] = _mm256_permute2f128_ps(low, high, 0x20);
            v[k + 4] = _mm256_permute2f128_ps(low, high, 0x31);
        }
    }
};

template <>
struct Lanes<double> {
    using Vector = __m256d;
    static constexpr std::size_t n = 4;
    static Vector load(const double* from) noexcept { return _mm256_loadu_pd(from); }
    static void store(double* to, Vector v) noexcept { _mm256_storeu_pd(to, v); }
    static void stream(double* to, Vector v) noexcept { _mm256_stream_pd(to, v); }
    static Vector look_up(const std::uint16_t* c, const double* table) noexcept {
        return _mm256_setr_pd(table[c[0]], table[c[1]], table[c[2]], table[c[3]]);
    }
    static void transpose(Vector (&v)[4]) noexcept {
        const Vector a = _mm256_unpacklo_pd(v[0], v[1]), b = _mm256_unpackhi_pd(v[0], v[1]);
        const Vector c = _mm256_unpacklo_pd(v[2], v[3]), d = _mm256_unpackhi_pd(v[2], v[3]);
        v[0] = _mm256_permute2f128_pd(a, c, 0x20);
        v[1] = _mm256_permute2f128_pd(b, d, 0x20);
        v[2] = _mm256_permute2f128_pd(a, c, 0x31);
        v[3] = _mm256_permute2f128_pd(b, d, 0x31);
    }
};

// How many entries of its line lie before an address.
template <class T>
std::size_t entries_before(const T* address) noexcept {
    return reinterpret_cast<std::uintptr_t>(address) % 64 / sizeof(T);
}

// Past the cache, a whole line at a time.
template <class T>
void stream(const T* values, std::size_t n, T* out) noexcept {
    using V = Lanes<T>;
    std::size_t j = 0;
    for (; j < n && entries_before(out + j); ++j) out[j] = values[j];
    for (; j + 2 * V::n <= n; j += 2 * V::n) {
        V::stream(out + j, V::load(values + j));
        V::stream(out + j + V::n, V::load(values + j + V::n));
    }
    for (; j < n; ++j) out[j] = values[j];
}

// A line is looked up while memory takes those before it. Scalar look-ups: gathers lost (2.4 against 4.1 billion entries a
// second), and so did parts of the table in registers of AVX-512.
template <class T>
void look_up(const std::uint16_t* counts, std::size_t n, const T* table, T* values, T* out) noexcept {
    using V = Lanes<T>;
    std::size_t j = 0;
    for (; j < n && entries_before(out + j); ++j) out[j] = values[j] = table[counts[j]];
    for (; j + 2 * V::n <= n; j += 2 * V::n) {
        const typename V::Vector low = V::look_up(counts + j, table), high = V::look_up(counts + j + V::n, table);
        V::store(values + j, low);
        V::store(values + j + V::n, high);
        V::stream(out + j, low);
        V::stream(out + j + V::n, high);
    }
    for (; j < n; ++j) out[j] = values[j] = table[counts[j]];
}

// A strip of a few columns is turned in the first cache, then written row by row.
template <class T>
void mirror(const T* values, std::size_t n_rows, std::size_t n, bool continues, bool is_continued,
            std::size_t n_columns, T* out) noexcept {
    using V = Lanes<T>;
    constexpr std::size_t line = cells_per_line<T>;
    const T* above = values - line * value_stride<T>;
    for (std::size_t j = 0; j < n; j += V::n) {
        T strip[V::n][line + gram_rows];
        for (std::size_t i = continues ? 0 : line; i < line + n_rows; i += V::n) {
            typename V::Vector square[V::n];
            for (std::size_t k = 0; k < V::n; ++k) square[k] = V::load(above + value_stride<T> * (i + k) + j);
            V::transpose(square);
            for (std::size_t k = 0; k < V::n; ++k) V::store(strip[k] + i, square[k]);
        }
        for (std::size_t k = 0; k < V::n && j + k < n; ++k) {
            T* address = out + n_columns * (j + k);
            const std::size_t entries = entries_before(address), before = continues ? entries : 0;
            stream(strip[k] + line - before, n_rows + before - (is_continued ? entries : 0), address - before);
        }
    }
}

template <class T>
constexpr WriteLoops<T> loops{look_up<T>, mirror<T>};

void finish() noexcept { _mm_sfence(); }

}  // namespace

constexpr GramLoops avx2_gram_loops{{256}, count_planes_avx2, loops<float>, loops<double>, finish};
// Vectors of 512 bits gained nothing where memory is the limit.
constexpr GramLoops avx512_gram_loops{{512}, count_planes_avx512, loops<float>, loops<double>, finish};

}  // namespace conjunct
