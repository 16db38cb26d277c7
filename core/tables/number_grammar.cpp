#include "tables/number_grammar.hpp"

#include <charconv>
#include <cmath>

namespace conjunct {
namespace {

constexpr std::uint64_t exact_integers = std::uint64_t{1} << 53;
constexpr int exact_powers = 22;  // 10^22 is the last power of ten that a double holds
constexpr double powers_of_ten[exact_powers + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

}  // namespace

Number read_number(const char* text, std::size_t length) noexcept {
    const char *at = text, *const end = text + length;
    const bool is_negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) ++at;
    const char* const digits = at;
    // 1. The digits as one whole number, while it fits; the point moves the exponent.
    std::uint64_t whole = 0;
    bool fits = true;
    int exponent = 0;
    const auto take = [&](char c) {
        fits = fits && whole < exact_integers;
        whole = 10 * whole + static_cast<std::uint64_t>(c - '0');  // wraps only where it no longer counts
    };
    for (; at < end && is_digit(*at); ++at) take(*at);
    const std::size_t n_before = static_cast<std::size_t>(at - digits);
    const bool is_integer = at == end;
    std::size_t n_after = 0;
    if (at < end && *at == '.') {
        for (++at; at < end && is_digit(*at); ++at, ++n_after) take(*at);
    }
    if (n_before + n_after == 0) return {Spelling::text, 0};
    if (is_integer) {
        if (!fits || whole > exact_integers) return {Spelling::large_integer, 0};
        const auto value = static_cast<double>(whole);
        return {Spelling::integer, is_negative ? -value : value};
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        ++at;
        const bool is_small = at < end && *at == '-';
        if (at < end && (*at == '-' || *at == '+')) ++at;
        const char* const power = at;
        for (; at < end && is_digit(*at); ++at)
            if (exponent < 100000) exponent = 10 * exponent + (*at - '0');
        if (at == power) return {Spelling::text, 0};
        if (is_small) exponent = -exponent;
    }
    if (at != end) return {Spelling::text, 0};
    // 2. A product or quotient of two exact doubles is the nearest to the number: one rounding.
    const long long shift = static_cast<long long>(exponent) - static_cast<long long>(n_after);
    if (fits && whole <= exact_integers && shift >= -exact_powers && shift <= exact_powers) {
        auto value = static_cast<double>(whole);
        value = shift < 0 ? value / powers_of_ten[-shift] : value * powers_of_ten[shift];
        return {Spelling::number, is_negative ? -value : value};
    }
    // 3. Others by the library, which takes no plus sign. Out of range is too large, or so small that it is nothing.
    double value = 0;
    const auto [_, error] = std::from_chars(digits, end, value);
    if (error == std::errc::result_out_of_range) {
        long long n_zeros = 0;
        for (const char* c = digits; c < end && (*c == '0' || *c == '.'); ++c) n_zeros += *c == '0';
        if (exponent + static_cast<long long>(n_before) - n_zeros > 0) return {Spelling::infinite, 0};
        value = 0;
    }
    if (std::isinf(value)) return {Spelling::infinite, 0};
    return {Spelling::number, is_negative ? -value : value};
}

}  // namespace conjunct
