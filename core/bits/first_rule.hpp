#pragma once
#include "bits/rows.hpp"

namespace conjunct {

inline constexpr std::size_t rule_block = 256;  // rows decided together: four words to a literal

// A decision list. Rule t holds where all its literals literals[starts[t] .. starts[t + 1]) do; without any it always
// holds. A literal is 2 * place + is_negated: variable place % 64 of word used[place / 64] of a row.
struct Rules {
    const std::int64_t* starts;
    const std::uint32_t* literals;
    const std::uint8_t* labels;  // 0 or 1, one per rule
    std::size_t n_rules;
    const std::size_t* used;  // the words of a row that hold a literal's variable
    std::size_t n_used;
    bool otherwise;  // the label of rows on which no rule holds
};

// out[i] = the label, 0 or 1, of the first rule that holds on row i, for rows first .. last - 1.
// Given   planes: scratch of rule_block * n_used words.
// Needs   first to be a multiple of rule_block.
// Twin    conjunct.logic.Term.value, rule by rule
void first_rule(Rows rows, const Rules& rules, std::size_t first, std::size_t last, std::uint64_t* planes,
                std::uint8_t* out) noexcept;

}  // namespace conjunct
