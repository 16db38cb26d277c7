#include "search/cell_sets.hpp"

#include <algorithm>

namespace conjunct {

CellNumbers::CellNumbers(std::span<const std::int64_t> numbers)
    : numbers_(numbers.begin(), numbers.end()), of_words_((numbers.size() + 63) / 64) {
    first_ = of_words_.size();
    least_ = of_words_;
    for (std::size_t w = 0; w < of_words_.size(); ++w) {
        of_words_[w] = least_[w] = numbers[64 * w];
        bool has_any = false;
        for (std::size_t i = 64 * w; i < numbers.size() && i < 64 * w + 64; ++i) {
            if (numbers[i] != numbers[64 * w]) of_words_[w] = -1, is_uniform_ = false;
            least_[w] = std::min(least_[w], numbers[i]);
            has_any = has_any || numbers[i] != 0;
        }
        if (has_any) {
            first_ = first_ < w ? first_ : w;
            last_ = w + 1;
        }
    }
    if (last_ == 0) first_ = 0;
}

std::vector<WordRun> CellNumbers::runs() const {
    std::vector<WordRun> runs;
    for (std::uint32_t w = 0; w < least_.size(); ++w) {
        if (runs.empty() || runs.back().cost != least_[w]) runs.push_back({w, w, least_[w]});
        runs.back().last = w + 1;
    }
    return runs;
}

CellHash::CellHash(std::size_t n_words) : n_words_{n_words}, factors_(2 * n_words) {
    std::uint64_t state = 0;  // SplitMix64
    for (std::uint64_t& factor : factors_) {
        std::uint64_t z = state += 0x9E3779B97F4A7C15ULL;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        factor = (z ^ (z >> 31)) | 1;
    }
}

std::int64_t CellNumbers::sum(const std::uint64_t* cells) const noexcept {
    std::int64_t total = 0;
    for (std::size_t w = first_; w < last_; ++w) total += of_word(w, cells[w]);
    return total;
}

}  // namespace conjunct
