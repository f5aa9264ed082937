"""A short text for the learner: a hint, a worked solution, how far they are."""

from __future__ import annotations

from dataclasses import dataclass

from autograde.card import block, card, paragraph, title

_COLOUR = "#56B4E9"


@dataclass(frozen=True)
class Note:
    """A title, a text, and code if there is any."""

    title: str
    text: str
    code: str = ""

    def __repr__(self) -> str:
        return "\n".join(part for part in (f"{self.title}: {self.text}".strip(), self.code) if part)

    def _repr_html_(self) -> str:
        body = [paragraph(self.text), block(self.code) if self.code else ""]
        return card(_COLOUR, title(self.title), body, kind="note", label=self.title)
