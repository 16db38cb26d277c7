"""Table 1 of [kowalczyk2002], by learner and degree d, and what does not fit together in it."""

from __future__ import annotations

__all__ = ["BOUNDS", "ERRORS", "INCONSISTENCIES", "RISKS", "SIZES"]

RISKS = {
    ("C4.5", 3): 110,
    ("C4.5", 7): 80,
    ("margin (SVM)", 3): 44.4,
    ("margin (SVM)", 7): 40.8,
    ("perceptron", 3): 53.1,
    ("perceptron", 7): 54.9,
    ("mask perceptron", 3): 53.2,
    ("mask perceptron", 7): 49.1,
}
SIZES = {
    ("C4.5", 3): 4,
    ("C4.5", 7): 17,
    ("margin (SVM)", 3): 413,
    ("margin (SVM)", 7): 382,
    ("perceptron", 3): 294,
    ("perceptron", 7): 286,
    ("mask perceptron", 3): 10,
    ("mask perceptron", 7): 26,
}
BOUNDS = {
    ("margin", 3): 44.3,
    ("margin", 7): 40.7,
    ("perceptron", 3): 39.7,
    ("perceptron", 7): 36.2,
}
ERRORS = {  # % of the training rows, % of the test rows
    ("C4.5", 3): (21.3, 22.9),
    ("C4.5", 7): (12.0, 15.8),
    ("margin (SVM)", 3): (12.2, 15.1),
    ("margin (SVM)", 7): (11.2, 14.8),
    ("perceptron", 3): (11.8, 16.3),
    ("perceptron", 7): (13.8, 17.1),
    ("mask perceptron", 3): (12.8, 15.7),
    ("mask perceptron", 7): (11.8, 15.6),
    ("Bayes rule", 3): (11.2, 13.8),
    ("Bayes rule", 7): (11.2, 13.8),
}
INCONSISTENCIES = (
    "in print, 17 leaves and 12.0 % of 500 rows make 77, not 80",
    "in print, 21.3 % is no multiple of 1/500; 4 leaves and 106 errors make 110, and would be 21.2 %",
    "in print, it is not said how C4.5 was held to d = 3, and bounds are cited as formulas (11) and (9), evidently "
    "their first forms 1/V and t²/V",
)
