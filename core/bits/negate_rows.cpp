#include "bits/negate_rows.hpp"

namespace conjunct {

void negate_rows(Rows rows, std::size_t n_variables, std::uint64_t* out) noexcept {
    const std::size_t n = n_variables, n_words = rows.n_words, n_out = (2 * n + 63) / 64;
    const std::size_t jump = n / 64, shift = n % 64;
    const std::uint64_t tail = shift ? (std::uint64_t{1} << shift) - 1 : ~std::uint64_t{0};
    for (std::size_t i = 0; i < rows.n_rows; ++i, out += n_out) {
        const std::uint64_t* row = rows.row(i);
        for (std::size_t w = 0; w < n_out; ++w) out[w] = w < n_words ? row[w] : 0;
        for (std::size_t w = 0; w < n_words; ++w) {
            const std::uint64_t negated = ~row[w] & (w + 1 == n_words ? tail : ~std::uint64_t{0});
            out[w + jump] |= negated << shift;
            if (shift && w + jump + 1 < n_out) out[w + jump + 1] |= negated >> (64 - shift);
        }
    }
}

}  // namespace conjunct
