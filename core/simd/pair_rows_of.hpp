// Rows and columns of blocks: rows of a part gathered, sums, distinct columns.
#pragma once
#include <bit>
#include <cstring>

#include "simd/pair_vectors_of.hpp"

namespace conjunct {
namespace {

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

}  // namespace
}  // namespace conjunct
