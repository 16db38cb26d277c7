#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace conjunct {

constexpr std::uint8_t any_depth = 255;
constexpr std::uint32_t no_lemma = ~std::uint32_t{0};

// Where a part of a split rests on another lemma: on the same rows, or, if hinted, on similar ones.
struct Support {
    std::uint32_t literal;
    std::uint32_t lemma;
    bool is_hint;
};

// The lemmas of a search in the order they were proved. Each says: every tree of at most `depth` costs at least `value` on
// the rows of a path. What the last lemma does not rest on is left out when the log is written.
class LemmaLog {
public:
    struct Lemma {
        std::int64_t value;
        std::uint64_t path, supports;  // where they begin
        std::uint32_t n_literals, n_supports;
        std::uint32_t n_pairs, n_splits;  // what checking it costs
        char kind;                        // E or N
        std::uint8_t depth;
    };

    // `lemma` is complete but for where its path and supports begin and how many they are.
    void add(Lemma lemma, std::span<const std::uint32_t> path, std::span<const Support> supports);

    // The lemmas that the given one rests on, itself last; risen numbers of the log.
    std::vector<std::uint32_t> trimmed(std::uint32_t last) const;
    // Appends the line of a lemma; `numbers` has the new number of every lemma that is kept.
    void write(std::uint32_t lemma, const std::vector<std::uint32_t>& numbers, std::string& text) const;

    const Lemma& operator[](std::uint32_t lemma) const noexcept { return lemmas_[lemma]; }
    std::span<const std::uint32_t> path(std::uint32_t lemma) const noexcept {
        return {literals_.data() + lemmas_[lemma].path, lemmas_[lemma].n_literals};
    }
    std::size_t size() const noexcept { return lemmas_.size(); }
    std::size_t n_bytes() const noexcept;

private:
    std::vector<Lemma> lemmas_;
    std::vector<std::uint32_t> literals_;
    std::vector<Support> supports_;
};

}  // namespace conjunct
