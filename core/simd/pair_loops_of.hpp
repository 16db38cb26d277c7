// The loops of pair_loops.hpp, for the vectors of the file that includes this: it defines vector_bytes and popcount(Vector)
// in an anonymous namespace, so that every instruction set has functions of its own.
#include <bit>
#include <cstring>
#include <limits>

#include "simd/pair_loops.hpp"

namespace conjunct {
namespace {

template <class Lane>
struct VectorOf {
    typedef Lane type __attribute__((vector_size(vector_bytes)));
};
template <class Lane>
using Vector = typename VectorOf<Lane>::type;
template <class Lane>
constexpr std::size_t n_lanes = vector_bytes / sizeof(Lane);
template <class Lane>
constexpr unsigned bits_of = 8 * sizeof(Lane);

template <class Lane>
Vector<Lane> all(Lane x) noexcept {
    return Vector<Lane>{} + x;
}

template <class V>
V minimum(V a, V b) noexcept {
    return a < b ? a : b;
}

template <class Lane>
Vector<Lane> load(const Lane* from) noexcept {
    return *reinterpret_cast<const Vector<Lane>*>(from);
}

// Halves are compared until one lane is left.
template <class Lane>
Lane least(Vector<Lane> v) noexcept {
    typedef Lane Half __attribute__((vector_size(16)));
    Half parts[vector_bytes / 16];
    std::memcpy(parts, &v, vector_bytes);
    Half half = parts[0];
    for (std::size_t i = 1; i < vector_bytes / 16; ++i) half = minimum(half, parts[i]);
    typedef std::uint64_t Pair __attribute__((vector_size(16)));
    half = minimum(half, reinterpret_cast<Half>(__builtin_shuffle(reinterpret_cast<Pair>(half), Pair{1, 0})));
    for (unsigned s = 32; s >= bits_of<Lane>; s /= 2)
        half = minimum(half, reinterpret_cast<Half>(reinterpret_cast<Pair>(half) >> s));
    return half[0];
}

template <class Lane>
Lane valid_rows(const RowGroup& group, std::size_t w) noexcept {
    const std::size_t left = group.n_rows - w * bits_of<Lane>;
    return left >= bits_of<Lane> ? static_cast<Lane>(~Lane{0}) : static_cast<Lane>((Lane{1} << left) - 1);
}

// The moves that bring the bits of a mask together at the low end: bits moves[k] go down by 2^k [warren2012, 7-4].
template <class Lane>
void plan_moves(Lane mask, Lane* moves) noexcept {
    Lane zeros_below = static_cast<Lane>(~mask << 1);
    for (unsigned k = 0; (1u << k) < bits_of<Lane>; ++k) {
        Lane parity = zeros_below;
        for (unsigned s = 1; s < bits_of<Lane>; s <<= 1) parity = static_cast<Lane>(parity ^ (parity << s));
        moves[k] = static_cast<Lane>(parity & mask);
        mask = static_cast<Lane>((mask ^ moves[k]) | (moves[k] >> (1u << k)));
        zeros_below = static_cast<Lane>(zeros_below & ~parity);
    }
}

template <class Lane>
void take_rows(const Block& parent, std::size_t column, bool side, Block& child) noexcept {
    constexpr unsigned n_moves = static_cast<unsigned>(std::countr_zero(bits_of<Lane>));
    const std::size_t stride = parent.stride;
    const Lane* in = static_cast<const Lane*>(parent.words);
    Lane* out = static_cast<Lane*>(child.words);
    std::uint32_t n_words = 0;
    for (std::size_t g = 0; g < parent.n_groups; ++g) {
        const RowGroup& from = parent.groups[g];
        RowGroup& to = child.groups[g];
        to = from;
        to.first_word = n_words;
        to.n_rows = 0;
        unsigned fill = 0;  // rows in the last word written, of which the rest is still to come
        for (std::size_t w = 0; w < from.n_words; ++w) {
            const Lane* words = in + (from.first_word + w) * stride;
            const Lane mask = side ? words[column] : static_cast<Lane>(~words[column] & valid_rows<Lane>(from, w));
            if (!mask) continue;
            const auto count = static_cast<unsigned>(std::popcount(mask));
            Lane moves[6];
            plan_moves(mask, moves);
            if (fill == 0) {
                std::memset(out + n_words * stride, 0, stride * sizeof(Lane));
                ++n_words;
            }
            const bool spills = fill + count > bits_of<Lane>;
            Lane* last = out + (n_words - 1) * stride;
            Lane* next = last + stride;
            const auto up = fill, down = bits_of<Lane> - fill;
            for (std::size_t j = 0; j < stride; j += n_lanes<Lane>) {
                Vector<Lane> x = load(words + j) & mask;
                for (unsigned k = 0; k < n_moves; ++k) {
                    const Vector<Lane> moved = x & moves[k];
                    x = (x ^ moved) | (moved >> static_cast<Lane>(1u << k));
                }
                *reinterpret_cast<Vector<Lane>*>(last + j) |= x << static_cast<Lane>(up);
                if (spills) *reinterpret_cast<Vector<Lane>*>(next + j) = x >> static_cast<Lane>(down);
            }
            n_words += spills;
            to.n_rows += count;
            fill = (fill + count) % bits_of<Lane>;
        }
        to.n_words = n_words - to.first_word;
    }
    child.n_words = n_words;
}

template <class Lane>
void sum_columns(Block& block) noexcept {
    const std::size_t stride = block.stride, n_sums = block.n_classes + block.is_sized;
    auto* sums = static_cast<Lane*>(block.sums);
    std::memset(sums, 0, n_sums * stride * sizeof(Lane));
    for (std::size_t k = 0; k < n_sums; ++k) block.totals[k] = 0;
    for (std::size_t g = 0; g < block.n_groups; ++g) {
        const RowGroup& group = block.groups[g];
        const std::uint64_t receivers = group.classes ? group.classes : std::uint64_t{1} << block.n_classes;
        for (std::size_t k = 0; k < n_sums; ++k)
            if (receivers >> k & 1) block.totals[k] += static_cast<std::int64_t>(group.n_rows) << group.shift;
        const Lane* words = static_cast<const Lane*>(block.words) + group.first_word * stride;
        for (std::size_t j = 0; j < stride; j += n_lanes<Lane>) {
            Vector<Lane> count{};
            for (std::size_t w = 0; w < group.n_words; ++w) count += popcount(load(words + w * stride + j));
            count <<= static_cast<Lane>(group.shift);
            for (std::size_t k = 0; k < n_sums; ++k)
                if (receivers >> k & 1) *reinterpret_cast<Vector<Lane>*>(sums + k * stride + j) += count;
        }
    }
}

template <class Lane>
std::int64_t sum(const Block& block, std::size_t k, std::size_t column) noexcept {
    return static_cast<std::int64_t>(static_cast<const Lane*>(block.sums)[k * block.stride + column]);
}

template <class Lane>
void leaf_errors(const Block& block, std::int64_t* if_true, std::int64_t* if_false) noexcept {
    const Lane* sums = static_cast<const Lane*>(block.sums);
    for (std::size_t j = 0; j < block.stride; j += n_lanes<Lane>) {
        Vector<Lane> inside = load(sums + j), outside = static_cast<Lane>(block.totals[0]) - inside;
        for (std::size_t k = 1; k < block.n_classes; ++k) {
            const Vector<Lane> paid = load(sums + k * block.stride + j);
            inside = minimum(inside, paid);
            outside = minimum(outside, static_cast<Lane>(block.totals[k]) - paid);
        }
        for (std::size_t i = 0; i < n_lanes<Lane>; ++i) {
            if_true[j + i] = static_cast<std::int64_t>(inside[i]);
            if_false[j + i] = static_cast<std::int64_t>(outside[i]);
        }
    }
}

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
bool splits(const Block& block, std::size_t column, std::int64_t min_size) noexcept {
    std::int64_t size = 0, total = 0;
    for (std::size_t k = min_size > 1 ? block.n_classes : 0; k < block.n_classes + block.is_sized; ++k) {
        size += sum<Lane>(block, k, column);
        total += block.totals[k];
    }
    return size >= min_size && total - size >= min_size;
}

// Whether two columns are equal on all rows, or complementary where `flip` says so.
template <class Lane>
bool is_same_split(const Block& block, std::size_t a, std::size_t b, bool flip) noexcept {
    for (std::size_t g = 0; g < block.n_groups; ++g) {
        const RowGroup& group = block.groups[g];
        const Lane* words = static_cast<const Lane*>(block.words) + group.first_word * block.stride;
        for (std::size_t w = 0; w < group.n_words; ++w, words += block.stride)
            if (words[a] != static_cast<Lane>(words[b] ^ (flip ? valid_rows<Lane>(group, w) : Lane{0}))) return false;
    }
    return true;
}

template <class Lane>
std::size_t distinct_columns(const Block& block, std::int64_t min_size, void* hashes, std::uint32_t* table,
                             std::size_t n_slots, std::uint32_t* kept) noexcept {
    constexpr std::uint32_t empty = ~std::uint32_t{0};
    const std::size_t stride = block.stride;
    const Lane* words = static_cast<const Lane*>(block.words);  // of the first row, which says what is flipped
    if (block.n_words == 0) return 0;
    // A column and its complement have the same hash: that of the words as they are where the first row is false.
    auto* lanes = reinterpret_cast<Lane*>(hashes);
    for (std::size_t j = 0; j < block.n_columns; j += n_lanes<Lane>) {
        const Vector<Lane> flip = -(load(words + j) & Lane{1});
        Vector<Lane> hash{};
        for (std::size_t g = 0; g < block.n_groups; ++g) {
            const RowGroup& group = block.groups[g];
            const Lane* row = words + group.first_word * stride + j;
            for (std::size_t w = 0; w < group.n_words; ++w, row += stride) {
                hash = (hash << Lane{5} | hash >> static_cast<Lane>(bits_of<Lane> - 5)) ^ load(row);
                hash ^= flip & valid_rows<Lane>(group, w);
                hash *= static_cast<Lane>(0x9E3779B97F4A7C15ULL);
            }
        }
        *reinterpret_cast<Vector<Lane>*>(lanes + j) = hash;
    }
    std::memset(table, 0xff, n_slots * sizeof(std::uint32_t));
    std::size_t n_kept = 0;
    for (std::size_t j = 0; j < block.n_columns; ++j) {
        if (!splits<Lane>(block, j, min_size)) continue;
        std::size_t slot = static_cast<std::size_t>(lanes[j]) & (n_slots - 1);
        bool is_new = true;
        for (; table[slot] != empty; slot = (slot + 1) & (n_slots - 1)) {
            const std::uint32_t other = table[slot];
            if (lanes[other] == lanes[j] && is_same_split<Lane>(block, other, j, (words[other] ^ words[j]) & 1)) {
                is_new = false;
                break;
            }
        }
        if (!is_new) continue;
        table[slot] = static_cast<std::uint32_t>(j);
        kept[n_kept++] = static_cast<std::uint32_t>(j);
    }
    return n_kept;
}

// Four words at a time, so that the number of a column is read once for them.
template <class Lane>
void pick_from(const Lane* in, std::size_t in_stride, const std::uint32_t* kept, std::size_t n_kept,
               std::size_t n_words, Lane* out, std::size_t out_stride) noexcept {
    std::size_t w = 0;
    for (; w + 4 <= n_words; w += 4, in += 4 * in_stride, out += 4 * out_stride)
        for (std::size_t j = 0; j < n_kept; ++j) {
            const Lane* from = in + kept[j];
            const Lane a = from[0], b = from[in_stride], c = from[2 * in_stride], d = from[3 * in_stride];
            out[j] = a, out[out_stride + j] = b, out[2 * out_stride + j] = c, out[3 * out_stride + j] = d;
        }
    for (; w < n_words; ++w, in += in_stride, out += out_stride)
        for (std::size_t j = 0; j < n_kept; ++j) out[j] = in[kept[j]];
}

template <class Lane>
void pick_columns(const Block& from, const std::uint32_t* kept, std::size_t n_kept, Block& to) noexcept {
    const std::size_t n_sums = from.n_classes + from.is_sized;
    auto* words = static_cast<Lane*>(to.words);
    auto* sums = static_cast<Lane*>(to.sums);
    pick_from(static_cast<const Lane*>(from.words), from.stride, kept, n_kept, from.n_words, words, to.stride);
    pick_from(static_cast<const Lane*>(from.sums), from.stride, kept, n_kept, n_sums, sums, to.stride);
    for (std::size_t j = n_kept; j < to.stride; ++j) {
        for (std::size_t w = 0; w < from.n_words; ++w) words[w * to.stride + j] = 0;
        for (std::size_t k = 0; k < n_sums; ++k) sums[k * to.stride + j] = 0;
    }
}

// Counts of one first column with a vector of second ones: what each class pays where both are true, and the size of that.
template <class Lane, bool is_sized>
inline void count_pairs(const Block& block, std::size_t column, std::size_t j, Vector<Lane>* paid) noexcept {
    const std::size_t stride = block.stride;
    for (std::size_t g = 0; g < block.n_groups; ++g) {
        const RowGroup& group = block.groups[g];
        const Lane* words = static_cast<const Lane*>(block.words) + group.first_word * stride;
        Vector<Lane> count{};
        for (std::size_t w = 0; w < group.n_words; ++w, words += stride)
            count += popcount(load(words + j) & words[column]);
        count <<= static_cast<Lane>(group.shift);
        const std::uint64_t receivers = group.classes ? group.classes : std::uint64_t{1} << block.n_classes;
        for (std::size_t k = 0; k < block.n_classes + is_sized; ++k)
            if (receivers >> k & 1) paid[k] += count;
    }
}

template <class Lane, std::size_t n_classes_if_few, bool is_sized, bool with_peel>
void minima_of(const Block& block, std::size_t column, std::int64_t min_size, PairMinima& out) noexcept {
    constexpr std::size_t most = n_classes_if_few ? n_classes_if_few : 64;
    const std::size_t stride = block.stride, n_classes = n_classes_if_few ? n_classes_if_few : block.n_classes;
    const Lane* sums = static_cast<const Lane*>(block.sums);
    const Lane infinite = std::numeric_limits<Lane>::max();
    Vector<Lane> two[2] = {all(infinite), all(infinite)}, peel[2] = {all(infinite), all(infinite)};
    Lane inside[most + 1], outside[most + 1];  // of the part where the column is true, and false
    for (std::size_t k = 0; k < n_classes + is_sized; ++k) {
        inside[k] = sums[k * stride + column];
        outside[k] = static_cast<Lane>(static_cast<Lane>(block.totals[k]) - inside[k]);
    }
    for (std::size_t j = 0; j < block.n_columns; j += n_lanes<Lane>) {
        Vector<Lane> paid[most + 1];
        for (std::size_t k = 0; k < n_classes + is_sized; ++k) paid[k] = Vector<Lane>{};
        count_pairs<Lane, is_sized>(block, column, j, paid);
        for (int part = 0; part < 2; ++part) {
            const Lane* whole = part == 0 ? inside : outside;
            Vector<Lane> one = all(infinite), other = all(infinite), size{}, rest{};
            for (std::size_t k = 0; k < n_classes + is_sized; ++k) {
                const Vector<Lane> x = part == 0 ? paid[k] : load(sums + k * stride + j) - paid[k];
                const Vector<Lane> y = whole[k] - x;
                if (k < n_classes) {
                    one = minimum(one, x);
                    other = minimum(other, y);
                    if (with_peel && min_size == 1) size |= x, rest |= y;
                } else {
                    size |= x, rest |= y;
                }
            }
            Vector<Lane> both = one + other;
            if (is_sized || with_peel) {
                const Vector<Lane> least_size = all(static_cast<Lane>(min_size));
                const auto is_split = (size >= least_size) & (rest >= least_size);
                if (is_sized) both = is_split ? both : all(infinite);
                if (with_peel) peel[part] = minimum(peel[part], is_split ? minimum(one, other) : all(infinite));
            }
            two[part] = minimum(two[part], both);
        }
    }
    const auto number = [&](Vector<Lane> v) {
        const Lane x = least<Lane>(v);
        return x == infinite ? infinite_peel : static_cast<std::int64_t>(x);
    };
    out.two_true = number(two[0]), out.two_false = number(two[1]);
    if (with_peel) out.peel_true = number(peel[0]), out.peel_false = number(peel[1]);
}

template <class Lane>
void pair_minima(const Block& block, std::size_t column, std::int64_t min_size, bool with_peel,
                 PairMinima& out) noexcept {
    const auto loop = [&]<std::size_t n>() {
        if (block.is_sized && (with_peel || min_size > 1))
            with_peel ? minima_of<Lane, n, true, true>(block, column, min_size, out)
                      : minima_of<Lane, n, true, false>(block, column, min_size, out);
        else
            with_peel ? minima_of<Lane, n, false, true>(block, column, min_size, out)
                      : minima_of<Lane, n, false, false>(block, column, min_size, out);
    };
    block.n_classes == 2 ? loop.template operator()<2>() : loop.template operator()<0>();
}

// Two classes: the minima of a row of pairs are those of its first column, and each also counts for the other column.
template <class Lane, bool with_peel, bool is_sized>
void all_minima_of(const Block& block, Lane min_size, Lane* room, PairMinima* out) noexcept {
    using V = Vector<Lane>;
    const std::size_t stride = block.stride, n = block.n_columns;
    const Lane *sums = static_cast<const Lane*>(block.sums), *words = static_cast<const Lane*>(block.words);
    const Lane infinite = std::numeric_limits<Lane>::max();
    Lane *two_true = room, *two_false = room + stride, *peel_true = room + 2 * stride, *peel_false = room + 3 * stride;
    for (std::size_t j = 0; j < (with_peel ? 4 : 2) * stride; ++j) room[j] = infinite;
    const auto lower = [](Lane* place, V v) {
        *reinterpret_cast<V*>(place) = minimum(*reinterpret_cast<V*>(place), v);
    };
    for (std::size_t j = 0; j < n; ++j) {
        const V in_0 = all(sums[j]), in_1 = all(sums[stride + j]);
        const V out_0 = all(static_cast<Lane>(block.totals[0])) - in_0;
        const V out_1 = all(static_cast<Lane>(block.totals[1])) - in_1;
        V in_size{}, out_size{};
        if (is_sized) {
            in_size = all(sums[2 * stride + j]);
            out_size = all(static_cast<Lane>(block.totals[2])) - in_size;
        }
        V two[2] = {all(infinite), all(infinite)}, peel[2] = {all(infinite), all(infinite)};
        for (std::size_t k = j / n_lanes<Lane> * n_lanes<Lane>; k < n; k += n_lanes<Lane>) {
            V both_0{}, both_1{}, both_size{};
            for (std::size_t g = 0; g < block.n_groups; ++g) {
                const RowGroup& group = block.groups[g];
                if (!is_sized && group.classes == 0) continue;
                const Lane* row = words + group.first_word * stride;
                V count{};
                for (std::size_t w = 0; w < group.n_words; ++w, row += stride)
                    count += popcount(load(row + k) & row[j]);
                count <<= static_cast<Lane>(group.shift);
                (group.classes == 1 ? both_0 : group.classes == 2 ? both_1 : both_size) += count;
            }
            const V first_0 = in_0 - both_0, first_1 = in_1 - both_1;
            const V second_0 = load(sums + k) - both_0, second_1 = load(sums + stride + k) - both_1;
            const V none_0 = out_0 - second_0, none_1 = out_1 - second_1;
            const V both = minimum(both_0, both_1), first = minimum(first_0, first_1);
            const V second = minimum(second_0, second_1), none = minimum(none_0, none_1);
            V pairs[4] = {both + first, second + none, both + second, first + none};
            if constexpr (with_peel || is_sized) {
                V sizes[4] = {both_size, in_size - both_size, V{}, V{}};
                if (is_sized) sizes[2] = load(sums + 2 * stride + k) - both_size, sizes[3] = out_size - sizes[2];
                if (min_size == 1) {
                    sizes[0] |= both_0 | both_1, sizes[1] |= first_0 | first_1;
                    sizes[2] |= second_0 | second_1, sizes[3] |= none_0 | none_1;
                }
                const V least_size = all(min_size), never = all(infinite);
                const auto has_both = sizes[0] >= least_size, has_first = sizes[1] >= least_size;
                const auto has_second = sizes[2] >= least_size, has_none = sizes[3] >= least_size;
                const auto with = [&](auto is_split, V x) { return is_split ? x : never; };
                if (is_sized) {
                    pairs[0] = with(has_both & has_first, pairs[0]), pairs[1] = with(has_second & has_none, pairs[1]);
                    pairs[2] = with(has_both & has_second, pairs[2]), pairs[3] = with(has_first & has_none, pairs[3]);
                }
                if constexpr (with_peel) {
                    peel[1] = minimum(peel[1], with(has_both & has_first, minimum(both, first)));
                    peel[0] = minimum(peel[0], with(has_second & has_none, minimum(second, none)));
                    lower(peel_true + k, with(has_both & has_second, minimum(both, second)));
                    lower(peel_false + k, with(has_first & has_none, minimum(first, none)));
                }
            }
            two[1] = minimum(two[1], pairs[0]), two[0] = minimum(two[0], pairs[1]);
            lower(two_true + k, pairs[2]), lower(two_false + k, pairs[3]);
        }
        const auto lower_one = [](Lane& place, Lane x) { place = x < place ? x : place; };
        lower_one(two_true[j], least<Lane>(two[1])), lower_one(two_false[j], least<Lane>(two[0]));
        if (with_peel) lower_one(peel_true[j], least<Lane>(peel[1])), lower_one(peel_false[j], least<Lane>(peel[0]));
    }
    const auto number = [&](Lane x) { return x == infinite ? infinite_peel : static_cast<std::int64_t>(x); };
    for (std::size_t j = 0; j < n; ++j) {
        out[j].two_true = number(two_true[j]), out[j].two_false = number(two_false[j]);
        if (with_peel) out[j].peel_true = number(peel_true[j]), out[j].peel_false = number(peel_false[j]);
    }
}

template <class Lane>
void all_minima(const Block& block, std::int64_t min_size, bool with_peel, void* room, PairMinima* out) noexcept {
    const auto least_size = static_cast<Lane>(min_size);
    auto* lanes = static_cast<Lane*>(room);
    if (block.is_sized && (with_peel || min_size > 1))
        with_peel ? all_minima_of<Lane, true, true>(block, least_size, lanes, out)
                  : all_minima_of<Lane, false, true>(block, least_size, lanes, out);
    else
        with_peel ? all_minima_of<Lane, true, false>(block, least_size, lanes, out)
                  : all_minima_of<Lane, false, false>(block, least_size, lanes, out);
}

template <class Lane>
std::size_t open_pairs(const Block& block, std::size_t column, bool side, std::int64_t min_size,
                       const OpenPairs& open) noexcept {
    using V = Vector<Lane>;
    const auto lanes = [](std::int64_t x) {
        constexpr auto largest = std::numeric_limits<Lane>::max();
        return all(static_cast<std::uint64_t>(x) < largest ? static_cast<Lane>(x) : largest);
    };
    const std::size_t stride = block.stride, n_classes = block.n_classes, n_sums = n_classes + block.is_sized;
    const Lane* sums = static_cast<const Lane*>(block.sums);
    const V few = lanes(open.few), both = lanes(open.both), single = lanes(open.single), least_size = lanes(min_size);
    V n_open{}, n_split{};
    for (std::size_t j = 0; j < block.n_columns; j += n_lanes<Lane>) {
        V paid[65];
        for (std::size_t k = 0; k < n_sums; ++k) paid[k] = V{};
        block.is_sized ? count_pairs<Lane, true>(block, column, j, paid)
                       : count_pairs<Lane, false>(block, column, j, paid);
        V one = all(std::numeric_limits<Lane>::max()), other = one, size{}, rest{};
        for (std::size_t k = 0; k < n_sums; ++k) {
            const Lane inside = sums[k * stride + column];
            const Lane whole = side ? inside : static_cast<Lane>(static_cast<Lane>(block.totals[k]) - inside);
            const V x = side ? paid[k] : load(sums + k * stride + j) - paid[k], y = whole - x;
            if (k < n_classes) one = minimum(one, x), other = minimum(other, y);
            if (k == n_classes || min_size == 1) size |= x, rest |= y;
        }
        const auto is_split = (size >= least_size) & (rest >= least_size);
        const auto is_few = one < few, is_other_few = other < few;
        const auto is_open =
            is_split & ((is_few & is_other_few & (one + other < both)) | (is_few & ~is_other_few & (one < single)) |
                        (~is_few & is_other_few & (other < single)));
        n_split -= reinterpret_cast<V>(is_split), n_open -= reinterpret_cast<V>(is_open);
    }
    std::size_t n_first = 0, n_second = 0;
    for (std::size_t i = 0; i < n_lanes<Lane>; ++i) n_first += n_open[i], n_second += n_split[i];
    return n_first * n_second;
}

template <class Lane>
constexpr PairLoops loops_of{bits_of<Lane>,      take_rows<Lane>,   sum_columns<Lane>, distinct_columns<Lane>,
                             pick_columns<Lane>, leaf_errors<Lane>, sum<Lane>,         pair_minima<Lane>,
                             all_minima<Lane>,   open_pairs<Lane>,  missing_costs};

}  // namespace
}  // namespace conjunct
