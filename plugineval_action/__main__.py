"""`python -I -m plugineval_action` and the console script `plugin-eval`."""

from __future__ import annotations

import sys

from plugineval_action.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
