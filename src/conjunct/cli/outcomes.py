"""What a learner says about its learning: as data, and as lines of text."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from conjunct.messages import printable

if TYPE_CHECKING:
    from conjunct.tables import TableEncoding

__all__ = ["outcome", "outcome_lines"]

# What each solver counts.
COUNTED = {"exact": "blocks", "margin": "steps", "perceptron": "updates"}
STOPS = {
    "gap": "gap reached",
    "no update": "no update left",
    "time_limit": "time limit",
    "precision": "precision of floats",
}
MASK_STOPS = {
    "max_terms": "--max-terms",
    "min_gain": "--min-gain",
    "no conjunction left": "no conjunction left",
}


def outcome(learner: Any, encoding: TableEncoding) -> dict[str, Any]:
    """Return how a fitted learner came to its end."""
    from conjunct.estimators import ConjunctionSVC, ConjunctionSVCCV, MaskPerceptronClassifier

    if isinstance(learner, MaskPerceptronClassifier):
        return mask_outcome(learner, encoding)
    if not isinstance(learner, ConjunctionSVC):
        return {
            "stopped_by": learner.stopped_by_,
            "passes": learner.n_passes_,
            "mistakes": learner.n_mistakes_,
            "prediction": learner.prediction_,
        }
    labels = [encoding.positive] if len(encoding.labels) == 2 else encoding.labels
    columns = (learner.bound_, learner.risk_, learner.gap_, learner.n_support_, learner.n_iter_, learner.stopped_by_)
    outputs = zip(*([column] if len(labels) == 1 else column for column in columns), strict=True)
    result = {
        "solver": getattr(learner, "solver", "exact"),
        "lam": ratio_text(learner.lam_),
        "outputs": [
            {
                "label": label,
                "bound": ratio_text(bound),
                "risk": ratio_text(risk),
                "gap": float(gap),
                "support_rows": int(n_support),
                "iterations": int(n_iter),
                "stopped_by": stopped_by,
            }
            for label, (bound, risk, gap, n_support, n_iter, stopped_by) in zip(labels, outputs, strict=True)
        ],
    }
    if isinstance(learner, ConjunctionSVCCV):
        result |= {"max_size": learner.max_size_, "search_accuracy": learner.best_score_}
    return result


def mask_outcome(learner: Any, encoding: TableEncoding) -> dict[str, Any]:
    """Return what a mask perceptron came to: of each output the risk, the terms, and why there are no more."""
    import numpy as np

    labels = [encoding.positive] if len(encoding.labels) == 2 else encoding.labels
    risks, stops = ((value,) if len(labels) == 1 else value for value in (learner.risk_, learner.stopped_by_))
    return {
        "lam": ratio_text(learner._learner().lam),
        "masks": [
            {
                "label": label,
                "risk": ratio_text(risk),
                "terms": int(np.count_nonzero(weights)),
                "stopped_by": stopped_by,
            }
            for label, risk, weights, stopped_by in zip(labels, risks, learner.model_.weights, stops, strict=True)
        ],
    }


def outcome_lines(result: dict[str, Any]) -> list[str]:
    """Return the lines that say what `outcome` and the training accuracy hold."""
    right = f"{100 * result['training_accuracy']:.2f} % of them are right."
    if "masks" in result:
        lines = [f"Learning on all rows, lam {short(result['lam'])}: {right}"]
        labels = [printable(output["label"]) for output in result["masks"]]
        width = max(8, *map(len, labels))
        lines.append(f"  {'output':{width}} {'risk':>12} {'terms':>8}  stopped by")
        for label, output in zip(labels, result["masks"], strict=True):
            reason = MASK_STOPS[output["stopped_by"]]
            lines.append(f"  {label:{width}} {short(output['risk']):>12} {output['terms']:8}  {reason}")
        return lines
    if "outputs" not in result:
        ended = "without a mistake" if result["stopped_by"] == "consistent" else "at the pass limit"
        return [f"Learning on all rows ended {ended} after {result['passes']} passes; {right}"]
    lines = []
    lam = short(result["lam"])
    if "max_size" in result:
        lines.append(
            f"The search chose conjunctions of size up to {result['max_size']} and lam {lam}: "
            f"{100 * result['search_accuracy']:.2f} % right in its own folds."
        )
    lines.append(f"Learning on all rows, lam {lam}: {right} No polynomial has a risk below the bound.")
    labels = [printable(output["label"]) for output in result["outputs"]]
    width = max(8, *map(len, labels))
    counted = COUNTED[result["solver"]]
    lines.append(f"  {'output':{width}} {'bound':>12} {'risk':>12} {'gap':>9} support rows {counted:>8}  stopped by")
    for label, output in zip(labels, result["outputs"], strict=True):
        lines.append(
            f"  {label:{width}} {short(output['bound']):>12} {short(output['risk']):>12} {output['gap']:9.2g} "
            f"{output['support_rows']:12} {output['iterations']:8}  {STOPS[output['stopped_by']]}"
        )
    return lines


def ratio_text(value: Fraction) -> str:
    """Spell an exact number, however long: "p/q", or "p" where it is whole.

    Examples
    --------
    >>> ratio_text(Fraction(3, 6)), ratio_text(Fraction(-7)), len(ratio_text(Fraction(10**5000)))
    ('1/2', '-7', 5001)
    """
    numerator, denominator = (f"{Decimal(number):f}" for number in value.as_integer_ratio())
    return numerator if denominator == "1" else f"{numerator}/{denominator}"


def short(ratio: str) -> str:
    """Return six digits of what `ratio_text` spelled; floats would end at 1e308.

    Examples
    --------
    >>> short("1/3"), short("12"), short("1" + 400 * "0")
    ('0.333333', '12', '1e+400')
    """
    numerator, _, denominator = ratio.partition("/")
    with localcontext(prec=6):
        value = Decimal(numerator) / Decimal(denominator or 1)
        return f"{value.normalize():f}" if -4 <= value.adjusted() < 6 or not value else f"{value.normalize():e}"
