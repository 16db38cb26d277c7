#include "simd/pack_loop.hpp"

namespace conjunct {

bool pack_bytes_portable(const std::uint8_t* bytes, std::size_t n_words, std::uint64_t* words) noexcept {
    // Eight bytes 0/1, lowest address first, to eight bits, lowest bit first: byte i lands on bit 56 + i, no carries.
    constexpr std::uint64_t gather = 0x0102040810204080ULL, ones = 0x0101010101010101ULL;
    std::uint64_t seen = 0;
    for (std::size_t w = 0; w < n_words; ++w, bytes += 64) {
        std::uint64_t word = 0;
        for (std::size_t k = 0; k < 8; ++k) {
            std::uint64_t eight = 0;
            for (std::size_t b = 0; b < 8; ++b) eight |= static_cast<std::uint64_t>(bytes[8 * k + b]) << (8 * b);
            seen |= eight;
            word |= ((eight & ones) * gather >> 56) << (8 * k);
        }
        words[w] = word;
    }
    return (seen & ~ones) == 0;
}

}  // namespace conjunct
