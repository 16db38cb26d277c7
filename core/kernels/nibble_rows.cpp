#include "kernels/nibble_rows.hpp"

namespace conjunct {

void nibble_rows(Rows rows, std::size_t n_nibbles, std::size_t n_padded, std::uint8_t* nibbles) noexcept {
    for (std::size_t j = 0; j < n_padded; ++j) {
        std::uint8_t* out = nibbles + (j / 32) * n_nibbles * 32 + j % 32;
        for (std::size_t g = 0; g < n_nibbles; ++g)
            out[32 * g] = j < rows.n_rows ? rows.row(j)[g / 16] >> (4 * (g % 16)) & 15 : 0;
    }
}

}  // namespace conjunct
