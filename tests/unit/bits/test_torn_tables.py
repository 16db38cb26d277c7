"""Tables that another thread changes while they are read: refused or read, but never followed out of bounds."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from conjunct import BitMatrix
from conjunct.bits import SparseRows

SCRIPT = """
from threading import Event, Thread
from time import sleep

import numpy as np
from scipy.sparse import csr_array

from conjunct import *
from conjunct.bits import SparseRows, random_words

width = 1 << 12
places = np.sort((random_words(1, 20 * 10_000) % np.uint64(width)).astype(np.int32).reshape(-1, 20), axis=1)
table = csr_array((np.ones(places.size), places.ravel(), np.arange(0, places.size + 1, 20, dtype=np.int32)),
                  (len(places), width))
table.sum_duplicates()
table.data[:] = 1
labels = (random_words(2, len(places)) % np.uint64(2)).astype(int)
dense = table[:, :100].toarray().astype(np.uint8)


def tear(arrays, stop):
    sound = [array.copy() for array in arrays]
    while not stop.is_set():
        for array, good in zip(arrays, sound):
            for wild in (2**30, -7):
                array[len(array) // 2 :] = wild if array.dtype.kind in "if" else 3
                sleep(0.0003)
                array[:] = good
                sleep(0.001)  # long enough for a table to pass a check


for form in ("csr", "csc", "coo", "dense"):
    X = dense if form == "dense" else table.asformat(form, copy=True)
    arrays = [X] if form == "dense" else [
        getattr(X, name) for name in ("indices", "indptr", "row", "col", "data") if hasattr(X, name)]
    acts = {
        "Perceptron": lambda: PerceptronClassifier(max_passes=9).fit(X, labels).predict(X),
        "Winnow, cut": lambda: WinnowClassifier(max_passes=1, binarize=0.5).fit(X, labels),
        "exponentiated gradient": lambda: ExponentiatedGradientRegressor(norm=6, max_passes=1).fit(X, labels),
        "real numbers": lambda: SparseRows.of_real(X),
        "packed": lambda: BitMatrix.of(X),
    }
    stop = Event()
    thread = Thread(target=tear, args=(arrays, stop), daemon=True)
    thread.start()
    for name, act in acts.items():
        print("torn:", form, name, flush=True)
        for number in range(5):
            try:
                act()
            except (ValueError, RuntimeError, IndexError):
                pass
    stop.set()
    thread.join()
    for name, act in acts.items():
        print("sound:", form, name, flush=True)
        act()
"""


def test_a_table_torn_by_another_thread_is_refused_or_read():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"  # what it did last, and what is wrong
    assert done.stdout.endswith("sound: dense packed\n")


def test_sparse_rows_do_not_change_with_the_arrays_they_were_made_of():
    starts, places, values = np.array([0, 2]), np.array([0, 1], np.int32), np.array([1.0, 2.0])
    rows = SparseRows(starts, places, 2, values)
    starts[1], places[0], values[0] = 10**9, 10**9, np.nan
    assert rows.dot(np.array([3.0, 4.0])).tolist() == [11.0]
    for array in (rows.starts, rows.places, rows.values):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True


def test_a_bit_matrix_does_not_change_with_words_that_are_made_writeable_again():
    words = np.zeros((1, 1), np.uint64)
    words.flags.writeable = False
    rows = BitMatrix(words, 1)
    words.flags.writeable = True
    words[:] = ~np.uint64(0)
    assert rows.to_array().tolist() == [[0]]
