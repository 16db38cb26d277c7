#include "bits/pack_sparse.hpp"

namespace conjunct {

template <class Index>
std::int64_t pack_sparse(const Index* indptr, const Index* indices, const std::uint8_t* is_one, std::size_t n_rows,
                         std::size_t n_variables, std::size_t n_entries, std::uint64_t* words) noexcept {
    const std::size_t n_words = (n_variables + 63) / 64;
    for (std::size_t i = 0; i < n_rows; ++i) {
        const Index begin = indptr[i], end = indptr[i + 1];
        if (begin < 0 || end < begin || static_cast<std::uint64_t>(end) > n_entries)
            return static_cast<std::int64_t>(i);
        for (Index e = begin; e < end; ++e) {
            const Index column = indices[e];
            if (column < 0 || static_cast<std::uint64_t>(column) >= n_variables) return static_cast<std::int64_t>(i);
            words[i * n_words + static_cast<std::size_t>(column) / 64] |= static_cast<std::uint64_t>(is_one[e] != 0)
                                                                          << (column % 64);
        }
    }
    return -1;
}

template std::int64_t pack_sparse(const std::int32_t*, const std::int32_t*, const std::uint8_t*, std::size_t,
                                  std::size_t, std::size_t, std::uint64_t*) noexcept;
template std::int64_t pack_sparse(const std::int64_t*, const std::int64_t*, const std::uint8_t*, std::size_t,
                                  std::size_t, std::size_t, std::uint64_t*) noexcept;

}  // namespace conjunct
