"""What an estimator's own run proves, as a certificate."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from conjunct.certificates.certify import checked
from conjunct.certificates.labelled_rows import LabelledRows
from conjunct.certificates.model_bound import bound_of_model
from conjunct.errors import BitsError
from conjunct.estimators.boolean_input import boolean_rows
from conjunct.estimators.margin_problems import row_weights
from conjunct.messages import shortened
from conjunct.settings import flag
from conjunct.tables.classes import class_numbers

if TYPE_CHECKING:
    from conjunct.certificates import BoundCertificate

__all__ = ["certificate_of"]


def certificate_of(
    estimator: Any,
    X: Any,
    y: Any,
    error_price: Fraction | None,
    check: bool,
    *,
    sample_weight: Any = None,
    class_weight: Any = None,
) -> BoundCertificate:
    """Return what the model of an estimator proves about every tree on these rows; weights are what errors cost."""
    check_is_fitted(estimator)
    rows = boolean_rows(estimator, X, reset=False)
    labels, numbers = class_numbers(y, rows.n_rows)
    known = {label: k for k, label in enumerate(estimator.classes_.tolist())}
    for label in labels.tolist():
        if label not in known:
            raise BitsError(f"y has the label {shortened(label)}, which is no class of the model")
    codes = np.array([known[label] for label in labels.tolist()], np.int64)[numbers]
    table = LabelledRows(rows, codes, tuple(map(str, known)))
    costs = row_weights(sample_weight, class_weight, estimator.classes_, codes)
    bound = bound_of_model(estimator.model_, table.with_costs(costs), error_price)
    return checked(bound) if flag(check, "check") else bound
