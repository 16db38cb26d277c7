#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bits/rows.hpp"
#include "simd/weigh_loops.hpp"

namespace conjunct {

// What a set of cells weighs: its positive and its negative weights, each added up.
struct CellSums {
    std::int64_t positive, negative;

    std::int64_t total() const noexcept { return positive + negative; }
};

// Cells with weights, and the literals as sets of cells. Cells of positive weight come first, the others after them from a
// word of their own, so that one pass over a set adds up both signs. Literal 2j + 1 says that variable j is true, 2j that
// it is false.
class WeightedCells {
public:
    static constexpr std::int64_t most_sum = std::int64_t{1} << 61;  // of the sizes of all weights, at most

    WeightedCells(Rows rows, std::size_t n_variables, std::span<const std::int64_t> weights, const WeighLoops& loops);

    std::size_t n_words() const noexcept { return n_words_; }
    std::size_t n_literals() const noexcept { return n_literals_; }
    const std::vector<std::uint64_t>& all() const noexcept { return all_; }
    const std::uint64_t* column(std::size_t literal) const noexcept { return columns_.data() + literal * n_words_; }

    Weighed weigh(const std::uint64_t* set, const std::uint64_t* column) const noexcept {
        return is_narrow_ ? loops_.narrow(set, column, narrow_.data(), n_first_, n_words_)
                          : loops_.wide(set, column, wide_.data(), n_first_, n_words_);
    }

private:
    std::size_t n_literals_, n_first_ = 0, n_words_ = 0;  // n_first_: words of the cells of positive weight
    bool is_narrow_ = false;                              // whether 32 bits hold every sum
    std::vector<std::uint64_t> all_, columns_;
    std::vector<std::int32_t> narrow_;
    std::vector<std::int64_t> wide_;
    WeighLoops loops_;
};

}  // namespace conjunct
