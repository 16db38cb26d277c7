#include "bits/sparse_ones.hpp"

namespace conjunct {

template <class Value>
bool sparse_ones(const std::int64_t* starts, const std::int32_t* places, const Value* values, std::size_t n_rows,
                 std::int32_t n_places, std::int32_t* copy) noexcept {
    bool holds = true;
    for (std::size_t i = 0; i < n_rows && holds; ++i) {
        std::int32_t last = -1;
        for (std::int64_t k = starts[i]; k < starts[i + 1]; ++k) {
            // Read once, so that what is checked is what is kept.
            const std::int32_t place = *static_cast<const volatile std::int32_t*>(places + k);
            copy[k] = place;
            holds &= (place > last) & (values[k] == Value{1});
            last = place;
        }
        holds &= last < n_places;
    }
    return holds;
}

template bool sparse_ones(const std::int64_t*, const std::int32_t*, const double*, std::size_t, std::int32_t,
                          std::int32_t*) noexcept;
template bool sparse_ones(const std::int64_t*, const std::int32_t*, const float*, std::size_t, std::int32_t,
                          std::int32_t*) noexcept;
template bool sparse_ones(const std::int64_t*, const std::int32_t*, const std::int64_t*, std::size_t, std::int32_t,
                          std::int32_t*) noexcept;
template bool sparse_ones(const std::int64_t*, const std::int32_t*, const std::int8_t*, std::size_t, std::int32_t,
                          std::int32_t*) noexcept;
template bool sparse_ones(const std::int64_t*, const std::int32_t*, const std::uint8_t*, std::size_t, std::int32_t,
                          std::int32_t*) noexcept;

}  // namespace conjunct
