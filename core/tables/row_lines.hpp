#pragma once
#include <cstddef>
#include <cstdint>

#include "tables/chunked.hpp"

namespace conjunct {

// The line of each row, kept where it is not the one after the line of the row before.
class RowLines {
public:
    std::size_t size() const noexcept { return size_; }

    void push_back(std::int64_t line) {
        if (runs_.empty() || line != next_line_) runs_.push_back({size_, line});
        next_line_ = line + 1;
        ++size_;
    }

    // Writes the line of each row.
    void copy(std::int64_t* out) const noexcept {
        for (std::size_t k = 0; k < runs_.size(); ++k) {
            const std::size_t end = k + 1 < runs_.size() ? runs_[k + 1].first_row : size_;
            std::int64_t line = runs_[k].first_line;
            for (std::size_t row = runs_[k].first_row; row < end; ++row) out[row] = line++;
        }
    }

private:
    struct Run {
        std::size_t first_row;
        std::int64_t first_line;
    };
    Chunked<Run> runs_;
    std::int64_t next_line_ = 0;
    std::size_t size_ = 0;
};

}  // namespace conjunct
