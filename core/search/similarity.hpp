#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "search/arena.hpp"
#include "search/bound_memo.hpp"
#include "search/cell_sets.hpp"

namespace conjunct {

// Some row sets with what is proved of them; their words stand side by side, so that vectors compare several with another set.
struct ProvedSets {
    struct Proved {
        std::int64_t lower;
        std::uint32_t lemma;
        std::uint8_t depth;
    };
    std::uint64_t* words = nullptr;  // word w of set e at words[w * capacity + e], from a multiple of 64 bytes on
    Proved* proved = nullptr;
    std::uint32_t capacity = 0;  // a multiple of 8
    std::uint32_t n_sets = 0, next = 0;
    std::int64_t highest = 0;  // no bound kept is above it

    // The oldest gives way where there is no room.
    void add(const std::uint64_t* cells, std::size_t n_words, std::uint8_t depth, const Bound& bound) noexcept;
};

// Bounds from similar rows. A tree for P, used on R, costs at most the removals of R minus P more: so what every tree costs
// on R, less these, every tree costs on P. Sound for every depth of the lemma that is at least the one asked for; not where
// leaves need a number of rows. Where neighbours are looked for, in turn: the last sets that ended with the same literal, which
// are parts of similar sets; the other parts of the same set (siblings); the last sets of all; the last ones that ended with a
// literal of the path, which are reached in another order.
class SimilarRows {
public:
    SimilarRows(std::size_t n_words, std::size_t n_literals, std::size_t n_kept, const CellNumbers& removals,
                const PairLoops& loops);

    // Room for the parts of one set.
    ProvedSets siblings(Arena& arena, std::size_t n_parts) const;
    void add(std::uint32_t literal, const std::uint64_t* cells, std::uint8_t depth, const Bound& bound);
    // The best bound above `bound`, of a part of the set of a path; looks no further once it is enough.
    Bound improved(const ProvedSets& siblings, std::span<const std::uint32_t> path, std::uint32_t literal,
                   const std::uint64_t* cells, std::uint8_t depth, Bound bound, std::int64_t enough);
    void clear() noexcept;
    std::size_t n_bytes() const noexcept { return n_bytes_; }

private:
    Bound improved(const ProvedSets& sets, const std::uint64_t* cells, std::uint8_t depth, Bound bound);

    const ProvedSets& of(std::uint32_t literal) const noexcept { return by_literal_[1 + literal % n_buckets_]; }
    void add(ProvedSets& sets, const std::uint64_t* cells, std::uint8_t depth, const Bound& bound);

    std::size_t n_words_, n_kept_, n_buckets_, n_bytes_ = 0;
    const CellNumbers& removals_;
    const PairLoops& loops_;
    std::vector<WordRun> runs_;
    std::vector<ProvedSets> by_literal_;  // the first: of all literals; each has its room once it is needed
    std::vector<std::unique_ptr<std::uint64_t[]>> rooms_;
    std::vector<std::int64_t> costs_room_;
};

}  // namespace conjunct
