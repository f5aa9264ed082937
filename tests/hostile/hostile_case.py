"""A hostile submission: a file in cases/ that is named by what it tries, with a header that says how it is held."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

CASES = Path(__file__).parent / "cases"
IN_PROCESS, NOTEBOOK, WITHOUT, SIBLINGS, NONE = "in process", "notebook", "without", "siblings", "none"
SUCCESSES = ("points", "secret", "written", "alive", "reached", "lost")
_FIELD = re.compile(r"^# (Tries|Aims at|Control|Succeeds by|Plain|Earns|Budget): (.+(?:\n#   .+)*)", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    """What one file says of itself.

    aims: the exercise. control: how the attack is shown to be real; `in process` and `notebook` run it beside its tests
    (a plain assignment's asserts, the lesson's own checks), `without ...` switches layers off, `siblings: ...` the same
    for two at once, `none: ...` says why there is none.
    success: what the control must show. plain: whether our in-process grading stops it. earns: what is honest in it.
    """

    name: str
    source: str
    tries: str
    aims: str
    control: str
    success: str
    plain: str
    earns: float
    budget: str

    @property
    def off(self) -> tuple[str, ...]:
        """The layers that the control switches off."""
        return tuple(self.control.partition(WITHOUT)[2].replace(" ", "").split(","))

    def placed(self, **places: object) -> str:
        """The source with the addresses that only a test knows."""
        source = self.source
        for name, value in places.items():
            source = source.replace(f"@{name}@", str(value))
        return source


def read_case(path: Path) -> Case:
    """One file. Fails where its header is not whole."""
    source = path.read_text(encoding="utf-8")
    said = {name: re.sub(r"\n#   ", " ", text) for name, text in _FIELD.findall(source)}
    assert {"Tries", "Aims at", "Control"} <= said.keys(), f"{path.name}: its header is not whole: {sorted(said)}"
    case = Case(
        path.stem,
        source,
        said["Tries"],
        said["Aims at"],
        said["Control"],
        said.get("Succeeds by", "points"),
        said.get("Plain", ""),
        float(said.get("Earns", 0)),
        said.get("Budget", ""),
    )
    assert case.success in SUCCESSES, case.name
    assert case.control.startswith((IN_PROCESS, NOTEBOOK, WITHOUT, SIBLINGS, NONE)), case.name
    assert not case.control.startswith(NONE) or len(case.control) > len("none: why"), case.name
    return case


ALL = [read_case(path) for path in sorted(CASES.glob("*.py"))]


def controlled_by(*ways: str) -> list[Case]:
    """The cases whose control is of one of these ways."""
    return [case for case in ALL if case.control.startswith(ways)]
