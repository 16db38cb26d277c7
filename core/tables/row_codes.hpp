#pragma once
#include <cstddef>
#include <cstdint>

#include "tables/chunked.hpp"

namespace conjunct {

// The codes of a column, row by row. While they are short each takes two bytes. After that a bit says whether a code is new:
// then it is the next number, and is not kept; others take four bytes.
class RowCodes {
public:
    std::size_t size() const noexcept { return short_.size() + n_long_; }

    // Needs   codes that are new to come in their order, from 0.
    void push_back(std::uint32_t code, bool is_new) {
        if (code < most_short && !n_long_) return short_.push_back(static_cast<std::uint16_t>(code));
        if (n_long_ % 64 == 0) is_new_.push_back(0);
        if (is_new)
            is_new_.back() |= std::uint64_t{1} << n_long_ % 64;
        else
            repeated_.push_back(code);
        ++n_long_;
    }

    // Calls with each code, in order.
    template <class Call>
    void for_each(Call call) const {
        short_.for_each([&](std::uint16_t code) { call(std::uint32_t{code}); });
        std::uint32_t n_before = most_short;
        std::size_t n_repeated = 0;
        for (std::size_t row = 0; row < n_long_; ++row)
            call(is_new_[row / 64] >> row % 64 & 1 ? n_before++ : repeated_[n_repeated++]);
    }

private:
    static constexpr std::uint32_t most_short = 1 << 16;

    Chunked<std::uint16_t> short_;  // of the first rows
    std::size_t n_long_ = 0;        // of the rows after them, of which the first is new
    Chunked<std::uint64_t> is_new_;
    Chunked<std::uint32_t> repeated_;
};

}  // namespace conjunct
