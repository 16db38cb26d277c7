"""Real tables, where CONJUNCT_DATA names the folder that holds them; without it their tests are skipped."""

import os
from pathlib import Path

import pytest

DATA = Path(os.environ.get("CONJUNCT_DATA", ""))
needs_data = pytest.mark.skipif(not os.environ.get("CONJUNCT_DATA"), reason="CONJUNCT_DATA is not set")
