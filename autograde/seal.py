"""Seals: rubrics in a form that checks at once and offline, and holds no answer that can be read.

Typed answers: a key is derived from each known answer (PBKDF2, slow and salted); the table holds, under a digest of
that key, the outcome encrypted with it. Right and wrong answers look alike. Whoever wants the answer has to search for
it: infeasible for a number of some digits with a tolerance-free form, easy for a choice of three.

Code exercises: plan, expected evidence and sentences, obfuscated: out of sight, not secret. No reference code is in it.

What is computed here a web page can compute too: PBKDF2-HMAC-SHA256, HMAC-SHA256, XOR.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from autograde.evidence import BadEvidence, Plain, from_bytes, to_bytes
from autograde.rubric import OpenAnswers, Outcome, Rubric, TypedRubric
from autograde.rubric_data import from_plain, to_plain
from autograde.told import Told

ITERATIONS = 100_000
_TAG_BYTES, _PAD = 12, 32


class BadSeal(Told, ValueError):
    """The seal in a lesson's first cell is damaged."""


@dataclass(frozen=True)
class SealedAnswers:
    """Answers that can be asked for, not read."""

    salt: bytes
    iterations: int
    table: Mapping[str, str]

    def look_up(self, form: str) -> Outcome | None:
        """The outcome of an answer, None where it is not known. One key derivation. Raises BadSeal."""
        key = _derive(form, self.salt, self.iterations)
        ciphertext = self.table.get(_tag(key))
        if ciphertext is None:
            return None
        try:
            share, says = json.loads(_xor(base64.b64decode(ciphertext), key).rstrip(b" "))
            return Outcome(float(share), str(says))
        except (ValueError, TypeError):
            raise BadSeal(_damaged("an answer")) from None


@lru_cache(maxsize=256)
def _derive(form: str, salt: bytes, iterations: int) -> bytes:
    return hashlib.pbkdf2_hmac("sha256", form.encode(errors="surrogatepass"), salt, iterations)


def _tag(key: bytes) -> str:
    return base64.b64encode(hmac.digest(key, b"tag", "sha256")[:_TAG_BYTES]).decode()


def _xor(data: bytes, key: bytes) -> bytes:
    """Data with a key's stream over it: HMAC-SHA256 of a running number. Each key is used for one text only."""
    blocks = (hmac.digest(key, b"text" + i.to_bytes(4, "big"), "sha256") for i in range(-(-len(data) // 32)))
    stream = b"".join(blocks)[: len(data)]
    return (int.from_bytes(data, "big") ^ int.from_bytes(stream, "big")).to_bytes(len(data), "big")


def seal_answers(answers: OpenAnswers, owner: str, iterations: int = ITERATIONS) -> SealedAnswers:
    """The sealed form; owner (course and exercise id) gives the salt: the same lesson seals to the same bytes."""
    salt = hashlib.sha256(f"salt:{owner}".encode()).digest()[:16]
    texts = {form: json.dumps([o.share, o.says], ensure_ascii=True).encode() for form, o in answers.outcomes.items()}
    length = -(-max(map(len, texts.values())) // _PAD) * _PAD
    table = {}
    for form, text in texts.items():
        key = _derive(form, salt, iterations)
        table[_tag(key)] = base64.b64encode(_xor(text.ljust(length), key)).decode()
    return SealedAnswers(salt, iterations, dict(sorted(table.items())))


def _damaged(what: str) -> str:
    return f"the seal of {what} is damaged; download the lesson again, your answers can be copied over"


def hide(value: Plain, owner: str) -> str:
    """Plain data out of sight: compressed and blurred. Not secret: anyone with this file can undo it."""
    return base64.b64encode(_xor(zlib.compress(to_bytes(value), 9), _blur_key(owner))).decode()


def unhide(text: str, owner: str) -> Plain:
    """What hide hid. Raises BadSeal."""
    try:
        return from_bytes(zlib.decompress(_xor(base64.b64decode(text), _blur_key(owner))))
    except (ValueError, zlib.error, BadEvidence):
        raise BadSeal(_damaged(owner)) from None


def _blur_key(owner: str) -> bytes:
    return hashlib.sha256(f"blur:{owner}".encode()).digest()


def seal_rubric(rubric: Rubric, course: str) -> dict[str, Any]:
    """A rubric as it is released."""
    owner = f"{course}:{rubric.id}"
    head = {"kind": rubric.kind, "name": rubric.name, "points": rubric.points}
    if isinstance(rubric, TypedRubric):
        assert isinstance(rubric.answers, OpenAnswers)
        sealed = seal_answers(rubric.answers, owner)
        more: dict[str, Any] = {"places": rubric.places} if rubric.places is not None else {}
        more |= {"options": "".join(rubric.options)} if rubric.options else {}
        return (
            head
            | more
            | {
                "salt": base64.b64encode(sealed.salt).decode(),
                "iterations": sealed.iterations,
                "table": dict(sealed.table),
            }
        )
    hidden = {key: value for key, value in to_plain(rubric).items() if key not in ("id", "kind", "name", "points")}
    return head | {"hidden": hide(hidden, owner)}


def open_rubric(exercise_id: str, sealed: Mapping[str, Any], course: str) -> Rubric:
    """The rubric in a seal. Raises BadSeal."""
    try:
        return _open_rubric(exercise_id, sealed, course)
    except BadSeal:
        raise
    except (ValueError, TypeError, KeyError, AttributeError):
        raise BadSeal(_damaged(exercise_id)) from None


def _open_rubric(exercise_id: str, sealed: Mapping[str, Any], course: str) -> Rubric:
    head: dict[str, Any] = {
        "id": exercise_id,
        "kind": str(sealed["kind"]),
        "name": str(sealed["name"]),
        "points": float(sealed["points"]),
    }
    if "table" in sealed:
        answers = SealedAnswers(base64.b64decode(sealed["salt"]), int(sealed["iterations"]), dict(sealed["table"]))
        return TypedRubric(
            **head, answers=answers, places=sealed.get("places"), options=tuple(sealed.get("options", ""))
        )
    hidden: Any = unhide(str(sealed["hidden"]), f"{course}:{exercise_id}")
    return from_plain(head | hidden)


def first_hints(seal: Mapping[str, Any]) -> dict[str, str]:
    """The first hint of each exercise that has one. Raises BadSeal."""
    found = {}
    for exercise, hidden in dict(seal.get("hints", {})).items():
        hints = unhide(str(hidden), f"{seal.get('course')}:{exercise}:hints")
        if isinstance(hints, list) and hints:
            found[str(exercise)] = str(hints[0])
    return found


def to_text(seal: Mapping[str, Any]) -> str:
    """A lesson's seal as text for its first cell."""
    return base64.b64encode(zlib.compress(json.dumps(seal, sort_keys=True, separators=(",", ":")).encode(), 9)).decode()


def from_text(text: str) -> dict[str, Any]:
    """A lesson's seal. Raises BadSeal."""
    try:
        seal = json.loads(zlib.decompress(base64.b64decode("".join(text.split()), validate=True)))
    except (ValueError, zlib.error):
        raise BadSeal(_damaged("the lesson's first cell")) from None
    if not isinstance(seal, dict):
        raise BadSeal(_damaged("the lesson's first cell"))
    return seal
