// Counts of pairs of columns, and the minima over second columns.
#pragma once
#include <limits>

#include "simd/pair_vectors_of.hpp"

namespace conjunct {
namespace {

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

// Two classes: the counts of one first column with a vector of second ones, and the size of that.
template <class Lane>
struct PairOfClasses {
    Vector<Lane> zero, one, size;
};

template <class Lane, bool is_sized>
inline __attribute__((always_inline)) PairOfClasses<Lane> count_two(const Block& block, std::size_t column,
                                                                    std::size_t j) noexcept {
    const Lane* words = static_cast<const Lane*>(block.words);
    Vector<Lane> zero{}, one{}, size{};
    for (std::size_t g = 0; g < block.n_groups; ++g) {
        const RowGroup& group = block.groups[g];
        if (!is_sized && group.classes == 0) continue;
        const Lane* row = words + group.first_word * block.stride;
        Vector<Lane> count{};
        for (std::size_t w = 0; w < group.n_words; ++w, row += block.stride)
            count += popcount(load(row + j) & row[column]);
        count <<= static_cast<Lane>(group.shift);
        (group.classes == 1 ? zero : group.classes == 2 ? one : size) += count;
    }
    return {zero, one, size};
}

template <class Lane>
void all_pairs(const Block& block, void* counts) noexcept {
    const std::size_t stride = block.stride, n = block.n_columns;
    auto* lanes = static_cast<Lane*>(counts);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i / n_lanes<Lane> * n_lanes<Lane>; j < n; j += n_lanes<Lane>) {
            const auto pair = block.is_sized ? count_two<Lane, true>(block, i, j) : count_two<Lane, false>(block, i, j);
            const Vector<Lane> paid[3] = {pair.zero, pair.one, pair.size};
            for (std::size_t k = 0; k < block.n_classes + block.is_sized; ++k) {
                *reinterpret_cast<Vector<Lane>*>(lanes + (k * n + i) * stride + j) = paid[k];
                for (std::size_t l = 0; l < n_lanes<Lane> && j + l < n; ++l)
                    lanes[(k * n + j + l) * stride + i] = paid[k][l];
            }
        }
}

template <class Lane>
void pick_pairs(const Block& from, const void* counts, const std::uint32_t* kept, const Block& to,
                void* picked) noexcept {
    for (std::size_t k = 0; k < from.n_classes + from.is_sized; ++k)
        for (std::size_t i = 0; i < to.n_columns; ++i) {
            const Lane* in = static_cast<const Lane*>(counts) + (k * from.n_columns + kept[i]) * from.stride;
            Lane* out = static_cast<Lane*>(picked) + (k * to.n_columns + i) * to.stride;
            for (std::size_t j = i / n_lanes<Lane> * n_lanes<Lane>; j < to.n_columns; ++j) out[j] = in[kept[j]];
            for (std::size_t j = to.n_columns; j < to.stride; ++j) out[j] = 0;
        }
}

// Two classes: the minima of a row of pairs are those of its first column, and each also counts for the other column.
template <class Lane, bool with_peel, bool is_sized, bool is_rest>
void all_minima_of(const Block& block, const Block& counted, const Lane* whole, Lane min_size, Lane* room,
                   PairMinima* out) noexcept {
    using V = Vector<Lane>;
    const std::size_t stride = block.stride, n = block.n_columns;
    const Lane* sums = static_cast<const Lane*>(block.sums);
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
            auto [both_0, both_1, both_size] = count_two<Lane, is_sized>(counted, j, k);
            if constexpr (is_rest) {
                both_0 = load(whole + j * stride + k) - both_0;
                both_1 = load(whole + (n + j) * stride + k) - both_1;
                if (is_sized) both_size = load(whole + (2 * n + j) * stride + k) - both_size;
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
void all_minima(const Block& block, const Block& counted, const void* whole, std::int64_t min_size, bool with_peel,
                void* room, PairMinima* out) noexcept {
    const auto loop = [&]<bool peels, bool is_sized>() {
        const auto* pairs = static_cast<const Lane*>(whole);
        auto* lanes = static_cast<Lane*>(room);
        const auto least_size = static_cast<Lane>(min_size);
        pairs ? all_minima_of<Lane, peels, is_sized, true>(block, counted, pairs, least_size, lanes, out)
              : all_minima_of<Lane, peels, is_sized, false>(block, block, nullptr, least_size, lanes, out);
    };
    if (block.is_sized && (with_peel || min_size > 1))
        with_peel ? loop.template operator()<true, true>() : loop.template operator()<false, true>();
    else
        with_peel ? loop.template operator()<true, false>() : loop.template operator()<false, false>();
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

}  // namespace
}  // namespace conjunct
