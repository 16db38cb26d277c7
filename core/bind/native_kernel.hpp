#pragma once
#include <optional>
#include <vector>

#include "bind/arrays.hpp"
#include "kernels/exact_table.hpp"
#include "kernels/layout.hpp"

namespace conjunct::bind {

// A Layout that owns its memory, checked once: no index it can produce leaves the table.
class NativeLayout {
public:
    NativeLayout(Array<const std::uint8_t, 1> same, Array<const std::uint64_t, 2> masks,
                 Array<const std::int32_t, 1> strides, Array<const std::int32_t, 1> summand_of,
                 Array<const std::int32_t, 1> offsets, std::size_t n_values);
    NativeLayout(const NativeLayout&) = delete;
    NativeLayout& operator=(const NativeLayout&) = delete;

    Layout view() const noexcept { return {summands_.data(), summands_.size(), n_words_, n_values_}; }

private:
    std::vector<std::uint64_t> masks_;
    std::vector<Factor> factors_;
    std::vector<Summand> summands_;
    std::size_t n_words_, n_values_;
};

// Whether a layout is one factor whose counts fit 16 bits: then the loops by tiles apply.
inline bool is_tiled(const Layout& layout) noexcept {
    return layout.n_summands == 1 && layout.summands[0].n_factors == 1 && layout.n_values <= 65536;
}

// A line of the cache: planes are laid out in these.
struct alignas(64) Line {
    std::uint64_t words[8];
};

// An ExactTable that owns its memory.
class NativeTable {
public:
    NativeTable(Array<const std::uint64_t, 2> values, Array<const std::uint64_t, 1> threshold,
                std::optional<Array<const std::int64_t, 1>> digits);

    std::size_t n_limbs() const noexcept { return threshold_.size(); }
    ExactTable view() const noexcept {
        return {values_.data(), threshold_.data(), digits_.empty() ? nullptr : digits_.data(),
                values_.size() / threshold_.size(), threshold_.size()};
    }

private:
    std::vector<std::uint64_t> values_, threshold_;
    std::vector<std::int64_t> digits_;
};

}  // namespace conjunct::bind
