"""Integer and rational linear algebra, the simplex method, set cover."""
