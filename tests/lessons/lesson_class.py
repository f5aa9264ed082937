"""A class's submissions of a real lesson, each with what it must get.

What it must get is known from what was put in and from the lesson's author cells; nothing is graded to find it.
"""

from __future__ import annotations

import codecs
import copy
import json
import os
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from klass import ENDS, doubled, own_cell, place_of, without_metadata
from tiny import TinyCourse, answered, solutions

from autograde import exercise
from autograde.authoring.lesson_text import Task
from autograde.exercise import Code, Exercise, Typed

ATTACKS = Path(__file__).parents[1] / "hostile" / "cases"
# Attacks of tests/hostile that are put into a typed answer's cell, beside a wrong answer, and the status that it gets.
TYPED_ATTACKS = {
    "os_exit": "error",
    "segfault": "error",
    "abort": "error",
    "kills_itself": "error",
    "deep_recursion": "error",
    "closes_the_wire": "error",
    "result_before_it_was_asked": "error",
    "endless_loop_swallows_exceptions": "timeout",
    "gigabyte_of_output": "failed",
    "heap": "failed",
    "daemon_left_behind": "failed",
    "connects_to_loopback": "failed",
}
# Those that are put in front of a wrong module: it stays wrong.
CODE_ATTACKS = (
    "patched_torch_allclose",
    "torch_mode_left_on",
    "patched_judge",
    "patched_check",
    "display_hook_shows_full_points",
    "input_transformer_drops_tests",
)


@dataclass(frozen=True)
class Wanted:
    """What one exercise must get: one of these statuses, its points, and the author's sentence where there is one."""

    statuses: tuple[str, ...]
    score: float
    says: str = ""


@dataclass(frozen=True)
class HandedIn:
    """One submission as a file, and the row that it must get. link: the file is a link to another one."""

    kind: str
    data: bytes
    status: str = "graded"
    exercises: Mapping[str, Wanted] = field(default_factory=dict)
    link: bool = False

    @property
    def score(self) -> float | None:
        """The points of all exercises; None where nothing can be graded."""
        return None if self.status in ("unreadable", "refused") else sum(one.score for one in self.exercises.values())

    @property
    def runs(self) -> bool:
        """Whether anything of it has to be run."""
        return self.status == "graded"


Answers = dict[str, str]


class LessonClass:
    """One lesson, and the ways in which learners hand it in."""

    def __init__(self, course: TinyCourse, slug: str) -> None:
        self.file = f"{course.source(slug).stem}.ipynb"
        self.released = course.notebook(slug)
        text = course.text(slug)
        self.tasks = {task.id: task for task in text.tasks}
        self.solved = solutions(text)
        self.declared = declared(text.tasks)
        self.passed = {task.id: Wanted(("passed",), task.points) for task in text.tasks}
        self.max_score = sum(task.points for task in text.tasks)
        self.module = next(one.id for one in self.declared.values() if one.kind == "module")
        self.typed = [one.id for one in self.declared.values() if isinstance(one, Typed) and self.tasks[one.id].points]
        self.attacks = [*TYPED_ATTACKS, *CODE_ATTACKS]

    def hand_in(self, counts: Mapping[str, int]) -> dict[str, HandedIn]:
        """So many of each kind, by student, in an order that mixes them."""
        kinds = [kind for kind, count in counts.items() for _ in range(count)]
        random.Random(4).shuffle(kinds)
        number = dict.fromkeys(counts, 0)
        made = {}
        for i, kind in enumerate(kinds):
            made[f"{i:03} student é@x"] = self.one(kind, number[kind], i)
            number[kind] += 1
        return made

    def one(self, kind: str, number: int, i: int) -> HandedIn:
        """The number-th of its kind, with a cell of the i-th student's own."""
        maker: Callable[[int], tuple[Answers, dict[str, Wanted]]] | None = getattr(self, f"_{_plain(kind)}", None)
        answers, changed = maker(number) if maker else (self.solved, {})
        notebook = own_cell(answered(copy.deepcopy(self.released), answers), i)
        if kind == "as handed out":
            notebook = copy.deepcopy(self.released)
        change = getattr(self, f"_change_{_plain(kind)}", None)
        status = {"as handed out": "not_started", "torn": "unreadable", "a link": "refused"}.get(kind, "graded")
        wanted = self.passed | changed if status == "graded" else {}
        data = _ENCODED.get(kind, _utf8)(change(notebook) if change else notebook)
        return HandedIn(kind, data, status, wanted, link=kind == "a link")

    # What is answered, and what that is worth: a method for each kind that is not simply right.

    def _right_in_other_ways(self, number: int) -> tuple[Answers, dict[str, Wanted]]:
        variants = self._code().right
        other = variants[number % len(variants)].source(self.solved[self.module])
        return self.solved | OTHER_WORDS | {self.module: other}, {}

    def _half_answered(self, number: int) -> tuple[Answers, dict[str, Wanted]]:
        names = list(self.solved)[number % 2 :: 2]
        left = {name: Wanted(("not_attempted",), 0) for name in self.solved if name not in names}
        return {name: self.solved[name] for name in names}, left

    def _as_handed_out(self, number: int) -> tuple[Answers, dict[str, Wanted]]:
        return {}, {}

    def _wrong(self, number: int) -> tuple[Answers, dict[str, Wanted]]:
        """Two to five exercises wrong, each in a way that its author foresaw."""
        chance = random.Random(number)
        answers, wanted = dict(self.solved), {}
        for name in chance.sample(sorted(self.solved), chance.randint(2, 5)):
            answers[name], wanted[name] = chance.choice(self._wrong_answers(name))
        return answers, wanted

    def _the_module_wrong(self, number: int) -> tuple[Answers, dict[str, Wanted]]:
        known = self._wrong_answers(self.module)
        answer, wanted = known[number * 7 % len(known)]
        return self.solved | {self.module: answer}, {self.module: wanted}

    def _syntax_error(self, number: int) -> tuple[Answers, dict[str, Wanted]]:
        name = [*self.typed, self.module][number % (len(self.typed) + 1)]
        return self.solved | {name: "value = 1,072 +"}, {name: Wanted(("error",), 0)}

    def _never_ends(self, number: int) -> tuple[Answers, dict[str, Wanted]]:
        loop = self.solved[self.module].replace("hidden = self.widen(x)", "while True:\n            pass")
        return self.solved | {self.module: loop}, {self.module: Wanted(("timeout",), 0)}

    def _ends_the_process(self, number: int) -> tuple[Answers, dict[str, Wanted]]:
        name = [*self.typed, self.module][number % (len(self.typed) + 1)]
        return self.solved | {name: ENDS}, {name: Wanted(("error",), 0)}

    def _copied_and_changed(self, number: int) -> tuple[Answers, dict[str, Wanted]]:
        return self.solved, {self.typed[0]: self._wrong_answers(self.typed[0])[0][1]}

    def _hostile(self, number: int) -> tuple[Answers, dict[str, Wanted]]:
        attack = self.attacks[number % len(self.attacks)]
        source = (ATTACKS / f"{attack}.py").read_text(encoding="utf-8").replace("@PORT@", "9").replace("@MARK@", "x")
        if attack in CODE_ATTACKS:
            wrong, wanted = self._wrong_answers(self.module)[0]
            front, found, _ = source.partition("def double_shifted")
            assert found, attack
            return self.solved | {self.module: f"{front}\n{wrong}"}, {self.module: wanted}
        name = self.typed[-1]
        wrong, wanted = self._wrong_answers(name)[0]
        status = TYPED_ATTACKS[attack]
        assert "@" not in source, attack
        told = wanted if status == "failed" else Wanted((status,), 0)
        return self.solved | {name: source.replace('kind_text = "max"', wrong)}, {name: told}

    # What happens to the notebook on its way.

    _change_metadata_lost = staticmethod(without_metadata)

    def _change_copied(self, notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
        return doubled(notebook, self.module)

    def _change_copied_and_changed(self, notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
        """Of two copies that are both filled in the last one counts: here a wrong one."""
        notebook = doubled(notebook, self.typed[0])
        notebook.cells[place_of(notebook, f"{self.typed[0]}-answer") + 1].source = self._wrong_answers(self.typed[0])[
            0
        ][0]
        return notebook

    def _change_split(self, notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
        """The module's cell, cut where its second method begins."""
        notebook = doubled(notebook, self.module)
        at = place_of(notebook, f"{self.module}-answer")
        first, middle, second = self.solved[self.module].partition("    def forward")
        notebook.cells[at].source, notebook.cells[at + 1].source = first, middle + second
        return notebook

    def _change_tests_deleted(self, notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
        notebook.cells = [cell for cell in notebook.cells if not cell.metadata.get("nbgrader", {}).get("grade")]
        return notebook

    def _change_retyped(self, notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
        """An answer cell turned into text, a test into raw."""
        for name, kind in ((f"{self.typed[0]}-answer", "markdown"), (self.typed[1], "raw")):
            cell = notebook.cells[place_of(notebook, name)]
            cell.cell_type = kind
            del cell["outputs"], cell["execution_count"]
        return notebook

    def _change_format_3(self, notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
        return nbformat.convert(self._change_format_4_0(notebook), 3)

    def _change_format_4_0(self, notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
        for cell in notebook.cells:
            del cell["id"]
        notebook.nbformat_minor = 0
        return notebook

    # What the author foresaw.

    def _code(self) -> Code:
        found = self.declared[self.module]
        assert isinstance(found, Code)
        return found

    def _wrong_answers(self, name: str) -> list[tuple[str, Wanted]]:
        """Answer cells that the author of an exercise knows to be wrong, and what each must get."""
        own, variable = self.declared[name], self.tasks[name].name
        if isinstance(own, Code):
            return [
                (variant.source(self.solved[name]), Wanted(("failed", "error"), 0, variant.says))
                for variant in own.wrong
            ]
        assert isinstance(own, Typed)
        wrong = list(own.wrong) + [item for item in own.options.items() if item[0] != own.answer]
        return [(f"{variable} = {value!r}", Wanted(("failed",), 0, says)) for value, says in wrong]


# Right answers that nobody typed as a number: they were computed beside the lesson's own variables.
OTHER_WORDS = {
    "ff-hidden-shape": "ff_hidden_shape = widen(x[:2]).shape",
    "ff-weight-shape": "ff_weight_shape = list(widen.weight.shape)",
    "ff-output-shape": "ff_output_shape = tuple(narrow(torch.relu(widen(x[:2]))).shape)",
    "ff-predict-negatives": "ff_predict_negatives = 'B'",
    "ff-second-layer": "ff_second_layer = sum(p.numel() for p in narrow.parameters())",
    "ff-parameters": "ff_parameters = torch.tensor(131_712)",
    "ff-collapsed": "ff_collapsed = 128 * 128 + 128",
}


def declared(tasks: list[Task]) -> dict[str, Exercise]:
    """What the author cells declare, run by themselves."""
    found: dict[str, Exercise] = {}
    exercise.on_declare(lambda one: found.__setitem__(one.id, one))
    for task in tasks:
        exec(compile(task.exercise.source, task.id, "exec"), {})
    exercise._listeners.pop()
    return found


def write(handed_in: Mapping[str, HandedIn], folder: Path, file: str) -> None:
    """One folder a student."""
    for student, one in handed_in.items():
        path = folder / student / file
        path.parent.mkdir(parents=True)
        if one.link:
            path.symlink_to(os.devnull)
        else:
            path.write_bytes(one.data)


def _plain(kind: str) -> str:
    return kind.replace(" ", "_").replace(".", "_")


def _utf8(notebook: Any) -> bytes:
    return json.dumps(notebook, indent=1, ensure_ascii=False).encode()


def _crlf(notebook: Any) -> bytes:
    """A byte order mark and the line ends of Windows, in the file and in the sources."""
    for cell in notebook.cells:
        cell.source = cell.source.replace("\n", "\r\n")
    return codecs.BOM_UTF8 + _utf8(notebook).replace(b"\n", b"\r\n")


_ENCODED: dict[str, Callable[[Any], bytes]] = {
    "utf-16": lambda notebook: _utf8(notebook).decode().encode("utf-16"),
    "crlf and bom": _crlf,
    "torn": lambda notebook: _utf8(notebook)[:-40],
}
