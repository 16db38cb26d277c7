#pragma once
#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

namespace conjunct::bind {

// Calls body(part, first, last) once per part on contiguous parts of [0, n), each on a thread of its own; the calling
// thread takes the first part. Where a thread cannot be started, for want of threads or of memory, its part runs here: the
// answer is the same. The body does not throw.
template <class Body>
void in_parallel(std::size_t n, std::size_t n_parts, Body body) {
    std::vector<std::thread> others;
    others.reserve(n_parts - 1);
    const auto start_of = [&](std::size_t part) { return n * part / n_parts; };
    const auto run = [&](std::size_t part) noexcept { body(part, start_of(part), start_of(part + 1)); };
    for (std::size_t part = 1; part < n_parts; ++part) {
        try {
            others.emplace_back(run, part);
        } catch (...) {
            run(part);
        }
    }
    run(0);
    for (std::thread& other : others) other.join();
}

// As many parts as threads were asked for, but none empty and at least one.
inline std::size_t parts_for(std::size_t n, std::size_t threads) {
    return std::max<std::size_t>(1, std::min(n, threads));
}

}  // namespace conjunct::bind
