#include "bits/unpack_rows.hpp"

namespace conjunct {

void unpack_rows(Rows rows, std::size_t n_variables, std::uint8_t* out) noexcept {
    for (std::size_t i = 0; i < rows.n_rows; ++i) {
        const std::uint64_t* row = rows.row(i);
        for (std::size_t v = 0; v < n_variables; ++v) *out++ = row[v / 64] >> (v % 64) & 1;
    }
}

}  // namespace conjunct
