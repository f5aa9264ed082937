"""A verdict: what a judge says of one exercise. Shown as a card in a notebook, printed as its score."""

from __future__ import annotations

from dataclasses import dataclass, replace

from autograde.card import aside, block, card, paragraph, title
from autograde.wording import counted

STATUSES = ("passed", "partial", "failed", "not_attempted", "error", "timeout", "uncheckable")
_SHAPES = {
    "passed": "✓",
    "partial": "◐",
    "failed": "✗",
    "not_attempted": "·",
    "error": "!",
    "timeout": "⧖",
    "uncheckable": "?",
}
_WORDS = {"not_attempted": "not attempted", "uncheckable": "cannot be read"}
_COLOURS = {"passed": "#009E73", "partial": "#E69F00", "failed": "#D55E00", "error": "#D55E00"}


@dataclass(frozen=True)
class Verdict:
    """One exercise's verdict. status is one of STATUSES; score is between 0 and max_score.

    message is the sentence for this very answer, detail what was seen, given what was answered, next what to do now.
    """

    exercise: str
    status: str
    score: float
    max_score: float
    message: str
    detail: str = ""
    given: str = ""
    next: str = ""
    printed: str = ""

    def with_message(self, text: str) -> Verdict:
        """The same verdict with another sentence."""
        return replace(self, message=text)

    def with_printed(self, text: str) -> Verdict:
        """The same verdict with what the learner's code printed, the end of it."""
        return replace(self, printed=text[-2000:])

    def with_next(self, text: str) -> Verdict:
        """The same verdict with a last line."""
        return replace(self, next=text)

    def __repr__(self) -> str:
        """The score alone: stock nbgrader reads it as the points of the grade cell."""
        return str(int(self.score)) if self.score == int(self.score) else repr(float(self.score))

    def __str__(self) -> str:
        points = f" ({self.score:g} of {counted(self.max_score, 'point')})" if self.max_score else ""
        lines = [f"{_SHAPES[self.status]} {self.word}{points}: {self.exercise}"]
        lines += [f"  You answered {self.given}"] if self.given else []
        lines += [f"  {line}" for line in (*self.message.splitlines(), *self.detail.splitlines(), self.next) if line]
        return "\n".join(lines)

    @property
    def word(self) -> str:
        """The status in words."""
        return _WORDS.get(self.status, self.status)

    def _repr_html_(self) -> str:
        colour = _COLOURS.get(self.status, "#808080")
        points = f" · {self.score:g} of {counted(self.max_score, 'point')}" if self.max_score else ""
        head = title(self.word, _SHAPES[self.status], colour) + aside(self.exercise + points)
        body = [paragraph(f"You answered `{self.given}`", quiet=True)] if self.given else []
        body += [paragraph(self.message)] if self.message else []
        body += [block(self.detail)] if self.detail else []
        body += [paragraph("Your code printed:", quiet=True), block(self.printed)] if self.printed.strip() else []
        body += [paragraph(self.next, quiet=True)] if self.next else []
        return card(colour, head, body, kind=self.status, label=f"Verdict: {self.word}")


def not_attempted(exercise: str, points: float) -> Verdict:
    """The verdict where nothing was answered yet."""
    says = "Nothing to check yet: write your answer in the cell above and run it."
    return Verdict(exercise, "not_attempted", 0.0, points, says)


def took_too_long(exercise: str, points: float, seconds: float, where: str = "") -> Verdict:
    """The verdict where the learner's code had to be stopped; where is the line that it was at."""
    says = f"Your code was still running after {seconds:g} seconds, so it was stopped. Look for a loop that never ends."
    return Verdict(exercise, "timeout", 0.0, points, says, where)
