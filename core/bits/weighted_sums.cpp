#include "bits/weighted_sums.hpp"

#include <algorithm>

namespace conjunct {

void weighted_sums(Rows rows, const std::int64_t* weights, std::size_t first, std::size_t last, std::int64_t* table,
                   std::int64_t* out) noexcept {
    std::fill(out + first, out + last, std::int64_t{0});
    for (std::size_t w = 0; w < rows.n_words; w += sum_words) {
        const std::size_t n_words = std::min(sum_words, rows.n_words - w);
        for (std::size_t byte = 0; byte < 8 * n_words; ++byte) {
            std::int64_t* sums = table + 256 * byte;
            sums[0] = 0;
            for (std::size_t bit = 0; bit < 8; ++bit)
                for (std::size_t low = 0; low < std::size_t{1} << bit; ++low)
                    sums[low + (std::size_t{1} << bit)] = sums[low] + weights[64 * w + 8 * byte + bit];
        }
        for (std::size_t i = first; i < last; ++i) {
            const std::uint64_t* row = rows.row(i) + w;
            std::int64_t sum = 0;
            for (std::size_t k = 0; k < n_words; ++k)
                for (std::size_t byte = 0; byte < 8; ++byte)
                    sum += table[256 * (8 * k + byte) + (row[k] >> 8 * byte & 0xff)];
            out[i] += sum;
        }
    }
}

}  // namespace conjunct
