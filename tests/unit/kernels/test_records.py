import json
from dataclasses import dataclass

import pytest

from conjunct.errors import ConjunctError, ModelFileError
from conjunct.kernels import Conjunctions, Geometric, Kernel, MonotoneConjunctions, kernel_from_record, kernel_record

KERNELS = [
    Conjunctions(),
    MonotoneConjunctions(max_size=3),
    Conjunctions(costs=Geometric("2/3")),
    Conjunctions(1, costs=["1/3", 0.1]),
    Conjunctions(2).on([0, "b"]) * MonotoneConjunctions().on([3]) + Conjunctions(),
]
NOT_RECORDS = [None, 0, 1.5, True, "conjunctions", [], {}, [[]], {"kind": None}, {"kind": []}, {"kind": {}}]


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_a_kernel_survives_its_record_through_json(kernel):
    record = kernel_record(kernel)
    assert kernel_from_record(json.loads(json.dumps(record))) == kernel


def mutations(value):
    """Every way to put something else in one place of a record, drop a key, or add one."""
    yield from NOT_RECORDS
    yield -1
    yield "1/0"
    yield "x"
    yield float("nan")
    yield ["1", 2]
    yield {"eps": 1}
    yield {"eps": "-1"}
    yield {"eps": "1", "more": 1}
    if isinstance(value, dict):
        for key, inner in value.items():
            yield {other: kept for other, kept in value.items() if other != key}
            yield {**value, "other": 1}
            yield from ({**value, key: changed} for changed in mutations(inner))
    if isinstance(value, list):
        for place, inner in enumerate(value):
            yield value[:place]
            yield from ([*value[:place], changed, *value[place + 1 :]] for changed in mutations(inner))


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_a_changed_record_is_another_kernel_or_refused_as_ours(kernel):
    refused = 0
    for changed in mutations(kernel_record(kernel)):
        try:
            rebuilt = kernel_from_record(changed)
        except ConjunctError:
            refused += 1
        else:
            assert kernel_from_record(kernel_record(rebuilt)) == rebuilt
    assert refused > 40


@pytest.mark.parametrize("record", NOT_RECORDS, ids=repr)
def test_what_is_not_a_record_is_refused(record):
    with pytest.raises(ModelFileError):
        kernel_from_record(record)


@pytest.mark.parametrize(
    "costs", [5, "1/2", {"eps": 1}, {"eps": 0.5}, {}, {"eps": "1/2", "more": 1}, [1, 2], ["1", None]]
)
def test_costs_are_null_a_list_of_ratios_or_an_eps_and_nothing_else(costs):
    with pytest.raises(ModelFileError, match=r"the costs of a kernel are null|an exact number in a model is a string"):
        kernel_from_record({"kind": "conjunctions", "max_size": None, "costs": costs})


def test_an_unknown_kernel_is_refused_by_name():
    with pytest.raises(ModelFileError, match="unknown kernel, 'gaussian'"):
        kernel_from_record({"kind": "gaussian", "gamma": 1})
    with pytest.raises(ModelFileError, match="unknown kernel, 'conjunctions'"):
        kernel_from_record({"kind": "conjunctions", "max_size": 1})


def test_a_kernel_of_ones_own_has_no_record():
    @dataclass(frozen=True)
    class Own(Kernel):
        def summands(self, n_variables, names=None):
            return Conjunctions().summands(n_variables, names)

        def value_on(self, x, z):
            return Conjunctions().value_on(x, z)

    assert Own().gram(["10"]).tolist() == [[4.0]]
    with pytest.raises(ModelFileError, match="kernels of conjunct only, not Own"):
        kernel_record(Own())
