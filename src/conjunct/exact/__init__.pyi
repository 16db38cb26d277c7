from conjunct.exact.cancelling_program import CancellingProgram as CancellingProgram
from conjunct.exact.integer_systems import common_measure as common_measure
from conjunct.exact.integer_systems import solve_exactly as solve_exactly
from conjunct.exact.rank import rank as rank
from conjunct.exact.set_cover import Cover as Cover
from conjunct.exact.set_cover import smallest_cover as smallest_cover
from conjunct.exact.simplex import balance_or_weights as balance_or_weights
