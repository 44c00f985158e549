#!/usr/bin/env python
"""The command line of Tableau: ``manage.py help`` lists what there is."""

import gc
import os
import sys

# Next to nothing of what a start loads is garbage, and looking for it takes a fifth of that time. The
# application lets the collector go on when all is loaded.
gc.disable()

from django.core.management import execute_from_command_line  # noqa: E402

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    execute_from_command_line(sys.argv)
