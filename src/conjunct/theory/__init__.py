"""Exact definitions and bounds in int and Fraction: slow, obviously right, and what every fast path is tested against.

The few that need floats (normalised Winnow, the exponentiated gradient) say so.
"""

from __future__ import annotations

from conjunct.theory.decisions import (
    decision_value,
)
from conjunct.theory.exact import (
    Exact,
    exact,
)
from conjunct.theory.expansions import (
    floor_carry_sign,
    signed_histogram,
    signed_sum,
    votes,
)
from conjunct.theory.exponentiated_gradient_bounds import (
    exponentiated_gradient_bound,
    exponentiated_gradient_rate,
    relative_entropy,
    signed_relative_entropy,
)
from conjunct.theory.interpolation import (
    conjunctions_interpolation_bound,
    conjunctions_interpolation_norm_sq,
)
from conjunct.theory.kernels import (
    Row,
    agreement_count,
    conjunction_table,
    conjunctions_kernel,
    gram,
    monotone_conjunctions_kernel,
)
from conjunct.theory.linear_learners import (
    Example,
    Run,
    Update,
    run_balanced_winnow,
    run_elimination,
    run_halving,
    run_perceptron,
    run_winnow,
)
from conjunct.theory.margin_bounds import (
    margin_error_bound,
    margin_step_limit,
    margin_stop_ratio,
    margin_value,
    margin_value_floor,
    perceptron_error_bound,
    perceptron_update_limit,
    perceptron_value,
    perceptron_value_floor,
)
from conjunct.theory.margin_machines import (
    MarginState,
    RegularizedRun,
    maximal_margin_steps,
    regularized_perceptron,
)
from conjunct.theory.margin_values import (
    Gram,
    box_value,
    quadratic_form,
    regularised_risk,
    ridge_value,
    rounded_weights,
    square_risk,
    svm_value,
)
from conjunct.theory.mistake_bounds import (
    ceil_log,
    elimination_bound,
    elimination_literals_bound,
    floor_with_log,
    floor_with_sqrt,
    halving_bound,
)
from conjunct.theory.naive_bayes import (
    NaiveBayes,
    naive_bayes,
    naive_bayes_threshold_errors,
)
from conjunct.theory.pac_bounds import (
    pac_examples,
    pac_printed_length,
    pac_survival_error,
    pac_survival_length,
)
from conjunct.theory.perceptron_bounds import (
    perceptron_best_constant_bound,
    perceptron_bound,
    perceptron_demotion_count,
    perceptron_deviation_bound,
    perceptron_hinge_bound,
    perceptron_promotion_count,
    perceptron_sparse_disjunction_bound,
    perceptron_sparse_refuted_width,
)
from conjunct.theory.vector_learners import (
    Regression,
    exponentiated_gradient,
    exponentiated_gradient_plus_minus,
    run_normalised_winnow,
    run_perceptron_on_vectors,
)
from conjunct.theory.winnow_bounds import (
    normalised_winnow_bound,
    normalised_winnow_rate,
    winnow1_bound,
    winnow1_demotion_bound,
    winnow2_bound,
    winnow2_demotion_bound,
    winnow_promotion_bound,
    winnow_refuted_width,
    winnow_refuted_width_by_promotions,
    winnow_repeat_count,
    winnow_sparse_bound,
    winnow_sparse_refuted_width,
)

__all__ = [
    "Exact",
    "Example",
    "Gram",
    "MarginState",
    "NaiveBayes",
    "Regression",
    "RegularizedRun",
    "Row",
    "Run",
    "Update",
    "agreement_count",
    "box_value",
    "ceil_log",
    "conjunction_table",
    "conjunctions_interpolation_bound",
    "conjunctions_interpolation_norm_sq",
    "conjunctions_kernel",
    "decision_value",
    "elimination_bound",
    "elimination_literals_bound",
    "exact",
    "exponentiated_gradient",
    "exponentiated_gradient_bound",
    "exponentiated_gradient_plus_minus",
    "exponentiated_gradient_rate",
    "floor_carry_sign",
    "floor_with_log",
    "floor_with_sqrt",
    "gram",
    "halving_bound",
    "margin_error_bound",
    "margin_step_limit",
    "margin_stop_ratio",
    "margin_value",
    "margin_value_floor",
    "maximal_margin_steps",
    "monotone_conjunctions_kernel",
    "naive_bayes",
    "naive_bayes_threshold_errors",
    "normalised_winnow_bound",
    "normalised_winnow_rate",
    "pac_examples",
    "pac_printed_length",
    "pac_survival_error",
    "pac_survival_length",
    "perceptron_best_constant_bound",
    "perceptron_bound",
    "perceptron_demotion_count",
    "perceptron_deviation_bound",
    "perceptron_error_bound",
    "perceptron_hinge_bound",
    "perceptron_promotion_count",
    "perceptron_sparse_disjunction_bound",
    "perceptron_sparse_refuted_width",
    "perceptron_update_limit",
    "perceptron_value",
    "perceptron_value_floor",
    "quadratic_form",
    "regularised_risk",
    "regularized_perceptron",
    "relative_entropy",
    "ridge_value",
    "rounded_weights",
    "run_balanced_winnow",
    "run_elimination",
    "run_halving",
    "run_normalised_winnow",
    "run_perceptron",
    "run_perceptron_on_vectors",
    "run_winnow",
    "signed_histogram",
    "signed_relative_entropy",
    "signed_sum",
    "square_risk",
    "svm_value",
    "votes",
    "winnow1_bound",
    "winnow1_demotion_bound",
    "winnow2_bound",
    "winnow2_demotion_bound",
    "winnow_promotion_bound",
    "winnow_refuted_width",
    "winnow_refuted_width_by_promotions",
    "winnow_repeat_count",
    "winnow_sparse_bound",
    "winnow_sparse_refuted_width",
]
