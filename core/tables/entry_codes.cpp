#include "tables/entry_codes.hpp"

#include <algorithm>
#include <cstring>

namespace conjunct {
namespace {

template <class T>
std::uint64_t load(const char* from) noexcept {
    T word;
    std::memcpy(&word, from, sizeof word);
    return word;
}

constexpr std::uint64_t mixed(std::uint64_t a, std::uint64_t b) noexcept {
    a = (a ^ b) * 0x9e3779b97f4a7c15ULL;
    return a ^ a >> 32;
}

// Whether n letters are equal: short texts in two loads that overlap, without a call.
inline bool are_equal(const char* a, const char* b, std::size_t n) noexcept {
    if (n > 16) return !std::memcmp(a, b, n);
    if (n >= 8)
        return load<std::uint64_t>(a) == load<std::uint64_t>(b) &&
               load<std::uint64_t>(a + n - 8) == load<std::uint64_t>(b + n - 8);
    if (n >= 4)
        return load<std::uint32_t>(a) == load<std::uint32_t>(b) &&
               load<std::uint32_t>(a + n - 4) == load<std::uint32_t>(b + n - 4);
    for (std::size_t i = 0; i < n; ++i)
        if (a[i] != b[i]) return false;
    return true;
}

// At most eight letters as one number; with their count they are known by it.
inline std::uint64_t letters_of(const char* text, std::size_t n) noexcept {
    if (n == 8) return load<std::uint64_t>(text);
    if (n >= 4) return load<std::uint32_t>(text) << 32 | load<std::uint32_t>(text + n - 4);
    const auto byte = [&](std::size_t i) { return static_cast<std::uint64_t>(static_cast<unsigned char>(text[i])); };
    return n == 0 ? 0 : byte(0) << 16 | byte(n / 2) << 8 | byte(n - 1);
}

}  // namespace

// Eight bytes at a time, the last eight overlapping.
std::size_t EntryCodes::hash_of(std::string_view spelling) noexcept {
    const char* text = spelling.data();
    const std::size_t n = spelling.size();
    if (n <= longest_recent) return mixed(n, letters_of(text, n));
    std::uint64_t hash = n;
    for (std::size_t i = 0; i + 8 < n; i += 8) hash = mixed(hash, load<std::uint64_t>(text + i));
    return mixed(hash, load<std::uint64_t>(text + n - 8));
}

std::uint32_t EntryCodes::code(std::string_view wanted) {
    const std::size_t hash = hash_of(wanted);
    if (wanted.size() > longest_recent) return code_in_table(wanted, hash);
    if (!recent_) {
        if (++n_coded_ == n_recent) recent_ = std::make_unique<Recent[]>(n_recent);
        return code_in_table(wanted, hash);
    }
    Recent& recent = recent_[hash % n_recent];
    const auto length = static_cast<std::uint32_t>(wanted.size()) + 1;  // 0 is none
    const std::uint64_t letters = letters_of(wanted.data(), wanted.size());
    if (recent.letters != letters || recent.length != length) recent = {letters, length, code_in_table(wanted, hash)};
    return recent.code;
}

std::uint32_t EntryCodes::code_in_table(std::string_view wanted, std::size_t hash) {
    if (4 * (size() + 1) > 3 * slots_.size()) grow();
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = hash & mask;
    for (; slots_[i]; i = (i + 1) & mask) {
        const std::string_view here = spelling(slots_[i] - 1);
        if (here.size() == wanted.size() && are_equal(here.data(), wanted.data(), wanted.size())) return slots_[i] - 1;
    }
    spellings_.push_back(keep(wanted, read_number(wanted.data(), wanted.size()).spelling));
    slots_[i] = static_cast<std::uint32_t>(size());
    return slots_[i] - 1;
}

EntryCodes::Offset EntryCodes::keep(std::string_view wanted, Spelling kind) {
    const bool is_long = wanted.size() >= long_length;
    const std::size_t n_bytes = 1 + (is_long ? sizeof(std::uint32_t) : 0) + wanted.size();
    if (n_bytes > n_free_) {
        const std::size_t n_chunks = (n_bytes + chunk_bytes - 1) / chunk_bytes;
        owned_.push_back(std::make_unique_for_overwrite<char[]>(n_chunks * chunk_bytes));
        for (std::size_t k = 0; k < n_chunks; ++k) chunks_.push_back(owned_.back().get() + k * chunk_bytes);
        n_free_ = n_chunks * chunk_bytes;
    }
    const std::uint64_t at = chunks_.size() * chunk_bytes - n_free_;
    const Offset offset{static_cast<std::uint32_t>(at), static_cast<std::uint8_t>(at >> 32)};
    char* kept = kept_at(offset);
    *kept++ =
        static_cast<char>(static_cast<int>(std::min(wanted.size(), long_length)) << kind_bits | static_cast<int>(kind));
    if (is_long) {
        const auto length = static_cast<std::uint32_t>(wanted.size());
        std::memcpy(kept, &length, sizeof length);
        kept += sizeof length;
    }
    std::copy(wanted.begin(), wanted.end(), kept);
    n_free_ -= n_bytes;
    return offset;
}

void EntryCodes::grow() {
    std::vector<std::uint32_t> slots(std::max<std::size_t>(16, 2 * slots_.size()), 0);
    const std::size_t mask = slots.size() - 1;
    for (std::uint32_t code = 0; code < size(); ++code) {
        std::size_t i = hash_of(spelling(code)) & mask;
        while (slots[i]) i = (i + 1) & mask;
        slots[i] = code + 1;
    }
    slots_ = std::move(slots);
}

}  // namespace conjunct
