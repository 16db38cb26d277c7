#include "bits/first_rule.hpp"

#include <algorithm>

#include "simd/level.hpp"

namespace conjunct {
namespace {

constexpr std::size_t quarters = rule_block / 64;
static_assert(quarters == 4);

// Bit k of word q of a variable's plane is the variable on row start + 64 q + k; zero past the last row.
void lay_out(Rows rows, const Rules& rules, std::size_t start, std::size_t count, TransposeLoop transpose,
             std::uint64_t* planes) noexcept {
    for (std::size_t u = 0; u < rules.n_used; ++u, planes += rule_block) {
        const std::uint64_t* word = rows.row(start) + rules.used[u];
        if (count < rule_block) std::fill_n(planes, rule_block, std::uint64_t{0});
        for (std::size_t i = 0; i < count; ++i) planes[quarters * (i % 64) + i / 64] = word[i * rows.n_words];
        transpose(planes);
    }
}

// Writes the 64 bits of a word, or fewer, as bytes 0 and 1.
void write_bytes(std::uint64_t bits, std::size_t count, std::uint8_t* out) noexcept {
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        std::uint64_t spread = (bits >> i & 0xff) * 0x0101010101010101ULL & 0x8040201008040201ULL;
        spread = (spread + 0x7f7f7f7f7f7f7f7fULL) >> 7 & 0x0101010101010101ULL;
        for (std::size_t k = 0; k < 8; ++k) out[i + k] = static_cast<std::uint8_t>(spread >> 8 * k);
    }
    for (; i < count; ++i) out[i] = bits >> i & 1;
}

}  // namespace

void first_rule(Rows rows, const Rules& rules, std::size_t first, std::size_t last, std::uint64_t* planes,
                std::uint8_t* out) noexcept {
    constexpr std::int64_t look_every = 8;  // literals between two looks whether a rule can still hold
    const TransposeLoop transpose = active_level()->transpose;
    for (std::size_t start = first; start < last; start += rule_block) {
        const std::size_t count = std::min(rule_block, last - start);
        lay_out(rows, rules, start, count, transpose, planes);
        std::uint64_t open[quarters], answer[quarters] = {};
        for (std::size_t q = 0; q < quarters; ++q) {
            const std::size_t left = count > 64 * q ? count - 64 * q : 0;
            open[q] = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
        }
        for (std::size_t t = 0; t < rules.n_rules; ++t) {
            std::uint64_t a = open[0], b = open[1], c = open[2], d = open[3];  // an array would stay in memory
            if (!(a | b | c | d)) break;
            const std::int64_t end = rules.starts[t + 1];
            for (std::int64_t k = rules.starts[t]; k < end && (a | b | c | d);) {
                const std::int64_t stop = std::min(end, k + look_every);
                for (; k < stop; ++k) {
                    const std::uint64_t flip = std::uint64_t{0} - (rules.literals[k] & 1);
                    const std::uint64_t* plane = planes + quarters * (rules.literals[k] >> 1);
                    a &= plane[0] ^ flip;
                    b &= plane[1] ^ flip;
                    c &= plane[2] ^ flip;
                    d &= plane[3] ^ flip;
                }
            }
            const std::uint64_t label = std::uint64_t{0} - rules.labels[t];
            const std::uint64_t holds[quarters] = {a, b, c, d};
            for (std::size_t q = 0; q < quarters; ++q) {
                answer[q] |= holds[q] & label;
                open[q] &= ~holds[q];
            }
        }
        for (std::size_t q = 0; 64 * q < count; ++q)
            write_bytes(answer[q] | (rules.otherwise ? open[q] : 0), std::min<std::size_t>(64, count - 64 * q),
                        out + start + 64 * q);
    }
}

}  // namespace conjunct
