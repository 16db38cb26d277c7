"""The ``kernel`` parameter of an estimator, searchable as ``kernel__max_size``."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, Self

from sklearn.base import BaseEstimator

from conjunct.errors import SettingError
from conjunct.kernels import Conjunctions, Kernel
from conjunct.messages import shortened

__all__ = ["KernelParameter"]


class KernelParameter(BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """An estimator with a ``kernel``, frozen, whose fields are parameters too: setting one replaces the kernel."""

    kernel: Any

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
        if self.kernel is None:
            return Conjunctions(max_size=3)
        if not isinstance(self.kernel, Kernel):
            raise SettingError(f"kernel={shortened(self.kernel)}: expected a kernel of conjunct.kernels, or None")
        return self.kernel
