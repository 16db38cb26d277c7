#include "tables/spelling_store.hpp"

#include <algorithm>

namespace conjunct {

void SpellingStore::append(std::string_view text, Spelling kind) {
    const bool is_long = text.size() >= long_length;
    const std::size_t n_bytes = 1 + (is_long ? sizeof(std::uint32_t) : 0) + text.size();
    if (n_bytes + link_bytes > n_free_) {
        const std::size_t room = std::max(chunk_bytes, n_bytes + link_bytes);
        chunks_.push_back(std::make_unique_for_overwrite<char[]>(room));
        char* const chunk = chunks_.back().get();
        if (next_) {
            *next_ = end_of_chunk;
            std::memcpy(next_ + 1, &chunk, sizeof chunk);
        }
        next_ = chunk;
        n_free_ = room;
    }
    if (size_ < n_placed || size_ % 8 == 0) places_.push_back(next_);
    char* letters = next_ + 1;
    *next_ =
        static_cast<char>(static_cast<int>(std::min(text.size(), long_length)) << kind_bits | static_cast<int>(kind));
    if (is_long) {
        const auto length = static_cast<std::uint32_t>(text.size());
        std::memcpy(letters, &length, sizeof length);
        letters += sizeof length;
    }
    std::copy(text.begin(), text.end(), letters);
    next_ += n_bytes;
    n_free_ -= n_bytes;
    ++size_;
}

}  // namespace conjunct
