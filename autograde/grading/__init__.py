"""Grading: what was handed in -> grades, without trusting a line of it. Imports the shared modules only."""
