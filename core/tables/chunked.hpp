#pragma once
#include <bit>
#include <cstddef>
#include <memory>
#include <vector>

namespace conjunct {

// A list that grows without moving what it holds: chunk k has room for 16 * 2^k items. A vector would hold everything twice
// while it grows, and leave holes in the heap.
template <class T>
class Chunked {
public:
    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }

    const T& operator[](std::size_t i) const noexcept {
        const std::size_t k = chunk_of(i);
        return chunks_[k][i - first_of(k)];
    }
    T& operator[](std::size_t i) noexcept {
        const std::size_t k = chunk_of(i);
        return chunks_[k][i - first_of(k)];
    }

    void push_back(const T& item) {
        if (next_ == end_) {
            const std::size_t room = std::size_t{16} << chunks_.size();
            chunks_.push_back(std::make_unique_for_overwrite<T[]>(room));
            next_ = chunks_.back().get();
            end_ = next_ + room;
        }
        *next_++ = item;
        ++size_;
    }

    T& back() noexcept { return next_[-1]; }

    // Calls with each item, in order.
    template <class Call>
    void for_each(Call call) const {
        for (std::size_t k = 0, i = 0; i < size_; ++k)
            for (const T* item = chunks_[k].get(); i < size_ && i < first_of(k + 1); ++i) call(*item++);
    }

private:
    static std::size_t chunk_of(std::size_t i) noexcept {
        return static_cast<std::size_t>(std::bit_width(i / 16 + 1)) - 1;
    }
    static std::size_t first_of(std::size_t k) noexcept { return (std::size_t{16} << k) - 16; }

    std::vector<std::unique_ptr<T[]>> chunks_;
    T* next_ = nullptr;
    T* end_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace conjunct
