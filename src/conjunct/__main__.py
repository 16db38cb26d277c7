"""``python -m conjunct`` is the ``conjunct`` command."""

from __future__ import annotations

from conjunct.cli.command import main

if __name__ == "__main__":
    main()
