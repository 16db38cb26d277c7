// The loops of pair_loops.hpp, for the vectors of the file that includes this: it defines vector_bytes and popcount(Vector)
// in an anonymous namespace, so that every instruction set has functions of its own.
#include "simd/pair_counts_of.hpp"
#include "simd/pair_rows_of.hpp"

namespace conjunct {
namespace {

inline void missing_costs(const std::uint64_t* sets, std::size_t stride, std::size_t n_sets, const std::uint64_t* cells,
                          const WordRun* runs, std::size_t n_runs, std::int64_t limit, std::int64_t* costs) noexcept {
    using Words = Vector<std::uint64_t>;
    constexpr std::uint32_t words_between_looks = 8;
    const auto is_over = [&](Words total) {
        for (std::size_t i = 0; i < n_lanes<std::uint64_t>; ++i)
            if (static_cast<std::int64_t>(total[i]) <= limit) return false;
        return true;
    };
    for (std::size_t e = 0; e < n_sets; e += n_lanes<std::uint64_t>) {
        Words total{};
        for (std::size_t r = 0; r < n_runs && !is_over(total); ++r) {
            for (std::uint32_t w = runs[r].first; w < runs[r].last;) {
                const std::uint32_t stop =
                    runs[r].last - w > words_between_looks ? w + words_between_looks : runs[r].last;
                Words count{};
                for (; w < stop; ++w) count += popcount(load(sets + w * stride + e) & ~cells[w]);
                total += count * static_cast<std::uint64_t>(runs[r].cost);
                if (w < runs[r].last && is_over(total)) break;
            }
        }
        *reinterpret_cast<Words*>(costs + e) = total;
    }
}

template <class Lane>
constexpr PairLoops loops_of{bits_of<Lane>,      take_rows<Lane>,   sum_columns<Lane>, distinct_columns<Lane>,
                             pick_columns<Lane>, leaf_errors<Lane>, sum<Lane>,         pair_minima<Lane>,
                             all_pairs<Lane>,    pick_pairs<Lane>,  all_minima<Lane>,  open_pairs<Lane>,
                             missing_costs};

}  // namespace
}  // namespace conjunct
