"""The linear program that asks how nearly signed rows cancel, solved in floats, its basis read in integers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from conjunct.exact.integer_systems import solve_exactly

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["CancellingProgram"]

PIVOT_WORK = 200_000  # features times pivots until Python sees signals: under a second at 200 features


class CancellingProgram:
    """Minimise the absolute sum of a_i g_i over a >= 0 with sum a_i = 1, for signed rows g_i added a few at a time.

    Parameters
    ----------
    n_features : int
        The columns of the signed rows but for the last, the threshold's, which must cancel exactly.

    Attributes
    ----------
    members : list of int
        Which rows were added, by the numbers given with them.
    n_pivots : int
        The pivots made so far.

    Notes
    -----
    minimise sum_j p_j + q_j  subject to  sum_i a_i g_ij + p_j - q_j = 0 for every feature j,  sum_i a_i g_i,n+1 = 0,
    sum_i a_i = 1,  all variables >= 0. The dual maximises t subject to v . g_i >= t and -1 <= v_j <= 1: the least value
    is the largest margin of weights in a box. It is 0 iff the rows cancel. With rows fewer than the data's the basis
    stays a square of n_features + 2, and added rows leave the last solution feasible.
    """

    def __init__(self, n_features: int) -> None:
        import highspy

        self._basic = highspy.HighsBasisStatus.kBasic
        self._optimal = highspy.HighsModelStatus.kOptimal
        self._limit = highspy.HighsModelStatus.kIterationLimit
        self._solver = highspy.Highs()  # type: ignore[no-untyped-call]  # highspy leaves it without types
        for option, value in (
            ("output_flag", False),
            ("presolve", "off"),
            ("parallel", "off"),
            ("solver", "simplex"),
            ("simplex_strategy", 4),  # primal: what was feasible stays so when rows are added
            ("primal_feasibility_tolerance", 1e-9),
            ("dual_feasibility_tolerance", 1e-9),
        ):
            self._solver.setOptionValue(option, value)
        self.n_features = n_features
        self.members: list[int] = []
        self.n_pivots = 0
        self._columns = np.zeros((n_features + 2, 0), np.int64)  # of the rows added: p_j and q_j are never written out
        sums = np.zeros(n_features + 2)
        sums[-1] = 1
        self._solver.addRows(n_features + 2, sums, sums, 0, np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0))
        count = 2 * n_features
        indices = np.arange(count, dtype=np.int32)
        self._add(count, 1.0, indices, indices // 2, np.where(indices % 2, -1.0, 1.0))

    def add(self, numbers: NDArray[np.int64], signed: NDArray[np.int64]) -> None:
        """Add signed rows, each with the number it will be known by."""
        columns = np.vstack((signed.T, np.ones(len(signed), np.int64)))
        self._columns = np.hstack((self._columns, columns))
        self.members.extend(numbers.tolist())
        where, rows = np.nonzero(columns.T)
        starts = np.searchsorted(where, np.arange(len(signed))).astype(np.int32)
        self._add(len(signed), 0.0, starts, rows.astype(np.int32), columns[rows, where].astype(np.float64))

    def solve(self, max_pivots: int) -> bool:
        """Solve in floats, from the last basis; false if the solver gives up or the pivots reach their limit."""
        at_once = max(20, PIVOT_WORK // self.n_features)
        while self.n_pivots < max_pivots:
            self._solver.setOptionValue("simplex_iteration_limit", min(at_once, max_pivots - self.n_pivots))
            self._solver.run()
            self.n_pivots += max(0, int(self._solver.getInfo().simplex_iteration_count))
            status = self._solver.getModelStatus()
            if status != self._limit:
                return bool(status == self._optimal)
        return False

    def value(self) -> float:
        """Return the least absolute sum, as the floats have it."""
        return float(self._solver.getInfo().objective_function_value)

    def weights(self) -> NDArray[np.float64]:
        """Return the weights v, as the floats have them, the threshold last."""
        return -np.array(self._solver.getSolution().row_dual, np.float64)[:-1]

    def exact_balance(self) -> dict[int, int] | None:
        """Return whole multipliers in ratio to those of the basis, by the numbers of their rows.

        None says that the basis is singular, that it does not cancel the rows, or that a multiplier would be negative.
        """
        basis = self._basis()
        if basis is None:
            return None
        matrix, variables = basis
        right = np.zeros(self.n_features + 2, np.int64)
        right[-1] = 1
        solution = solve_exactly(matrix, right)
        if solution is None:
            return None
        first = 2 * self.n_features
        multipliers: dict[int, int] = {}
        for variable, numerator in zip(variables, solution[0], strict=True):
            if numerator:
                if variable < first or numerator < 0:
                    return None
                multipliers[self.members[variable - first]] = numerator
        return multipliers

    def exact_weights(self) -> list[int] | None:
        """Return whole weights in ratio to those of the basis, the threshold last; None if the basis is singular."""
        basis = self._basis()
        if basis is None:
            return None
        matrix, variables = basis
        costs = np.array([0 <= variable < 2 * self.n_features for variable in variables], np.int64)
        solution = solve_exactly(np.ascontiguousarray(matrix.T), costs)
        return None if solution is None else [-numerator for numerator in solution[0][:-1]]

    def _basis(self) -> tuple[NDArray[np.int64], list[int]] | None:
        """Return the columns of the basis and their variables, -1 for the slack of an equation."""
        basis = self._solver.getBasis()
        columns = [index for index, status in enumerate(basis.col_status) if status == self._basic]
        slacks = [index for index, status in enumerate(basis.row_status) if status == self._basic]
        size, first = self.n_features + 2, 2 * self.n_features
        if len(columns) + len(slacks) != size:
            return None
        matrix = np.zeros((size, size), np.int64)
        for index, variable in enumerate(columns):
            if variable < first:
                matrix[variable // 2, index] = -1 if variable % 2 else 1
            else:
                matrix[:, index] = self._columns[:, variable - first]
        matrix[slacks, np.arange(len(columns), size)] = 1
        return matrix, columns + [-1] * len(slacks)

    def _add(
        self,
        count: int,
        cost: float,
        starts: NDArray[np.int32],
        rows: NDArray[np.int32],
        entries: NDArray[np.float64],
    ) -> None:
        """Add variables >= 0 of one cost, their columns given by where each starts, its rows and its entries."""
        costs, least, most = np.full(count, cost), np.zeros(count), np.full(count, self._solver.inf)
        self._solver.addCols(count, costs, least, most, len(rows), starts, rows, entries)
