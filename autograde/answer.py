"""Reading typed answers: what a person typed -> one normal form, a string.

The normal form is the written rule that the notebook, the grader and a web page share; tests/vectors/answers.json holds
its examples:

- number    whole values as digits ("131712"); others as Python's shortest repr; with `places`, rounded to that many
            decimals ("17.50")
- numbers   the elements' normal forms joined by ","
- shape     sizes joined by "x" ("2x128"); the empty shape is "scalar"
- choice    the option's letter, lower case
- choices   the letters sorted and joined by "," (the empty set is "none")
- text      lower case, white space collapsed, outer quotes and final full stop removed
"""

from __future__ import annotations

import math
import re
from decimal import ROUND_HALF_EVEN, Context, Decimal
from itertools import product

from autograde.evidence import Opaque, Plain, Tensor, Tuple

TYPED_KINDS = ("number", "numbers", "shape", "choice", "choices", "text")
_SPACES = re.compile(r"[\s_'\u00a0\u2009\u202f]")
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?")
_MAX_DIGITS = 300
_WIDE = Context(prec=2 * _MAX_DIGITS)
"""Decimal keeps 28 digits by default, which a large number with decimal places exceeds."""


class Unreadable(ValueError):
    """The value cannot be read as this kind of answer; the message says what to type instead."""


def is_untouched(value: Plain) -> bool:
    """Whether the answer cell still holds its dots (or nothing at all)."""
    return value is None or (isinstance(value, Opaque) and value.type == "ellipsis")


def normal_forms(kind: str, value: Plain, places: int | None = None, options: tuple[str, ...] = ()) -> list[str]:
    """Normal forms of one typed answer, the likeliest first: two where a rounding edge leaves a choice, else one.

    Raises Unreadable.
    """
    if kind == "number":
        return _number_forms(_number(value, places), places)
    if kind == "numbers":
        forms = [_number_forms(_number(item, places), places) for item in _items(value)]
        return (
            [",".join(combination) for combination in product(*forms)][:2]
            if len(forms) < 9
            else [",".join(f[0] for f in forms)]
        )
    if kind == "shape":
        return ["x".join(map(str, _shape(value))) or "scalar"]
    if kind == "choice":
        return [_letter(value, options)]
    if kind == "choices":
        return [",".join(sorted(_letters(value, options))) or "none"]
    if kind == "text":
        return [_text(value)]
    raise ValueError(f"{kind!r} is no typed kind; choose one of {', '.join(TYPED_KINDS)}")


def _number_forms(number: Decimal, places: int | None) -> list[str]:
    if places is None:
        return [_plain_decimal(number)]
    step = Decimal(1).scaleb(-places)
    rounded = number.quantize(step, ROUND_HALF_EVEN, _WIDE)
    forms = [_signed_zero(rounded)]
    off = number - rounded
    if abs(abs(off) - step / 2) <= step * Decimal("1e-3"):
        forms.append(_signed_zero(rounded + step.copy_sign(off)))
    return forms


def _plain_decimal(number: Decimal) -> str:
    if number == number.to_integral_value():
        return str(int(number))
    return format(number.normalize(), "f")


def _signed_zero(number: Decimal) -> str:
    return format(abs(number) if number == 0 else number, "f")


def _number(value: Plain, places: int | None) -> Decimal:
    example = "17.5" if places else "1024 or 1_024"
    if isinstance(value, bool):
        raise Unreadable(f"{value} is no number. Type a number, such as {example}.")
    if isinstance(value, int):
        return _bounded(Decimal(value), "This", example)
    if isinstance(value, float):
        return _finite(value, example)
    if isinstance(value, str):
        return _number_from_text(value, example)
    if isinstance(value, Tensor):
        return _number_from_tensor(value, example)
    if isinstance(value, Tuple):
        return _number_from_tuple(value, example)
    raise Unreadable(f"This is {describe(value)}, no number. Type a number, such as {example}.")


def _finite(value: float, example: str) -> Decimal:
    if not math.isfinite(value):
        raise Unreadable(f"{value} is no finite number. Type a number, such as {example}.")
    return _bounded(Decimal(repr(value)), repr(value), example)


def _number_from_tensor(value: Tensor, example: str) -> Decimal:
    numbers = value.numbers()
    if value.dtype == "bool" or len(numbers) != 1:
        raise Unreadable(f"This is {describe(value)}, no single number. Type a number, such as {example}.")
    number = numbers[0]
    if isinstance(number, int):
        return Decimal(number)
    # A float32 carries about seven digits: 0.1 must not be read as 0.10000000149.
    text = f"{number:.7g}" if value.dtype == "float32" and number != int_or_none(number) else repr(number)
    return _finite(float(text), example)


def int_or_none(number: float) -> int | None:
    """The whole number that a float stands for, or None."""
    return int(number) if math.isfinite(number) and number == int(number) else None


def _number_from_tuple(value: Tuple, example: str) -> Decimal:
    """131,712 is the tuple (131, 712) in Python; a person means 131712."""
    parts = value.items
    whole = [p for p in parts if isinstance(p, int) and not isinstance(p, bool)]
    if (
        not value.is_set
        and len(whole) == len(parts) >= 2
        and 1 <= abs(whole[0]) <= 999
        and all(p == 0 or 100 <= p <= 999 for p in whole[1:])
    ):
        digits = str(whole[0]) + "".join(f"{p:03d}" for p in whole[1:])
        return Decimal(digits)
    raise Unreadable(
        f"Python reads this as {describe(value)}, no single number. Type a number without commas, such as {example}."
    )


def _number_from_text(value: str, example: str) -> Decimal:
    text = _SPACES.sub("", value.strip().rstrip("."))
    if _GROUPED.fullmatch(text):
        text = text.replace(",", "")
    elif text.count(",") == 1 and "." not in text:
        text = text.replace(",", ".")
    try:
        top, slash, bottom = text.partition("/")
        number = Decimal(top) / Decimal(bottom) if slash else Decimal(text)
    except ArithmeticError:
        raise Unreadable(f"{value!r} is no number. Type a number, such as {example}.") from None
    return _bounded(number, repr(value), example)


def _bounded(number: Decimal, shown: str, example: str) -> Decimal:
    if not number.is_finite() or abs(number.adjusted()) > _MAX_DIGITS:
        raise Unreadable(f"{shown} is no number of a size that is meant. Type a number, such as {example}.")
    return number


def _items(value: Plain) -> list[Plain]:
    if isinstance(value, Tuple):
        if value.is_set:
            raise Unreadable(
                f"{value.text()} is a set, and a set has no order. Type a tuple or a list: (3, 5), [0.5, 2]."
            )
        return list(value.items)
    if isinstance(value, list):
        return value
    if isinstance(value, Tensor) and len(value.shape) == 1 and value.dtype != "bool":
        return [Tensor.of_number(number, value.dtype) for number in value.numbers()]
    if isinstance(value, str):
        inner = value.strip().strip("()[]{}")
        return [part for part in re.split(r"[;,]\s*|\s+", inner) if part]
    raise Unreadable(f"This is {describe(value)}. Type a list of numbers, such as [0.5, 2].")


def _shape(value: Plain) -> list[int]:
    if isinstance(value, Tensor) and (len(value.shape) != 1 or value.dtype != "int64"):
        raise Unreadable(f"This is {describe(value)} itself. Type its shape as a tuple, such as (3, 5).")
    if isinstance(value, str):
        text = value.strip().removeprefix("torch.Size").strip()
        if not re.search(r"[,x×(\[]", text):
            raise Unreadable(f"{value!r} is no shape. Type a tuple, such as (3, 5); one axis is (5,).")
        sizes: list[Plain] = [p for p in re.split(r"[\s,x×]+", text.strip("()[]").strip()) if p]
    elif isinstance(value, Tuple | list | Tensor):
        sizes = _items(value)
    else:
        raise Unreadable(f"{_capital(describe(value))} is no shape. Type a tuple, such as (3, 5); one axis is (5,).")
    return [_size(size) for size in sizes]


def _size(value: Plain) -> int:
    number = _number(value, None)
    if number != number.to_integral_value() or number < 0:
        raise Unreadable(f"{number} is no size. A shape holds whole numbers, such as (3, 5).")
    return int(number)


def _letter(value: Plain, options: tuple[str, ...], todo: str = "") -> str:
    if isinstance(value, str):
        letter = value.strip().strip("()[].:\"'").strip().lower()
        if letter in options:
            return letter
    todo = todo or "Type one letter in quotes: " + ", ".join(f'"{option}"' for option in options)
    raise Unreadable(f"{_capital(describe(value))} is none of the options. {todo}.")


def _letters(value: Plain, options: tuple[str, ...]) -> set[str]:
    """The letters; several may be chosen, or none."""
    some = ", ".join(f'"{option}"' for option in (*options[:1], *options[1:][-1:]))
    todo = f"Type a set of letters, such as {{{some}}}. The letters are {', '.join(options)}"
    if isinstance(value, str):
        text = value.strip().strip("()[]{}").lower()
        parts: list[Plain] = [p for p in re.split(r"[\s,;+&]+|\band\b", text) if p]
        if len(parts) == 1 and text not in options and set(text) <= set(options):
            parts = list(text)
        return {_letter(part, options, todo) for part in parts if part != "none"}
    if value == {}:  # what Python makes of an empty set that is typed as {}
        return set()
    if isinstance(value, Tuple | list):
        return {_letter(item, options, todo) for item in (value.items if isinstance(value, Tuple) else value)}
    raise Unreadable(f"This is {describe(value)}. {todo}.")


def _text(value: Plain) -> str:
    if not isinstance(value, str):
        raise Unreadable(f"This is {describe(value)}. Type a text in quotes.")
    return " ".join(value.lower().split()).strip("\"' ").removesuffix(".").strip("\"' ")


def describe(value: Plain) -> str:
    """What a learner typed, in a few words, for a message."""
    if isinstance(value, Opaque):
        return f"an object of type {value.type}"
    if isinstance(value, Tensor):
        return f"a tensor of shape {tuple(value.shape)}"
    text = value.text() if isinstance(value, Tuple) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
