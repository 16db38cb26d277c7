"""Finite classes: halving, elimination, shortest formulas, trees."""
