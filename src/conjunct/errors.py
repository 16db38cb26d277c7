"""Every exception conjunct raises on purpose.

::

    ConjunctError
     ├── BitsError (ValueError)          a table that is not Boolean, not rectangular, or of another width
     │    └── RowError                   an entry or a label that is refused, its row named
     ├── CertificateError (ValueError)   a certificate that is rejected, unreadable, or dearer to check than the limit
     ├── FormulaError (ValueError)       a formula that cannot be read, evaluated or searched within its budget
     ├── KernelError (ValueError)        a kernel that cannot be built, or whose values pass the range asked for
     ├── ModelFileError (ValueError)     a model file that is truncated, changed, foreign or of an unknown version
     ├── SettingError (ValueError)       a parameter or a CONJUNCT_* variable with a value it cannot take
     │    └── OptionError                an option that the kind of data found has no use for
     ├── BusyError (RuntimeError)        two fits at once on one estimator
     └── MemoryLimitError (MemoryError)  an array refused before it is allocated, need and limit named

    UnseenWarning (UserWarning)          entries unlike any that were learned from, where a Binarizer is to warn

Each message names the thing, says what was expected and what came, and offers the next step.
"""

from __future__ import annotations

__all__ = [
    "BitsError",
    "BusyError",
    "CertificateError",
    "ConjunctError",
    "FormulaError",
    "KernelError",
    "MemoryLimitError",
    "ModelFileError",
    "OptionError",
    "RowError",
    "SettingError",
    "UnseenWarning",
]


class ConjunctError(Exception):
    """What every exception of conjunct is."""


class BitsError(ConjunctError, ValueError):
    """A table that is not Boolean, not rectangular, or of another width."""


class RowError(BitsError):
    """An entry or a label that is refused, its row named.

    Attributes
    ----------
    what : str
        What is wrong, without its place.
    row : int
        Where, counted from 0.
    reason : str
        What was expected instead, or why.

    Examples
    --------
    >>> print(RowError("column 'age' has 'old'", 7, "expected a number"))
    column 'age' has 'old' in row 7; expected a number
    """

    def __init__(self, what: str, row: int, reason: str) -> None:
        super().__init__(what, row, reason)
        self.what, self.row, self.reason = what, row, reason

    def __str__(self) -> str:
        return f"{self.what} in row {self.row}; {self.reason}"


class CertificateError(ConjunctError, ValueError):
    """A certificate that is rejected, cannot be read, or is dearer to check than the limit.

    Attributes
    ----------
    code : int
        The exit code of the checker: 1 rejected, 2 not readable, 3 not checked.
    """

    def __init__(self, reason: str, code: int = 1) -> None:
        super().__init__(reason)
        self.code = code


class FormulaError(ConjunctError, ValueError):
    """A formula that cannot be read, evaluated or searched within its budget."""


class KernelError(ConjunctError, ValueError):
    """A kernel that cannot be built, or whose values pass the range asked for."""


class ModelFileError(ConjunctError, ValueError):
    """A model file that is truncated, changed, foreign or of an unknown version."""


class SettingError(ConjunctError, ValueError):
    """A parameter or a ``CONJUNCT_*`` variable with a value it cannot take."""


class OptionError(SettingError):
    """An option that the kind of data found has no use for.

    Attributes
    ----------
    option : str
        The name of the option.
    """

    def __init__(self, option: str, reason: str) -> None:
        super().__init__(option, reason)
        self.option = option

    def __str__(self) -> str:
        return str(self.args[1])


class BusyError(ConjunctError, RuntimeError):
    """Two fits at once on one estimator."""


class MemoryLimitError(ConjunctError, MemoryError):
    """An array refused before it is allocated, need and limit named."""


class UnseenWarning(UserWarning):
    """Entries unlike any that were learned from."""
