#pragma once
#include <cmath>
#include <utility>

#include "bind/sparse_lesson.hpp"
#include "learners/winnow_pass.hpp"

namespace conjunct::bind {

// A table of 2 n + 1 entries, from -n to n.
inline const double* middle(const Doubles& table) { return table.data() + table.shape(0) / 2; }

class NativeNetWeights {
public:
    NativeNetWeights(Array<std::int32_t, 1> exponents, Doubles table, Array<const std::uint8_t, 1> is_exact,
                     bool eliminates, bool is_saturated)
        : exponents_{exponents},
          table_{table},
          is_exact_{is_exact},
          eliminates_{eliminates},
          is_saturated_{is_saturated} {
        require(table.shape(0) % 2 == 1 && is_exact.shape(0) == table.shape(0) && table.shape(0) < most_exponent,
                "tables: of one odd length expected");
    }
    NetWeights view(const Reach& reach) const {
        const std::size_t n = table_.shape(0) / 2;
        return {exponents_.data(), middle(table_), is_exact_.data() + n, static_cast<std::int32_t>(n), eliminates_,
                is_saturated_,     reach};
    }
    std::size_t n_places() const { return exponents_.shape(0); }
    bool has_table_of(std::size_t n_sizes) const { return n_sizes == table_.shape(0); }

private:
    Array<std::int32_t, 1> exponents_;
    Doubles table_;
    Array<const std::uint8_t, 1> is_exact_;
    bool eliminates_, is_saturated_;
};

class NativeApartWeights {
public:
    NativeApartWeights(Array<std::int32_t, 2> counts, Array<double, 1> weights, Doubles by_promotions,
                       Places promotion_exponents, Doubles by_demotions, Places demotion_exponents)
        : counts_{counts},
          weights_{weights},
          by_promotions_{by_promotions},
          by_demotions_{by_demotions},
          promotion_exponents_{promotion_exponents},
          demotion_exponents_{demotion_exponents} {
        const std::size_t n = by_promotions.shape(0);
        require(counts.shape(1) == 2 && counts.shape(0) == weights.shape(0), "counts: two per weight expected");
        require(1 <= n && n < most_exponent && promotion_exponents.shape(0) == n && by_demotions.shape(0) == n &&
                    demotion_exponents.shape(0) == n,
                "tables: of one length expected");
    }
    ApartWeights view(const Reach& reach) const {
        static_assert(sizeof(ApartWeights::Counts) == 2 * sizeof(std::int32_t));
        return {reinterpret_cast<ApartWeights::Counts*>(counts_.data()),
                weights_.data(),
                by_promotions_.data(),
                by_demotions_.data(),
                promotion_exponents_.data(),
                demotion_exponents_.data(),
                static_cast<std::int32_t>(by_promotions_.shape(0) - 1),
                reach};
    }
    std::size_t n_places() const { return weights_.shape(0); }
    bool has_table_of(std::size_t) const { return false; }

private:
    Array<std::int32_t, 2> counts_;
    Array<double, 1> weights_;
    Doubles by_promotions_, by_demotions_;
    Places promotion_exponents_, demotion_exponents_;
};

// Edges and thickness of negative rows first, as in the core.
class NativeWinnowRule {
public:
    NativeWinnowRule(double predict_at, std::pair<double, double> edges, std::pair<bool, bool> is_thick,
                     bool has_constant, std::optional<Doubles> size_by_net)
        : predict_at_{predict_at},
          edges_{edges},
          is_thick_{is_thick},
          has_constant_{has_constant},
          size_{size_by_net} {}
    WinnowRule view(std::size_t n_places) const {
        return {predict_at_,
                {edges_.first, edges_.second},
                {is_thick_.first, is_thick_.second},
                size_ ? middle(*size_) : nullptr,
                has_constant_ ? static_cast<std::int32_t>(n_places - 1) : -1};
    }
    bool has_constant() const { return has_constant_; }
    std::size_t n_sizes() const { return size_ ? size_->shape(0) : 0; }

private:
    double predict_at_;
    std::pair<double, double> edges_;
    std::pair<bool, bool> is_thick_;
    bool has_constant_;
    std::optional<Doubles> size_;
};

// `lasting` is (sum, until) of every place, `n_by_net` how many variables have an exponent, beside their size; `reach` the
// lowest and the highest exponent and the largest weight there ever was.
class NativeWinnowState {
public:
    NativeWinnowState(std::optional<Array<double, 2>> lasting, std::optional<Array<std::int64_t, 1>> n_by_net,
                      Array<double, 1> reach)
        : lasting_{lasting}, n_by_net_{n_by_net}, reach_{reach} {
        require(!lasting || lasting->shape(1) == 2, "lasting: a sum and a step expected");
        require(reach.shape(0) == 3, "reach: two exponents and a weight expected");
        for (int end = 0; end < 2; ++end)
            require(std::fabs(reach.data()[end]) <= 2.0 * most_exponent - 1, "reach: out of range");
    }
    WinnowState view() const {
        static_assert(sizeof(Lasting) == 2 * sizeof(double));
        return {lasting_ ? reinterpret_cast<Lasting*>(lasting_->data()) : nullptr,
                n_by_net_ ? n_by_net_->data() + n_by_net_->shape(0) / 2 : nullptr};
    }
    Reach reach() const {
        const double* reach = reach_.data();
        return {static_cast<std::int32_t>(reach[0]), static_cast<std::int32_t>(reach[1]), reach[2]};
    }
    void reached(const Reach& reach) const {
        reach_.data()[0] = reach.lowest;
        reach_.data()[1] = reach.highest;
        reach_.data()[2] = reach.largest;
    }
    bool has_room_for(std::size_t n_places) const { return !lasting_ || lasting_->shape(0) == n_places; }
    bool averages() const { return lasting_.has_value(); }
    std::size_t n_sizes() const { return n_by_net_ ? n_by_net_->shape(0) : 0; }

private:
    std::optional<Array<double, 2>> lasting_;
    std::optional<Array<std::int64_t, 1>> n_by_net_;
    Array<double, 1> reach_;
};

}  // namespace conjunct::bind
