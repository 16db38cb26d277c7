#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/bound_memo.hpp"
#include "search/cell_sets.hpp"

namespace conjunct {

// Bounds from similar rows. A tree for P, used on R, costs at most the removals of R minus P more: so what every tree costs
// on R, less these, every tree costs on P. Sound for every depth of the lemma that is at least the one asked for; not where
// leaves need a number of rows. The lemmas looked at are the last ones proved, which are of neighbours in the search.
class SimilarRows {
public:
    SimilarRows(std::size_t n_words, std::size_t n_kept, const CellNumbers& removals, const PairLoops& loops);

    void add(const std::uint64_t* cells, std::uint8_t depth, const Bound& bound);
    // The best bound above `bound`.
    Bound improved(const std::uint64_t* cells, std::uint8_t depth, Bound bound);
    void clear() noexcept;

private:
    struct Recent {
        std::int64_t lower;
        std::uint32_t lemma;
        std::uint8_t depth;
    };

    std::size_t n_words_, n_kept_, next_ = 0;
    const CellNumbers& removals_;
    const PairLoops& loops_;
    std::vector<WordRun> runs_;
    std::vector<std::uint64_t> room_;  // word w of set e at sets_[w * n_kept_ + e], from a multiple of 64 bytes on
    std::uint64_t* sets_;
    std::int64_t* costs_;
    std::vector<Recent> recent_;
    std::int64_t highest_ = 0;  // no bound kept is above it
};

}  // namespace conjunct
