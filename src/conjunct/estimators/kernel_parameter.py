"""The parameters of an estimator that say which conjunctions: ``max_size`` and ``literals``, or a whole ``kernel``."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, Self

from sklearn.base import BaseEstimator

from conjunct.errors import SettingError
from conjunct.kernels import Conjunctions, Kernel, MonotoneConjunctions
from conjunct.messages import shortened
from conjunct.settings import choice, whole_number

__all__ = ["DEFAULT_LITERALS", "DEFAULT_SIZE", "KINDS", "KernelParameter"]

KINDS = {"both": Conjunctions, "positive": MonotoneConjunctions}
DEFAULT_LITERALS = "both"
DEFAULT_SIZE = 3


class KernelParameter(BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """An estimator that takes ``literals`` and perhaps ``max_size``, or instead of them a ``kernel``, frozen.

    The fields of a kernel are parameters too, searchable as ``kernel__max_size``: setting one replaces the kernel.
    """

    kernel: Any
    literals: Any
    max_size: Any = DEFAULT_SIZE

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters as they were set; with ``deep`` also those of the kernel."""
        params: dict[str, Any] = super().get_params(deep=False)
        if deep and isinstance(self.kernel, Kernel):
            params |= {f"kernel__{field.name}": getattr(self.kernel, field.name) for field in fields(self.kernel)}
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters, ``kernel__name=value`` among them."""
        kernel_params = {
            name.removeprefix("kernel__"): params.pop(name) for name in list(params) if name.startswith("kernel__")
        }
        super().set_params(**params)
        if kernel_params:
            kernel = self._kernel()
            unknown = set(kernel_params) - {field.name for field in fields(kernel)}
            if unknown:
                raise SettingError(f"{type(kernel).__name__} has no parameter {shortened(min(unknown))}")
            self.kernel = replace(kernel, **kernel_params)
        return self

    def _kernel(self) -> Kernel:
        """Return the kernel given, or that of ``literals`` and ``max_size``; both at once are refused."""
        if self.kernel is None:
            size = self.max_size
            if size is not None:
                size = whole_number(size, "max_size", expected="a positive integer, or None for every size")
            return KINDS[choice(self.literals, "literals", tuple(KINDS))](size)
        if not isinstance(self.kernel, Kernel):
            raise SettingError(f"kernel={shortened(self.kernel)}: expected a kernel of conjunct.kernels, or None")
        for name, default in (("max_size", DEFAULT_SIZE), ("literals", DEFAULT_LITERALS)):
            value = getattr(self, name)
            if type(value) is not type(default) or value != default:
                raise SettingError(
                    f"{name}={shortened(value)}: a kernel is given too, {shortened(self.kernel)}, "
                    "and says it already; leave one of them out"
                )
        return self.kernel
