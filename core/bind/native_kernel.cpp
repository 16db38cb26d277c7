#include "bind/native_kernel.hpp"

#include <bit>

namespace conjunct::bind {

NativeLayout::NativeLayout(Array<const std::uint8_t, 1> same, Array<const std::uint64_t, 2> masks,
                           Array<const std::int32_t, 1> strides, Array<const std::int32_t, 1> summand_of,
                           Array<const std::int32_t, 1> offsets, std::size_t n_values)
    : masks_(masks.data(), masks.data() + masks.size()), n_words_(masks.shape(1)), n_values_(n_values) {
    const std::size_t n_factors = same.shape(0), n_summands = offsets.shape(0);
    require(masks.shape(0) == n_factors && strides.shape(0) == n_factors && summand_of.shape(0) == n_factors,
            "layout: one mask, stride and summand per factor expected");
    require(n_summands > 0 && n_words_ > 0, "layout: at least one summand and one variable expected");
    factors_.reserve(n_factors);
    for (std::size_t f = 0; f < n_factors; ++f) {
        const std::uint64_t* mask = masks_.data() + f * n_words_;
        std::int32_t size = 0;
        for (std::size_t w = 0; w < n_words_; ++w) size += std::popcount(mask[w]);
        factors_.push_back({same.data()[f] != 0, mask, size, strides.data()[f]});
    }
    std::size_t f = 0;
    for (std::size_t t = 0; t < n_summands; ++t) {
        const std::size_t begin = f;
        std::int64_t largest = offsets.data()[t];
        require(largest >= 0, "layout: negative offset");
        for (; f < n_factors && summand_of.data()[f] == static_cast<std::int32_t>(t); ++f) {
            require(factors_[f].stride >= 0, "layout: negative stride");
            largest += static_cast<std::int64_t>(factors_[f].stride) * factors_[f].size;
        }
        require(largest < static_cast<std::int64_t>(n_values), "layout: an index leaves the table");
        summands_.push_back({factors_.data() + begin, f - begin, offsets.data()[t]});
    }
    require(f == n_factors, "layout: factors out of the order of their summands");
}

NativeTable::NativeTable(Array<const std::uint64_t, 2> values, Array<const std::uint64_t, 1> threshold,
                         std::optional<Array<const std::int64_t, 1>> digits)
    : values_(values.data(), values.data() + values.size()),
      threshold_(threshold.data(), threshold.data() + threshold.size()) {
    require(values.shape(0) > 0 && values.shape(1) > 0 && values.shape(1) == threshold.shape(0),
            "table: values and threshold of one width expected");
    if (digits) {
        require(digits->shape(0) == values.shape(0), "table: one digit per value expected");
        digits_.assign(digits->data(), digits->data() + digits->size());
    }
}

}  // namespace conjunct::bind
