"""Batch machines on pooled rows: the conjunction SVM, the two published perceptrons, and their duals."""
