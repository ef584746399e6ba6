#!/bin/sh
# Reads the planned call as JSON; exit status 2 tells the harness to refuse it.
if grep -Eq 'git push[^"]* (--force|-f)([ "]|$)'; then
    echo "Use --force-with-lease: it does not overwrite what others pushed." >&2
    exit 2
fi
