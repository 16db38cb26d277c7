#include "search/lemma_log.hpp"

#include <algorithm>

namespace conjunct {

void LemmaLog::add(Lemma lemma, std::span<const std::uint32_t> path, std::span<const Support> supports) {
    lemma.path = literals_.size(), lemma.n_literals = static_cast<std::uint32_t>(path.size());
    lemma.supports = supports_.size(), lemma.n_supports = static_cast<std::uint32_t>(supports.size());
    lemmas_.push_back(lemma);
    literals_.insert(literals_.end(), path.begin(), path.end());
    std::sort(literals_.end() - static_cast<std::ptrdiff_t>(path.size()), literals_.end());
    supports_.insert(supports_.end(), supports.begin(), supports.end());
}

std::vector<std::uint32_t> LemmaLog::trimmed(std::uint32_t last) const {
    std::vector<bool> is_used(last + std::size_t{1}, false);
    is_used[last] = true;
    for (std::uint32_t i = last + 1; i-- > 0;) {
        if (!is_used[i]) continue;
        for (std::uint32_t s = 0; s < lemmas_[i].n_supports; ++s)
            is_used[supports_[lemmas_[i].supports + s].lemma] = true;
    }
    std::vector<std::uint32_t> kept;
    for (std::uint32_t i = 0; i <= last; ++i)
        if (is_used[i]) kept.push_back(i);
    return kept;
}

void LemmaLog::write(std::uint32_t lemma, const std::vector<std::uint32_t>& numbers, std::string& text) const {
    const Lemma& of = lemmas_[lemma];
    text += of.kind;
    text += ' ';
    text += of.depth == any_depth ? "any" : std::to_string(of.depth);
    text += ' ';
    text += std::to_string(of.value);
    for (const std::uint32_t literal : path(lemma)) text += ' ' + std::to_string(literal);
    bool has_hint = false;
    for (std::uint32_t s = 0; s < of.n_supports; ++s) {
        const Support& support = supports_[of.supports + s];
        if (!support.is_hint) continue;
        text += has_hint ? " " : " | ";
        text += std::to_string(support.literal) + ':' + std::to_string(numbers[support.lemma]);
        has_hint = true;
    }
    text += '\n';
}

std::size_t LemmaLog::n_bytes() const noexcept {
    return lemmas_.capacity() * sizeof(Lemma) + literals_.capacity() * sizeof(std::uint32_t) +
           supports_.capacity() * sizeof(Support);
}

}  // namespace conjunct
