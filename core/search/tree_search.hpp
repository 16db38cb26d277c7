#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "search/arena.hpp"
#include "search/bound_memo.hpp"
#include "search/lemma_log.hpp"
#include "search/similarity.hpp"
#include "search/tree_cells.hpp"

namespace conjunct {

struct TreeSearchSettings {
    std::int64_t leaf_cost = 1;
    std::uint8_t max_depth = any_depth;
    std::int64_t min_samples_leaf = 1;
    bool keeps_lemmas = true;
    std::uint64_t max_nodes = UINT64_MAX;
    std::uint64_t max_bytes = UINT64_MAX;
    std::uint32_t n_similar = 100;               // the lemmas looked at for similar rows; 0 switches them off
    std::uint64_t first_pass_work = UINT64_MAX;  // under a limit of depth, the work before the bound is seen to
    std::size_t rest_words = 40;  // of every pair, saved from which on pairs are taken off those of the whole
    bool has_shape_bound = true;
};

enum class StopReason : std::uint8_t { none, nodes, time, memory, interrupt, work };  // work: of one pass, not of a run

struct TreeSearchStats {
    std::uint64_t n_nodes = 0;         // row sets looked into, enumerated or split
    std::uint64_t n_enumerations = 0;  // by pair counts
    std::uint64_t n_pairs = 0;         // of columns counted in them
    std::uint64_t n_rests = 0;         // sets whose pairs were taken off those of the whole
    std::uint64_t n_shape_bounds = 0;  // that were enough
    std::uint64_t n_counted = 0;       // parts that pair counts of the whole proved
    std::uint64_t n_splits = 0;        // row sets whose first tests were gone through
    std::uint64_t n_memo_hits = 0;
    std::uint64_t n_similar_hits = 0;
    std::uint64_t n_forgotten = 0;  // times the memo was emptied for want of memory
};

// What a search asks of whoever runs it, every few milliseconds of work: whether to stop.
struct Watch {
    StopReason (*is_over)(void* context, std::int64_t lower, std::int64_t upper);
    void* context;
};

// The cheapest tree by branch and bound on row sets, and the lemmas that prove it.
// Idea    a tree on rows S is a leaf, or a first test and a tree on either part; what a part costs at least is remembered by its
//         rows, so that a set reached by many paths is solved once.
// Sound   every bound is a lemma of the log, or the trivial value: each follows from earlier ones by a rule of its kind.
// Source  the recursion is that of [lin2020] and [demirovic2022]; the lemmas are this library's.
class TreeSearch {
public:
    TreeSearch(TreeCells cells, const TreeSearchSettings& settings, const PairLoops& loops);
    TreeSearch(const TreeSearch&) = delete;
    TreeSearch& operator=(const TreeSearch&) = delete;

    // Searches to the end or until the watch or a limit stops it; may be called again after that.
    void run(Watch watch);

    std::int64_t lower() const noexcept { return lower_; }
    std::int64_t upper() const noexcept { return upper_; }
    const std::vector<std::int64_t>& tree() const noexcept { return tree_; }  // in preorder
    StopReason stopped_by() const noexcept { return stop_; }
    const TreeSearchStats& stats() const noexcept { return stats_; }

    // The lemmas that prove the lower bound, a line each, and what checking them costs.
    struct Proof {
        std::string text;
        std::uint64_t n_lemmas = 0, n_pairs = 0, n_splits = 0;
    };
    Proof proof() const;

protected:
    // The pair counts of a set, in the memory of the split that goes over its parts; counted when a part asks for them.
    struct PairCounts {
        void* counts = nullptr;
        bool is_counted = false;
    };
    // Rows under way: a set of cells with its columns gathered.
    struct Node {
        Block block;
        const std::uint64_t* cells;
        std::uint64_t hash;
        std::int64_t forced;
        std::int64_t leaf;              // what one leaf costs
        const std::int64_t* errors[2];  // by side, units that the best leaf pays on that side of each column
        std::uint8_t depth;
        PairCounts* pairs;
        const Node* parent;  // null: all rows
        std::size_t column;  // of the parent
        bool side;
    };
    // What trees cost at least on the parts of a column beyond what is forced, by side; exact: one leaf or two are cheapest.
    struct PartBounds {
        std::int64_t cost[2];
        bool is_exact[2];
    };
    // A part of a split before it is looked into.
    struct Part {
        const Node* parent;
        std::size_t column;
        bool side;
        const std::uint64_t* cells;
        std::uint64_t hash;
        std::int64_t forced, leaf;
        std::uint8_t depth;
    };

    // The first tests of a set by column, and those that are open, the most promising first.
    struct FirstTests {
        struct Pair {
            Bound parts[2];
            std::int64_t trivial;
        };
        Pair* pairs;
        std::uint32_t* order;
        std::size_t n_open;
    };

    // tree_search.cpp: passes over all rows
    void prove(const Node& node, std::int64_t budget);
    void raise_bound(Node root);

    // row_block.cpp: gathering rows
    Block room_for(std::size_t n_columns, std::size_t n_words, std::size_t n_groups);
    Block root_block();
    void keep_distinct(Block& block);
    Node root_node();
    Node node_of(const Part& part);
    void set_errors(Node& node);

    // enumeration.cpp: rule E
    Bound enumerate(const Node& node, std::int64_t budget);
    const PairMinima* minima_of_all(const Node& node, std::int64_t open, bool with_peel);
    PairMinima minima_of(const Node& node, std::size_t column, bool with_peel);
    void expect_parts(const Node& node);
    bool is_rest_cheaper(const Node& node, std::size_t n_open) const noexcept;
    const void* pairs_of_parent(const Node& node, Block& sibling);
    std::size_t pairs_to_check(const Node& node, std::int64_t value) const noexcept;
    const PartBounds* part_bounds(const Node& node, std::int64_t open);
    Bound shape_bound(const Node& node, std::int64_t open, const PartBounds* bounds);
    Bound counted(const Node& node, std::size_t column, bool side, const Bound& bound);
    Bound single_split(const Node& node);

    // first_tests.cpp
    static std::uint8_t part_depth(const Node& node) noexcept {
        return node.depth == any_depth ? any_depth : static_cast<std::uint8_t>(node.depth - 1);
    }
    FirstTests first_tests(const Node& node, std::int64_t open, const PartBounds* bounds);
    Part part_of(const Node& node, std::size_t column, bool side, std::uint64_t* cells) const noexcept;
    std::int64_t trivial_sum(const Node& node, std::size_t column) const noexcept;
    double impurity(const Node& node, std::size_t column) const noexcept;
    Bound trivial(const Part& part) const noexcept;
    Bound known(const Part& part);

    // split_search.cpp: rule N
    Bound solve(const Part& part, std::int64_t budget);
    Bound solve(const Node& node, std::int64_t budget);
    Bound split(const Node& node, std::int64_t budget, const PartBounds* bounds);
    Bound split_lemma(const Node& node, const FirstTests& tests, std::int64_t best, std::int32_t choice);
    Bound proved(const Node& node, char kind, std::uint8_t depth, const Bound& bound, std::int32_t choice,
                 std::size_t n_pairs, std::span<const Support> supports);
    bool is_over();

    // incumbent.cpp: trees
    void accept_tree(const Node& root, std::int64_t cost);
    void accept_tree(const Part& of_true, const Part& of_false, std::int64_t cost);
    void improve_tree(const Node& root);
    std::int64_t look_ahead(Node node, std::vector<std::int64_t>& tree);
    bool write_tree(const Node& node, std::int64_t cost, std::vector<std::int64_t>& tree);
    bool write_part(const Part& part, std::vector<std::int64_t>& tree);
    std::int64_t leaf_class(const Block& block) const noexcept;

    TreeCells cells_;
    TreeSearchSettings settings_;
    const PairLoops& loops_;
    CellHash hash_;
    Arena arena_;
    LemmaLog log_;
    BoundMemo memo_;
    SimilarRows similar_;
    TreeSearchStats stats_;
    Watch watch_{};
    std::vector<std::uint32_t> path_;  // literals from the root to the node under way
    std::vector<Support> supports_;    // room for those of one lemma
    std::vector<std::int64_t> tree_;
    std::int64_t lower_ = -1, upper_ = 0;
    std::uint32_t root_lemma_ = no_lemma;
    std::uint32_t n_proved_ = 0;
    std::uint64_t next_look_ = 0;
    std::uint64_t work_ = 0, work_limit_ = UINT64_MAX;  // words of columns looked at, of this pass at most
    StopReason stop_ = StopReason::none;
};

}  // namespace conjunct
