#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace conjunct {

// Winnow's weights are kept as exponents, so that they are right however often they changed, and looked up as doubles that
// are off by at most a few units in the last place.

// What all weights of a run kept to so far.
struct Reach {
    std::int32_t lowest,
        highest;     // exponents; of demotions, as a negative number, and of promotions where they are apart
    double largest;  // weight, in absolute value

    std::int32_t farthest() const noexcept { return std::max(highest, -lowest); }
};

// Promotion and demotion undo each other: one exponent per variable, and few enough weights for a table that stays near.
struct NetWeights {
    std::int32_t* exponents;
    const double* table;           // of an exponent from -n to n; rising
    const std::uint8_t* is_exact;  // whether an entry of the table has no rounding error
    std::int32_t n;
    bool eliminates;    // a demotion sets the exponent to -1 for good: a weight of 0
    bool is_saturated;  // the table ends past the range of doubles: what is beyond has the value at its end
    Reach reach;

    template <bool is_within>
    double weight(std::int32_t place) const noexcept {
        return table[is_within ? exponents[place] : clamped(exponents[place])];
    }
    bool is_within() const noexcept { return reach.farthest() <= n; }
    bool has_exact(std::int32_t place) const noexcept { return is_exact[clamped(exponents[place])]; }
    bool has_room(std::int32_t place, std::int32_t change) const noexcept {
        return is_saturated || std::abs(after(exponents[place], change)) <= n;
    }

    // `change` promotions, or demotions where it is negative; returns the exponents before and after.
    std::pair<std::int32_t, std::int32_t> update(std::int32_t place, std::int32_t change) noexcept {
        const std::int32_t before = exponents[place], now = after(before, change);
        exponents[place] = now;
        reach.lowest = std::min(reach.lowest, now);
        reach.highest = std::max(reach.highest, now);
        return {before, now};
    }
    // To be called after the updates of a row.
    void settle() noexcept {
        reach.largest = std::max(std::fabs(table[clamped(reach.lowest)]), std::fabs(table[clamped(reach.highest)]));
    }
    std::int32_t clamped(std::int32_t exponent) const noexcept { return std::clamp(exponent, -n, n); }

private:
    std::int32_t after(std::int32_t exponent, std::int32_t change) const noexcept {
        return eliminates && (exponent < 0 || change < 0) ? -1 : exponent + change;
    }
};

// Promotion and demotion have factors of their own: two exponents per variable, and its weight beside them.
struct ApartWeights {
    struct Counts {
        std::int32_t promotions, demotions;
    };
    Counts* counts;
    double* weights;
    const double *by_promotions, *by_demotions;  // n + 1 entries each, to be times 2^exponent
    const std::int32_t *promotion_exponents, *demotion_exponents;
    std::int32_t n;
    Reach reach;
    static constexpr bool is_saturated = false;

    template <bool>
    double weight(std::int32_t place) const noexcept {
        return weights[place];
    }
    bool is_within() const noexcept { return true; }
    bool has_exact(std::int32_t) const noexcept { return false; }
    bool has_room(std::int32_t place, std::int32_t change) const noexcept {
        const Counts now = after(counts[place], change);
        return std::max(now.promotions, now.demotions) <= n;
    }
    std::pair<std::int32_t, std::int32_t> update(std::int32_t place, std::int32_t change) noexcept {
        const Counts now = counts[place] = after(counts[place], change);
        reach.lowest = std::min(reach.lowest, -now.demotions);
        reach.highest = std::max(reach.highest, now.promotions);
        weights[place] = std::ldexp(by_promotions[now.promotions] * by_demotions[now.demotions],
                                    promotion_exponents[now.promotions] + demotion_exponents[now.demotions]);
        if (weights[place] > reach.largest) reach.largest = weights[place];
        return {0, 0};
    }
    void settle() noexcept {}
    std::int32_t clamped(std::int32_t exponent) const noexcept { return exponent; }

private:
    static Counts after(Counts counts, std::int32_t change) noexcept {
        (change > 0 ? counts.promotions : counts.demotions) += std::abs(change);
        return counts;
    }
};

}  // namespace conjunct
