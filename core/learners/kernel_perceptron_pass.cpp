#include "learners/kernel_perceptron_pass.hpp"

#include <algorithm>

#include "kernels/exact_scores.hpp"
#include "kernels/signed_histogram.hpp"

namespace conjunct {
namespace {

void update(const Lesson& lesson, Support& support, std::size_t row) noexcept {
    const auto cell = static_cast<std::size_t>(lesson.cell_of[row]);
    const std::size_t n_words = lesson.cells.n_words;
    std::int64_t& slot = support.slot_of_cell[cell];
    if (slot < 0) {
        slot = static_cast<std::int64_t>(support.n_rows++);
        std::copy_n(lesson.cells.row(cell), n_words, support.words + static_cast<std::size_t>(slot) * n_words);
        support.weight[slot] = 0;
    }
    support.weight[slot] += lesson.label[row] * lesson.rate[row];
}

}  // namespace

PassEnd kernel_perceptron_pass(const Layout& layout, const ExactTable& table, const Lesson& lesson, Support& support,
                               std::size_t first, std::size_t last, std::size_t work, std::int64_t* histogram,
                               std::uint64_t* limbs, std::int64_t* mistaken) noexcept {
    PassEnd end{first, 0};
    std::size_t spent = 0;
    for (; end.position < last && spent < work; ++end.position) {
        const auto row = static_cast<std::size_t>(lesson.order[end.position]);
        const Rows seen{support.words, support.n_rows, lesson.cells.n_words};
        const auto cell = static_cast<std::size_t>(lesson.cell_of[row]);
        signed_histogram(layout, lesson.cells.row(cell), seen, support.weight, seen.n_rows, 1, histogram);
        if (reaches_threshold(table, histogram, limbs) != (lesson.label[row] > 0)) {
            mistaken[end.n_mistakes++] = static_cast<std::int64_t>(end.position);
            update(lesson, support, row);
        }
        spent += layout.n_summands * seen.n_rows * seen.n_words + table.n_values * (table.digits ? 1 : table.n_limbs);
    }
    return end;
}

}  // namespace conjunct
