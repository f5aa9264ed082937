"""Mutants: each small edit of a solution is made once, and one that no check notices is told unless it is explained."""

from __future__ import annotations

import ast

import pytest
from tiny import Said, TinyCourse

from autograde.authoring.mutants import mutants

SOLUTION = '''
def scaled(x, y: int = 2, eps=1e-5):
    """Doc of 1 line."""
    if x.size(0) > 2 and not y:
        x = x + 1
    return torch.softmax(x.transpose(0, 1), -1) * 0.5
'''


def edits(source: str) -> set[tuple[str, str]]:
    return {(mutant.before, mutant.after) for mutant in mutants(source)}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = x + 1", "x = x - 1"),
        ("x = x + 1", "x = x + 2"),
        ("x = x + 1", "(dropped) x = x + 1"),
        ("if x.size(0) > 2 and (not y):", "if x.size(0) >= 2 and (not y):"),
        ("if x.size(0) > 2 and (not y):", "if x.size(0) > 2 or not y:"),
        ("if x.size(0) > 2 and (not y):", "if x.size(0) > 2 and +y:"),
        ("if x.size(0) > 2 and (not y):", "(dropped) if x.size(0) > 2 and (not y):"),
        ("def scaled(x, y: int=2, eps=1e-05):", "def scaled(x, y: int=3, eps=1e-05):"),
        ("def scaled(x, y: int=2, eps=1e-05):", "def scaled(x, y: int=2, eps=2e-05):"),
        (
            "return torch.softmax(x.transpose(0, 1), -1) * 0.5",
            "return torch.softmax(-1, x.transpose(0, 1)) * 0.5",
        ),
        (
            "return torch.softmax(x.transpose(0, 1), -1) * 0.5",
            "return torch.softmax(x.transpose(0, 1), -2) * 0.5",
        ),
        (
            "return torch.softmax(x.transpose(0, 1), -1) * 0.5",
            "return torch.softmax(x.transpose(0, 1), -1) / 0.5",
        ),
    ],
)
def test_an_edit_is_made(before: str, after: str) -> None:
    assert (before, after) in edits(SOLUTION)


def test_what_makes_no_difference_by_itself_is_no_edit() -> None:
    after = {after for _, after in edits(SOLUTION)}
    assert not any("transpose(1, 0)" in code or "Doc" in code for code in after)
    assert not any(code.startswith("(dropped) def") for code in after), "nothing would be left to check"


def test_every_mutant_is_python_and_none_is_the_solution_or_made_twice() -> None:
    codes = [mutant.source for mutant in mutants(SOLUTION)]
    assert len(codes) == len(set(codes)) > 12
    for code in codes:
        assert ast.dump(ast.parse(code)) != ast.dump(ast.parse(SOLUTION))


BLIND = "return x * 2 + shift if x.sum() < 99 else x"
EXPLAINED = f'equivalent={{"{BLIND.replace("99", "100")}": "No input is so large.", "return x": "Not there."}},'


@pytest.fixture(scope="module")
def blind(built: TinyCourse, tmp_path_factory: pytest.TempPathFactory) -> TinyCourse:
    """The toy course with a solution that treats inputs in a way of its own which its check never draws."""
    course = TinyCourse.copied(tmp_path_factory.mktemp("blind") / "course", built.root)
    path = course.source("every-kind")
    text = path.read_text(encoding="utf-8")
    start, end = text.index("doubled = 2 * x"), text.index("return doubled + shift\n") + len("return doubled + shift")
    text = text[:start] + BLIND + text[end:]
    start = text.index("    wrong=[", text.index('"kind-function"'))
    text = text[:start] + text[text.index("    passed=", start) :]
    path.write_text(text, encoding="utf-8")
    return course


@pytest.fixture(scope="module")
def said(blind: TinyCourse) -> Said:
    return blind.run("verify", "every-kind", "--mutants", "--table", blind.root / "checks.md")


@pytest.mark.xdist_group("mutants")
def test_an_edit_that_no_check_notices_is_told_with_its_place(said: Said) -> None:
    assert said.code == 1
    assert "[kind-function] no check notices `return x * 2 + shift if x.sum() < 100 else x` for `" + BLIND in said.out
    assert "solutions/01-every-kind.py:" in said.out
    assert "x * 3 + shift" not in said.out, "what the check notices is not told"


@pytest.mark.xdist_group("mutants")
def test_the_table_counts_them_and_is_written_for_the_docs(blind: TinyCourse, said: Said) -> None:
    head, row = said.out.splitlines()[-2:]
    assert head.endswith("mutants caught  others explained")
    caught, explained = row.split()[-2:]
    assert 0 < int(caught.split("/")[0]) < int(caught.split("/")[1])
    assert explained.startswith("0/")
    assert explained != "0/0"
    assert row in (blind.root / "checks.md").read_text(encoding="utf-8")


@pytest.mark.xdist_group("mutants")
def test_an_explained_edit_is_counted_and_a_stale_explanation_is_a_fault(blind: TinyCourse, said: Said) -> None:
    blind.edit("every-kind", '    passed="Right: doubled, then shifted.",', f"    {EXPLAINED}\n    passed='Right.',")
    again = blind.run("verify", "every-kind", "--mutants")
    assert "< 100 else x` for" not in again.out
    assert "no check notices" in again.out
    assert "[kind-function] `equivalent` explains `return x`, which is no unnoticed edit. Take it out." in again.out
    assert again.out.split()[-1].startswith("1/")
