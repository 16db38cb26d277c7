#include "bits/sparse_dot.hpp"

namespace conjunct {

template <class W>
void sparse_dot(const SparseRows& rows, const W* weights, W unseen, std::size_t first, std::size_t last,
                W* out) noexcept {
    for (std::size_t i = first; i < last; ++i) {
        W sum = 0;
        for (std::int64_t k = rows.starts[i]; k < rows.starts[i + 1]; ++k) {
            const std::int32_t place = rows.places[k];
            const W weight = place < 0 ? unseen : weights[place];
            sum += rows.values ? weight * static_cast<W>(rows.values[k]) : weight;
        }
        out[i - first] = sum;
    }
}

template void sparse_dot(const SparseRows&, const std::int64_t*, std::int64_t, std::size_t, std::size_t,
                         std::int64_t*) noexcept;
template void sparse_dot(const SparseRows&, const double*, double, std::size_t, std::size_t, double*) noexcept;

}  // namespace conjunct
