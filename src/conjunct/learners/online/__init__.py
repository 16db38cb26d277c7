"""Learners that go from mistake to mistake: Perceptron, Winnow, exponentiated gradient; and what transcripts prove."""
