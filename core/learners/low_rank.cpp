#include "learners/low_rank.hpp"

#include <algorithm>
#include <cmath>

namespace conjunct {

void add_rows(const double* rows, std::size_t n_rows, std::size_t n, const double* factors, const SumLoops& loops,
              double* sums) noexcept {
    for (std::size_t k = 0; k < n_rows; ++k)
        if (factors[k] != 0) loops.add_multiple(factors[k], rows + k * n, n, sums);
}

void normal_matrix(const double* rows, std::size_t n_rows, std::size_t n, const double* masses, double ridge,
                   const SumLoops& loops, double* out) noexcept {
    std::fill_n(out, n * n, 0.0);
    for (std::size_t a = 0; a < n; ++a) out[a * n + a] = ridge;
    for (std::size_t i = 0; i < n_rows; ++i) {
        const double* row = rows + i * n;
        if (masses[i] == 0) continue;
        for (std::size_t a = 0; a < n; ++a) loops.add_multiple(masses[i] * row[a], row, a + 1, out + a * n);
    }
}

bool solve_positive(double* matrix, std::size_t n, double* x) noexcept {
    // 1. Factor matrix = C C', row after row: what a row needs stands above it. Four sums at a time, for the registers.
    for (std::size_t a = 0; a < n; ++a) {
        double* row = matrix + a * n;
        for (std::size_t b = 0; b <= a; ++b) {
            const double* above = matrix + b * n;
            double part[4] = {row[b], 0, 0, 0};
            std::size_t k = 0;
            for (; k + 4 <= b; k += 4)
                for (std::size_t l = 0; l < 4; ++l) part[l] -= row[k + l] * above[k + l];
            for (; k < b; ++k) part[0] -= row[k] * above[k];
            const double rest = (part[0] + part[1]) + (part[2] + part[3]);
            if (b < a) {
                row[b] = rest / above[b];
            } else {
                if (!(rest > 0)) return false;
                row[a] = std::sqrt(rest);
            }
        }
    }
    // 2. Solve C z = x from the top.
    for (std::size_t a = 0; a < n; ++a) {
        for (std::size_t k = 0; k < a; ++k) x[a] -= matrix[a * n + k] * x[k];
        x[a] /= matrix[a * n + a];
    }
    // 3. Solve C' x = z from the bottom, by columns of C' that are rows of C.
    for (std::size_t a = n; a-- > 0;) {
        x[a] /= matrix[a * n + a];
        for (std::size_t k = 0; k < a; ++k) x[k] -= matrix[a * n + k] * x[a];
    }
    return true;
}

}  // namespace conjunct
