#pragma once
#include <cstddef>
#include <cstdint>

namespace conjunct {

// Rows that weigh alike, in consecutive words of a block.
struct RowGroup {
    std::uint64_t
        classes;  // bit k: a leaf of class k pays for these rows; 0: rows that count for sizes alone: all rows
                  // where a part must have more than one, else those that no class pays for
    std::uint32_t first_word;  // of the block
    std::uint32_t n_words;
    std::uint32_t n_rows;
    std::uint32_t shift;  // each row weighs 2^shift
};

// The rows of a set, gathered: word w of all columns stands side by side, a lane for each, so that vectors run over columns.
// A lane is 16, 32 or 64 bits, whichever holds the sum of all weights; a word has as many rows as a lane has bits.
struct Block {
    void* words;           // lane words[w * stride + column]; rows past the last of a group are 0 in every column
    void* sums;            // lane sums[k * stride + column]: what a leaf of class k pays where the column is true;
                           // k = n_classes: the size of that part, if is_sized
    std::int64_t* totals;  // the same sums over all rows of the block
    RowGroup* groups;
    std::uint32_t* tests;  // the test of each column, rising
    std::size_t n_columns, stride, n_words, n_groups, n_classes;
    bool is_sized;
};

// The least that leaves pay in the two parts of a first column, over all second columns.
struct PairMinima {
    std::int64_t two_true, two_false;  // of two leaves
    std::int64_t peel_true,
        peel_false;  // of one side of a second column that splits the part; infinite_peel if none does
};
constexpr std::int64_t infinite_peel = INT64_MAX;

// When a second column is open: both its sides pay less than `few` each and less than `both` together, or one pays less than
// `few` and than `single`.
struct OpenPairs {
    std::int64_t few, both, single;
};

// Words of cells that cost alike when they are missing.
struct WordRun {
    std::uint32_t first, last;  // words first .. last - 1
    std::int64_t cost;          // of a cell, at least
};

// The loops over blocks of one instruction set and one width of lanes.
struct PairLoops {
    std::size_t lane_bits;
    // The rows where a column is `side`, in the same columns. Writes words, groups, n_words; the room is that of the parent.
    void (*take_rows)(const Block& parent, std::size_t column, bool side, Block& child) noexcept;
    // Writes sums and totals.
    void (*sum_columns)(Block& block) noexcept;
    // Columns that split the rows into parts of at least min_size (1: not empty), of equal or complementary ones the first.
    // Needs room for stride lanes, and a table of n_slots, a power of two above n_columns. Writes kept; returns how many.
    std::size_t (*distinct_columns)(const Block& block, std::int64_t min_size, void* hashes, std::uint32_t* table,
                                    std::size_t n_slots, std::uint32_t* kept) noexcept;
    // The columns `kept` of a block with its sums. Needs stride and pointers of `to`; writes words and sums.
    void (*pick_columns)(const Block& from, const std::uint32_t* kept, std::size_t n_kept, Block& to) noexcept;
    // What the best leaf pays where a column is true and where it is false.
    void (*leaf_errors)(const Block& block, std::int64_t* if_true, std::int64_t* if_false) noexcept;
    std::int64_t (*sum)(const Block& block, std::size_t k, std::size_t column) noexcept;
    // Twin  conjunct.theory.cheapest_tree
    void (*pair_minima)(const Block& block, std::size_t column, std::int64_t min_size, bool with_peel,
                        PairMinima& out) noexcept;
    // What each class pays where two columns are both true, and the size of that, of all pairs: lane
    // counts[(k * n_columns + i) * stride + j]. Needs two classes.
    void (*all_pairs)(const Block& block, void* counts) noexcept;
    // The pairs of the columns `kept` of a block, in the order and with the stride of `to`.
    void (*pick_pairs)(const Block& from, const void* counts, const std::uint32_t* kept, const Block& to,
                       void* picked) noexcept;
    // The minima of every first column, each pair counted once: in the rows of `counted`, which has the columns of the block,
    // taken off the pairs of `whole` if there are any. Needs two classes, and room for 4 stride lanes.
    void (*all_minima)(const Block& block, const Block& counted, const void* whole, std::int64_t min_size,
                       bool with_peel, void* room, PairMinima* out) noexcept;
    // Of a part of one column: the second columns that split it, times those of them that are open.
    std::size_t (*open_pairs)(const Block& block, std::size_t column, bool side, std::int64_t min_size,
                              const OpenPairs& open) noexcept;
    // What the cells of each set that are not in `cells` cost at least; where that passes a limit, it may be more. Word w of
    // set e is sets[w * stride + e]; stride and n_sets are multiples of 8, sets begins at a multiple of 64 bytes.
    void (*missing_costs)(const std::uint64_t* sets, std::size_t stride, std::size_t n_sets, const std::uint64_t* cells,
                          const WordRun* runs, std::size_t n_runs, std::int64_t limit, std::int64_t* costs) noexcept;
};

// For lanes of 16, 32 and 64 bits.
extern const PairLoops portable_pair_loops[3];
#ifdef CONJUNCT_X86
extern const PairLoops avx2_pair_loops[3];
extern const PairLoops avx512_pair_loops[3];
#endif

}  // namespace conjunct
