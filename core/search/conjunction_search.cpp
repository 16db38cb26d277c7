#include "search/conjunction_search.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <new>
#include <thread>

#include "search/conjunction_walk.hpp"

namespace conjunct {

ConjunctionSearch::ConjunctionSearch(const WeightedCells& cells, const ConjunctionSettings& settings, WideScales scales,
                                     std::span<const std::int64_t> least)
    : cells_{cells},
      settings_{settings},
      scales_{scales},
      list_{scales, least, settings.top, settings.lists_sets_once},
      unvisited_(scales.n_sizes(), INT64_MIN) {
    const Weighed weighed = cells.weigh(cells.all().data(), cells.all().data());
    all_ = {weighed.first, weighed.second};
    for (std::uint32_t l = 0; l < cells.n_literals(); ++l) {
        if (l % 2 == 0 && !settings.has_negations) continue;
        const Weighed own = cells.weigh(cells.all().data(), cells.column(l));
        if (own.kept) literals_.push_back({l, {own.first, own.second}});
    }
    // Those that promise most come last, so that few literals are open below them.
    const auto promise = [&](const Candidate& one) {
        return settings_.is_signed ? one.sums.positive : std::max(one.sums.positive, -one.sums.negative);
    };
    std::stable_sort(literals_.begin(), literals_.end(),
                     [&](const Candidate& a, const Candidate& b) { return promise(a) < promise(b); });
}

void ConjunctionSearch::stop(StopReason reason) noexcept {
    auto none = StopReason::none;
    stopped_by_.compare_exchange_strong(none, reason);
}

// What sums come to at most when so much of the negative ones, or of the positive ones, is taken away: by size, or by
// itself where signs count. most, least: limits of the sums.
std::int64_t ConjunctionSearch::reach(CellSums most, CellSums least, std::int64_t gain,
                                      std::int64_t loss) const noexcept {
    const std::int64_t upper = most.positive + std::min<std::int64_t>(0, most.negative + gain);
    const std::int64_t lower = least.negative + std::max<std::int64_t>(0, least.positive - loss);
    return settings_.is_signed ? upper : std::max(upper, -lower);
}

std::int64_t ConjunctionSearch::bound_of_all(std::size_t size) const noexcept {
    Gains gains{size}, losses{size};
    for (const Candidate& one : literals_) {
        gains.add(one.sums.negative - all_.negative);
        losses.add(all_.positive - one.sums.positive);
    }
    gains.close(), losses.close();
    return reach(all_, all_, gains.all, losses.all);
}

void ConjunctionSearch::run(std::size_t n_threads, Watch watch) {
    if (size_of(all_.total()) >= list_.least(0)) list_.offer(all_.total(), size_of(all_.total()), {}, cells_.all());
    for (std::size_t size = 1; size <= settings_.max_size; ++size) {
        if (scales_.is_zero(size)) continue;
        try {
            go_through_size(size, n_threads, watch);
        } catch (const std::bad_alloc&) {
            stop(StopReason::memory);
        }
        if (stopped_by() == StopReason::memory) unvisited_[size] = bound_of_all(size);
    }
}

void ConjunctionSearch::go_through_size(std::size_t size, std::size_t n_threads, Watch watch) {
    size_ = size;
    list_.begin_size(size);
    // A shorter conjunction of the same cells comes first where it does not weigh less.
    const auto shorter = scales_.compare(1, size - 1, 1, size);
    const bool is_positive = !settings_.is_signed || list_.least(size) >= 0 || shorter == 0;
    drops_equal_sets_ = settings_.lists_sets_once && is_positive && shorter >= 0;
    Walk first{*this, &watch};
    first.expand(cells_.all().data(), all_, literals_, all_);
    next_task_ = 0;
    work_in_threads(first, std::min(n_threads, first.kept[0].size()), watch);
}

// Each thread takes the next literal of the root that is left. Where a thread cannot be started the others do its work.
void ConjunctionSearch::work_in_threads(Walk& first, std::size_t n_threads, Watch watch) {
    std::mutex lock;
    std::condition_variable is_done;
    std::size_t n_running = 0;
    std::int64_t unvisited = INT64_MIN;
    const std::vector<Candidate> root = first.kept[0];
    const auto work = [&]() noexcept {
        std::int64_t own = INT64_MIN;
        try {
            Walk walk{*this, nullptr};
            walk.work(root);
            own = walk.unvisited;
        } catch (const std::bad_alloc&) {
            stop(StopReason::memory);
        }
        const std::scoped_lock locked{lock};
        unvisited = std::max(unvisited, own);
        --n_running;
        is_done.notify_one();
    };
    std::vector<std::thread> others;
    others.reserve(n_threads);
    for (std::size_t k = 1; k < n_threads; ++k) {
        const std::scoped_lock locked{lock};
        try {
            others.emplace_back(work), ++n_running;
        } catch (...) {
            break;
        }
    }
    try {
        first.work(root);
    } catch (const std::bad_alloc&) {
        stop(StopReason::memory);
    }
    for (std::unique_lock locked{lock}; n_running;)
        if (is_done.wait_for(locked, std::chrono::milliseconds(30)) == std::cv_status::timeout) {
            locked.unlock();
            if (watch.is_over(watch.context)) stop(StopReason::interrupt);
            locked.lock();
        }
    for (std::thread& other : others) other.join();
    unvisited_[size_] = std::max(first.unvisited, unvisited);
}

}  // namespace conjunct
