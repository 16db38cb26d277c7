#include "kernels/agreement_index.hpp"

#include "simd/level.hpp"

namespace conjunct {

void agreement_index(const Layout& layout, const Summand& summand, const std::uint64_t* x, const std::uint64_t* rows,
                     std::size_t n_rows, std::int32_t* index) noexcept {
    const Level& level = *active_level();
    std::int32_t counts[tile_rows];
    for (std::size_t j = 0; j < n_rows; ++j) index[j] = summand.offset;
    for (std::size_t f = 0; f < summand.n_factors; ++f) {
        const Factor& factor = summand.factors[f];
        (factor.same ? level.differing : level.common)(x, factor.mask, rows, n_rows, layout.n_words, counts);
        for (std::size_t j = 0; j < n_rows; ++j)
            index[j] += factor.stride * (factor.same ? factor.size - counts[j] : counts[j]);
    }
}

}  // namespace conjunct
