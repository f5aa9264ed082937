"""What a cell's function or class is called with, read from its source: the words to name a call with."""

from __future__ import annotations

import ast


def parameters_of(source: str, name: str) -> dict[str, list[str]]:
    """Names of the positional parameters: a function's under its own name, a class's by method and without `self`."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return {}
    found: dict[str, list[str]] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            found = {name: _positional(node)}
        elif isinstance(node, ast.ClassDef) and node.name == name:
            methods = [item for item in node.body if isinstance(item, ast.FunctionDef)]
            found = {method.name: _positional(method)[1:] for method in methods}
    return found


def _positional(function: ast.FunctionDef) -> list[str]:
    return [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
