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
    SimilarRows(std::size_t n_words, std::size_t n_kept)
        : n_words_{n_words}, n_kept_{n_kept}, cells_(n_words * n_kept) {}

    void add(const std::uint64_t* cells, std::uint8_t depth, const Bound& bound);
    // The best bound above `bound`; stops at the first that reaches `target`.
    Bound improved(const std::uint64_t* cells, std::uint8_t depth, Bound bound, std::int64_t target,
                   const CellNumbers& removals) const noexcept;
    void clear() noexcept { recent_.clear(), next_ = 0; }

private:
    struct Recent {
        std::int64_t lower;
        std::uint32_t lemma;
        std::uint8_t depth;
    };

    std::size_t n_words_, n_kept_, next_ = 0;
    std::vector<std::uint64_t> cells_;
    std::vector<Recent> recent_;
};

}  // namespace conjunct
