#include "tables/entry_codes.hpp"

#include <bit>
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

bool EntryCodes::is_at(std::size_t slot, std::string_view wanted, std::size_t hash) const noexcept {
    if ((slots_[slot] ^ static_cast<std::uint32_t>(hash)) & ~code_bits_) return false;
    const std::string_view here = spellings_.text((slots_[slot] & code_bits_) - 1);
    return here.size() == wanted.size() && are_equal(here.data(), wanted.data(), wanted.size());
}

std::uint32_t EntryCodes::code_in_table(std::string_view wanted, std::size_t hash) {
    if (5 * (size() + 1) > 4 * slots_.size()) grow();
    std::size_t slot = first_slot(hash);
    for (; slots_[slot]; slot = slot_after(slot))
        if (is_at(slot, wanted, hash)) return (slots_[slot] & code_bits_) - 1;
    spellings_.append(wanted, read_number(wanted.data(), wanted.size()).spelling);
    const auto code = static_cast<std::uint32_t>(size() - 1);
    slots_[slot] = (static_cast<std::uint32_t>(hash) & ~code_bits_) | (code + 1);
    return code;
}

bool EntryCodes::holds(std::string_view wanted) const noexcept {
    if (slots_.empty()) return false;
    const std::size_t hash = hash_of(wanted);
    for (std::size_t slot = first_slot(hash); slots_[slot]; slot = slot_after(slot))
        if (is_at(slot, wanted, hash)) return true;
    return false;
}

// The old slots are freed first: both at once would be the most that a column of different texts ever takes.
void EntryCodes::grow() {
    slots_ = {};
    slots_ = std::vector<std::uint32_t>(16 + size() * 15 / 8);
    code_bits_ = ~std::uint32_t{0} >> std::countl_zero(static_cast<std::uint32_t>(slots_.size()));
    std::uint32_t code = 0;
    spellings_.for_each([&](std::string_view text, Spelling) {
        const std::size_t hash = hash_of(text);
        std::size_t slot = first_slot(hash);
        while (slots_[slot]) slot = slot_after(slot);
        slots_[slot] = (static_cast<std::uint32_t>(hash) & ~code_bits_) | ++code;
    });
}

}  // namespace conjunct
