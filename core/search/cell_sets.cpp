#include "search/cell_sets.hpp"

namespace conjunct {

CellNumbers::CellNumbers(std::span<const std::int64_t> numbers)
    : numbers_(numbers.begin(), numbers.end()), of_words_((numbers.size() + 63) / 64) {
    first_ = of_words_.size();
    for (std::size_t w = 0; w < of_words_.size(); ++w) {
        of_words_[w] = numbers[64 * w];
        bool has_any = false;
        for (std::size_t i = 64 * w; i < numbers.size() && i < 64 * w + 64; ++i) {
            if (numbers[i] != numbers[64 * w]) of_words_[w] = -1;
            has_any = has_any || numbers[i] != 0;
        }
        if (has_any) {
            first_ = first_ < w ? first_ : w;
            last_ = w + 1;
        }
    }
    if (last_ == 0) first_ = 0;
}

std::int64_t CellNumbers::sum(const std::uint64_t* cells) const noexcept {
    std::int64_t total = 0;
    for (std::size_t w = first_; w < last_; ++w) total += of_word(w, cells[w]);
    return total;
}

std::int64_t CellNumbers::sum_missing(const std::uint64_t* cells, const std::uint64_t* other,
                                      std::int64_t limit) const noexcept {
    std::int64_t total = 0;
    for (std::size_t w = first_; w < last_ && total <= limit; ++w) total += of_word(w, cells[w] & ~other[w]);
    return total;
}

}  // namespace conjunct
