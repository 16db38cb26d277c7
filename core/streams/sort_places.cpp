#include "streams/sort_places.hpp"

#include <algorithm>

namespace conjunct {
namespace {

constexpr std::size_t few = 64;

// Every place is compared with every other: more work than sorting, but without a branch to guess.
void sort_few(std::vector<std::int32_t>& places) noexcept {
    std::int32_t given[few];
    const std::size_t n = places.size();
    std::copy(places.begin(), places.end(), given);
    std::fill(places.begin(), places.end(), -1);  // several may be -1: they have one rank, the lowest
    for (std::size_t k = 0; k < n; ++k) {
        std::uint32_t rank = 0;
        for (std::size_t other = 0; other < n; ++other) rank += given[other] < given[k];
        places[rank] = given[k];
    }
}

}  // namespace

void sort_places(std::vector<std::int32_t>& places) {
    if (places.size() <= few)
        sort_few(places);
    else
        std::sort(places.begin(), places.end());
}

}  // namespace conjunct
