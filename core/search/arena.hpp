#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace conjunct {

// Memory of a recursion: taken at the end, given back to a mark. Chunks are kept for the next descent.
class Arena {
public:
    struct Mark {
        std::size_t chunk, used;
    };

    Mark mark() const noexcept { return {chunk_, used_}; }
    void release(Mark mark) noexcept { chunk_ = mark.chunk, used_ = mark.used; }

    template <class T>
    T* take(std::size_t count) {
        const std::size_t size = (count * sizeof(T) + alignment - 1) / alignment * alignment;
        while (chunk_ < chunks_.size() && used_ + size > chunks_[chunk_].size) ++chunk_, used_ = 0;
        if (chunk_ == chunks_.size()) {
            const std::size_t fresh = size > least_chunk ? size : least_chunk;
            chunks_.push_back({std::make_unique<Line[]>(fresh / alignment + 1), fresh});
            n_bytes_ += fresh;
            used_ = 0;
        }
        T* start = reinterpret_cast<T*>(reinterpret_cast<char*>(chunks_[chunk_].lines.get()) + used_);
        used_ += size;
        return start;
    }

    std::size_t n_bytes() const noexcept { return n_bytes_; }

private:
    static constexpr std::size_t alignment = 64, least_chunk = std::size_t{1} << 20;
    struct alignas(alignment) Line {
        char bytes[alignment];
    };
    struct Chunk {
        std::unique_ptr<Line[]> lines;
        std::size_t size;
    };

    std::vector<Chunk> chunks_;
    std::size_t chunk_ = 0, used_ = 0, n_bytes_ = 0;
};

}  // namespace conjunct
