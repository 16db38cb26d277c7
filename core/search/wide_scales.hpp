#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>

namespace conjunct {

// By the number of literals, what a sum of weights is multiplied by: whole numbers of any length. A view: the words stay
// where they are. Sums are within most_sum of WeightedCells.
class WideScales {
public:
    // words: of each scale as many, the lowest first.
    WideScales(std::span<const std::uint64_t> words, std::size_t n_sizes) noexcept : words_{words}, n_sizes_{n_sizes} {}

    std::size_t n_sizes() const noexcept { return n_sizes_; }
    bool is_zero(std::size_t n_literals) const noexcept;

    // Compares a * scale[i] with b * scale[j]. A scale of 0 needs sums that are not negative.
    std::strong_ordering compare(std::int64_t a, std::size_t i, std::int64_t b, std::size_t j) const noexcept;

    // The least sum a, not below `from`, whose product a * scale[i] reaches b * scale[j], or passes it; one more than
    // most_sum where no sum does. Needs scale[i] > 0.
    std::int64_t least_reaching(std::int64_t from, std::size_t i, std::int64_t b, std::size_t j,
                                bool passes) const noexcept;

private:
    std::span<const std::uint64_t> scale(std::size_t n_literals) const noexcept {
        const std::size_t n_words = words_.size() / n_sizes_;
        return words_.subspan(n_literals * n_words, n_words);
    }

    std::span<const std::uint64_t> words_;
    std::size_t n_sizes_;
};

}  // namespace conjunct
