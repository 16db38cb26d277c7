#pragma once
#include <cstddef>
#include <cstdint>

namespace conjunct {

// Packs 64 n_words bytes of 0 and 1, lowest address to lowest bit; returns whether there was nothing else among them.
using PackLoop = bool (*)(const std::uint8_t* bytes, std::size_t n_words, std::uint64_t* words) noexcept;

bool pack_bytes_portable(const std::uint8_t* bytes, std::size_t n_words, std::uint64_t* words) noexcept;
#ifdef CONJUNCT_X86
bool pack_bytes_avx2(const std::uint8_t* bytes, std::size_t n_words, std::uint64_t* words) noexcept;
#endif

}  // namespace conjunct
