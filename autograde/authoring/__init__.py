"""Authoring: one text file a lesson -> a notebook that checks itself. Imports the shared modules only."""
