"""Authoring: one text file a lesson -> a notebook that checks itself. Imports the shared modules only."""

import sys

# nbformat loads jsonschema, which spends a second of each process on a grammar of web addresses, if it is there.
# No notebook needs it.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
