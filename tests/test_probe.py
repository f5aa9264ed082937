"""The probe brings back what the learner's code does, in standard surroundings, and leaves everything as it was."""

from __future__ import annotations

import builtins
import contextlib
import linecache
import os
import random
import sys
import textwrap
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy
import pytest
import torch

from autograde import exercise
from autograde.evidence import Evidence, Opaque, Raised, Tensor, Tuple, evidence_from_bytes, to_bytes
from autograde.plan import TYPED_PLAN, Call, plan_of
from autograde.probe import probe
from autograde.stub import is_stub


def learned(source: str) -> Any:
    """The last thing that a learner's cell defines."""
    source = textwrap.dedent(source).strip() + "\n"
    linecache.cache["<cell>"] = (len(source), None, source.splitlines(keepends=True), "<cell>")
    scope: dict[str, Any] = {"__name__": "__main__", "torch": torch, "nn": torch.nn, "random": random, "np": numpy}
    exec(compile(source, "<cell>", "exec"), scope)
    return scope[list(scope)[-1]]


def module(init: str, forward: str = "return x", signature: str = "n") -> str:
    """A learner's module that may be anything."""
    head = f"class M(nn.Module):\n    def __init__(self, {signature}):\n        {init}\n"
    return f"{head}    def forward(self, x):\n        {forward}\n"


def linear(forward: str = "self.inner(x)") -> str:
    """A learner's module with one linear layer."""
    return module("super().__init__(); self.inner = nn.Linear(n, n)", f"return {forward}")


def called(source: str, *calls: Call, **more: Any) -> Evidence:
    """The evidence of a learner's function."""
    plan = plan_of("function", calls or (exercise.call("one", torch.ones(2, 3)),), **more)
    return through_bytes(probe(plan, learned(source)))


def built(source: str, *cases: Call, **more: Any) -> Evidence:
    """The evidence of a learner's module."""
    case = exercise.case("one", 3, inputs=[torch.ones(2, 5, 3), torch.ones(4, 3)], fills=[(0.5, 0.25)])
    return through_bytes(probe(plan_of("module", cases or (case,), **more), learned(source)))


def measured(measure: str, value: object) -> Evidence:
    """The evidence of an experiment."""
    return through_bytes(probe(plan_of("experiment", (), measure=measure), value))


def through_bytes(evidence: Evidence) -> Evidence:
    """The same evidence, after the way that it travels."""
    assert evidence_from_bytes(to_bytes(evidence)) == evidence or "nan" in str(evidence)
    return evidence


def numbers(value: object) -> list[float]:
    """A tensor's elements."""
    assert isinstance(value, Tensor)
    return value.numbers()


class TestUntouched:
    @pytest.mark.parametrize("kind", ["function", "module", "experiment"])
    @pytest.mark.parametrize("value", [None, ...])
    def test_nothing_handed_in_is_untouched(self, kind: str, value: object) -> None:
        assert probe(plan_of(kind, ()), value) == {"untouched": True}

    @pytest.mark.parametrize(
        "source",
        [
            "def f(x): ...",
            "def f(x): pass",
            "def f(x):\n    '''Doc.'''",
            "def f(x):\n    '''Doc.'''\n    # your code here",
            "def f(x): return None",
            "f = lambda x: None",
            "class M(nn.Module):\n    def forward(self, x): ...",
            module("super().__init__()", "'''Doc.'''"),
            module("'''Doc.'''", "pass", "n, widen=4"),
        ],
    )
    def test_an_empty_body_is_a_stub(self, source: str) -> None:
        assert is_stub(learned(source))

    @pytest.mark.parametrize(
        "source",
        [
            "def f(x): return x",
            "def f(x): return 0",
            "def f(x): x + 1",
            "def f(x): raise NotImplementedError",
            "def f(x):\n    if x: return None",
            "f = 3",
            "f = print",
            "class M(nn.Module): pass",
            "class M(nn.Module):\n    def forward(self, x): return x",
            module("super().__init__(); self.n = n", "pass"),
            "class M(nn.Linear):\n    def __init__(self, n): super().__init__(n, n)",
        ],
    )
    def test_a_beginning_is_no_stub(self, source: str) -> None:
        assert not is_stub(learned(source))


class TestTyped:
    def test_a_typed_answer_is_read_and_nothing_else_done(self) -> None:
        assert probe(TYPED_PLAN, (131, 712)) == {"answer": Tuple((131, 712))}
        assert probe(TYPED_PLAN, ...) == {"answer": Opaque("ellipsis")}

    def test_an_object_that_raises_when_it_is_read_is_the_learners(self) -> None:
        sulking = learned(
            """
            class Sulking:
                def __str__(self):
                    return 1 / 0
            sulking = {Sulking(): 1}
            """
        )
        seen = probe(TYPED_PLAN, sulking)["answer"]
        assert isinstance(seen, Raised)
        assert seen.type == "ZeroDivisionError"


class TestFunction:
    def test_each_call_is_observed(self) -> None:
        calls = [exercise.call("first", torch.ones(2)), exercise.call("second", torch.zeros(2), 3, scale=0.5)]
        evidence = called("def f(x, n=1, scale=1.0): return (x + n) * scale", *calls)
        assert numbers(evidence.pop("first")) == [2, 2]
        assert numbers(evidence.pop("second")) == [1.5, 1.5]
        assert evidence == {
            f"{label}: {kind}": True for label in ("first", "second") for kind in ("unchanged", "repeatable")
        }

    def test_it_may_return_anything(self) -> None:
        assert called("def f(x): return 3, [x.shape]")["one"] == Tuple((3, [Tuple((2, 3))]))
        assert called("def f(x): return print")["one"] == Opaque("builtin_function_or_method")
        assert called("def f(x):\n    y = x\n    return None")["one"] is None

    def test_any_callable_will_do(self) -> None:
        for source in ("f = torch.relu", "class F:\n    def __call__(self, x): return x\nf = F()", "f = nn.ReLU()"):
            assert numbers(called(source)["one"]) == [1] * 6

    def test_what_cannot_be_called_nor_read_is_the_learners(self) -> None:
        sulking = "class Sulking:\n    def __str__(self): return 1 / 0\nf = {Sulking(): 1}"
        assert isinstance(called(sulking)["not callable"], Raised)

    def test_what_cannot_be_called_is_shown(self) -> None:
        assert called("f = 3") == {"not callable": 3}
        assert called("f = torch.ones(1)") == {"not callable": Tensor("float32", (1,), b"\0\0\x80?")}

    @pytest.mark.parametrize(
        ("source", "args"),
        [
            ("def f(x):\n    x += 1\n    return x * 1", (torch.ones(2),)),
            ("def f(x):\n    x[0] = float('nan')\n    return 1", (torch.ones(2),)),
            ("def f(x):\n    x.resize_(1)\n    return 1", (torch.ones(2),)),
            ("def f(x):\n    x.addcmul_(x, x)\n    return 1", (torch.ones(2),)),
            ("def f(x):\n    torch.add(x, 1, out=x)\n    return 1", (torch.ones(2),)),
            ("def f(x):\n    x.numpy()[0] = 3\n    return 1", (torch.ones(2),)),
            ("def f(x):\n    x.data.addcdiv_(x, x)\n    return 1", (torch.ones(2),)),
            ("def f(x):\n    with torch._C.DisableTorchFunction():\n        x.add_(1)\n    return 1", (torch.ones(2),)),
            ("def f(m):\n    m.logical_not_()\n    return 1", (torch.tensor([True, False]),)),
            ("def f(xs):\n    xs.append(1)\n    return 1", ([1, 2],)),
            ("def f(xs):\n    xs[0].zero_()\n    return 1", ([torch.ones(2)],)),
            ("def f(xs):\n    xs[0].zero_()\n    return 1", ((torch.ones(2), 1),)),
            ("def f(d):\n    d['a'] = 1\n    return 1", ({},)),
            ("def f(d):\n    d['a'].zero_()\n    return 1", ({"a": torch.ones(2)},)),
        ],
    )
    def test_an_input_changed_in_place_is_seen(self, source: str, args: tuple[Any, ...]) -> None:
        evidence = called(source, exercise.call("one", *args), exercise.call("again", *args))
        assert evidence["one: unchanged"] is False
        assert evidence["again: unchanged"] is False

    @pytest.mark.parametrize(
        "value",
        [
            torch.ones(2),
            torch.tensor([float("nan"), float("inf")]),
            torch.zeros(0),
            [1, torch.ones(2)],
            (1, torch.ones(2)),
            {"a": torch.ones(2), "b": [torch.zeros(3)]},
            exercise.source("lambda x: x"),
            [exercise.source("lambda x: x")],
            "text",
            None,
            float("nan"),
        ],
        ids=lambda value: type(value).__name__,
    )
    def test_an_input_left_alone_is_unchanged(self, value: object) -> None:
        call = exercise.call("one", value, key=value)
        assert called("def f(x, key): return 1", call)["one: unchanged"] is True

    def test_a_change_by_keyword_is_seen_too(self) -> None:
        evidence = called("def f(x):\n    x.zero_()\n    return 1", exercise.call("one", x=torch.ones(2)))
        assert evidence["one: unchanged"] is False

    def test_chance_and_memory_are_seen(self) -> None:
        assert called("def f(x): return x + torch.rand(1)")["one: repeatable"] is False
        assert called("seen = []\ndef f(x):\n    seen.append(1)\n    return len(seen)")["one: repeatable"] is False
        assert called("def f(x): return 0 * x / 0")["one: repeatable"] is True

    @pytest.mark.parametrize(
        ("source", "reaches"),
        [
            ("def f(x): return x * 2", True),
            ("def f(x): return x * 2, 'weights'", True),
            ("def f(x): return x.detach() * 2", False),
            ("def f(x):\n    with torch.no_grad(): return x * 2", False),
            ("def f(x): return torch.tensor(x.tolist())", False),
            ("def f(x): return 3", False),
            ("def f(x): return (x > 0)", False),
            ("def f(x):\n    if x.requires_grad: raise ValueError\n    return x", False),
            ("def f(x):\n    if x.requires_grad: raise SystemExit\n    return x", False),
        ],
    )
    def test_whether_a_gradient_gets_through(self, source: str, reaches: bool) -> None:
        assert called(source, gradient=True)["gradient"] is reaches

    def test_a_gradient_must_reach_every_input(self) -> None:
        call = exercise.call("one", torch.ones(2), torch.ones(2), bias=torch.ones(2))
        assert called("def f(x, y, bias): return x * y + bias", call, gradient=True)["gradient"] is True
        assert called("def f(x, y, bias): return x * y", call, gradient=True)["gradient"] is False

    def test_forbidden_functions_are_seen_however_they_are_called(self) -> None:
        for source in (
            "def f(x): return torch.softmax(x, -1)",
            "def f(x): return x.softmax(-1)",
            "def f(x): return nn.functional.softmax(x, -1)",
            "def f(x): return nn.Softmax(-1)(x)",
        ):
            assert called(source, forbid=["softmax", "matmul"])["forbidden"] == ["softmax"], source
        assert called("def f(x): return x.exp()", forbid=["softmax"])["forbidden"] == []
        assert "forbidden" not in called("def f(x): return torch.softmax(x, -1)")

    def test_a_forbidden_function_counts_where_the_learner_calls_it_only(self) -> None:
        ours = ["ones", "clone", "reshape", "linspace", "sum", "softmax"]
        call = exercise.call("one", exercise.source("lambda x: x.softmax(-1)"), torch.ones(2))
        assert called("def f(g, x): return g(x) * x", call, gradient=True, forbid=ours)["forbidden"] == []
        both = called("def f(g, x): return g(x) * x.sum()", call, gradient=True, forbid=ours)
        assert both["forbidden"] == ["sum"]

    def test_a_forbidden_function_itself_is_seen_when_it_is_handed_in(self) -> None:
        call = exercise.call("one", torch.ones(2), -1)
        for source in ("f = torch.softmax", "f = nn.functional.softmax", "f = lambda x, dim: nn.Softmax(dim)(x)"):
            assert called(source, call, forbid=["softmax"])["forbidden"] == ["softmax"], source
        assert called("f = nn.Softmax(-1)", forbid=["softmax"])["forbidden"] == ["softmax"]

    def test_source_arguments_are_functions_and_modules(self) -> None:
        call = exercise.call("one", exercise.source("lambda x: x * math.pi"), exercise.source("nn.Identity()"))
        assert called("def f(g, h): return h(g(2))", call)["one"] == pytest.approx(6.2831853)
        whole = exercise.source("import math\n\ndef double(x):\n    return 2 * x\n")
        assert called("def f(g): return g(2)", exercise.call("one", whole))["one"] == 4


class TestExceptions:
    def test_the_learners_own_line_is_shown(self) -> None:
        seen = called("def f(x):\n    y = x\n    return y @ y")["one"]
        assert isinstance(seen, Raised)
        assert (seen.type, seen.line, seen.code) == ("RuntimeError", 3, "return y @ y")

    def test_the_last_of_the_learners_lines_is_shown(self) -> None:
        seen = called("def g(x):\n    return torch.cat([x, 3])\ndef f(x):\n    return g(x)")["one"]
        assert isinstance(seen, Raised)
        assert (seen.type, seen.line, seen.code) == ("TypeError", 2, "return torch.cat([x, 3])")

    def test_a_wrong_number_of_arguments_has_no_line_of_the_learner(self) -> None:
        seen = called("def f(): return 1")["one"]
        assert isinstance(seen, Raised)
        assert (seen.type, seen.line) == ("TypeError", None)
        assert "takes 0 positional arguments but 1 was given" in seen.message

    @pytest.mark.parametrize(
        ("body", "type_"),
        [
            ("raise SystemExit(0)", "SystemExit"),
            ("exit()", "SystemExit"),
            ("import sys; sys.exit('bye')", "SystemExit"),
            ("return f(x)", "RecursionError"),
            ("assert False", "AssertionError"),
            ("raise StopIteration", "StopIteration"),
            ("raise Warning('w')", "Warning"),
            ("raise type('Own', (Exception,), {'__str__': lambda self: 1 / 0})", "Own"),
            ("raise ExceptionGroup('g', [ValueError()])", "ExceptionGroup"),
        ],
    )
    def test_whatever_is_raised_becomes_evidence(self, body: str, type_: str) -> None:
        evidence = called(f"def f(x):\n    {body}", gradient=True)
        seen = evidence["one"]
        assert isinstance(seen, Raised)
        assert seen.type == type_
        assert evidence["gradient"] is False

    def test_one_call_that_raises_leaves_the_others(self) -> None:
        calls = [exercise.call("first", torch.ones(2)), exercise.call("second", torch.ones(3))]
        evidence = called("def f(x): return x + torch.ones(3)", *calls)
        assert isinstance(evidence["first"], Raised)
        assert numbers(evidence["second"]) == [2, 2, 2]

    def test_an_interrupt_is_nobodys_answer(self) -> None:
        with pytest.raises(KeyboardInterrupt):
            called("def f(x): raise KeyboardInterrupt")

    def test_an_output_that_raises_when_it_is_read_is_the_learners(self) -> None:
        evidence = called("class D(dict):\n    def items(self): return 1 / 0\ndef f(x): return D(a=1)")
        assert isinstance(evidence["one"], Raised)


class TestModule:
    def test_a_module_is_observed_without_its_layout(self) -> None:
        evidence = built(linear())
        assert evidence.pop("one: parameters") == 12
        assert numbers(evidence.pop("one: tokens")) == torch.eye(5).flatten().tolist()
        assert numbers(evidence.pop("one: batch")) == [1, 0, 0, 1]
        assert numbers(evidence.pop("one: fill 1, input 1")) == [1.75] * 30
        assert numbers(evidence.pop("one: fill 1, input 2")) == [1.75] * 12
        assert evidence == {f"one: {kind}": True for kind in ("unchanged", "repeatable", "gradients")}

    def test_another_layout_gives_the_same_evidence(self) -> None:
        other = """
        class M(nn.Module):
            def __init__(self, n):
                super().__init__()
                self.unlike = nn.ModuleList([nn.Conv1d(n, n, 1)])

            def forward(self, x):
                return self.unlike[0](x.transpose(-1, -2)).transpose(-1, -2)
        """
        assert built(other) == built(linear())

    def test_who_depends_on_whom_is_seen(self) -> None:
        mean, flat = (
            built(linear("self.inner(x) + x.mean(-2, keepdim=True)")),
            built(linear("self.inner(x) + x.sum(0)")),
        )
        assert numbers(mean["one: tokens"]) == [1] * 25
        assert numbers(mean["one: batch"]) == [1, 0, 0, 1]
        assert numbers(flat["one: batch"]) == [1] * 4

    @pytest.mark.parametrize("lost", ["self.inner(x).mean(1)", "torch.zeros(3)", "self.inner(x) * float('nan')"])
    def test_an_output_without_the_inputs_tokens_is_no_error_of_the_learners(self, lost: str) -> None:
        evidence = built(linear(lost))
        assert "one: tokens" not in evidence
        assert not [name for name, value in evidence.items() if isinstance(value, Raised)]

    def test_a_single_sequence_has_no_batch(self) -> None:
        evidence = built(linear(), exercise.case("one", 3, inputs=[torch.ones(4, 3)]))
        assert "one: batch" not in evidence
        assert numbers(evidence["one: tokens"]) == torch.eye(4).flatten().tolist()

    def test_keywords_reach_the_class(self) -> None:
        source = "class M(nn.Linear):\n    def __init__(self, n, widen=1):\n        super().__init__(n, n * widen)"
        cases = [exercise.case(f"{k}", 3, widen=k, inputs=[torch.ones(4, 3)]) for k in (1, 2)]
        evidence = built(source, *cases)
        assert (evidence["1: parameters"], evidence["2: parameters"]) == (12, 24)

    @pytest.mark.parametrize(
        ("forward", "name"),
        [
            ("self.inner(x.add_(1))", "unchanged"),
            ("self.inner(x) + torch.rand(1)", "repeatable"),
            ("x * 2", "gradients"),
            ("self.inner(x).detach()", "gradients"),
        ],
    )
    def test_each_property_that_does_not_hold_is_seen(self, forward: str, name: str) -> None:
        assert built(linear(forward))[f"one: {name}"] is False

    def test_a_forbidden_function_counts_where_the_learners_module_calls_it_only(self) -> None:
        ours = ["clone", "add_", "randn", "select", "abs", "sum", "fill_", "amax", "movedim", "reshape", "linear"]
        assert built(linear("self.inner(x)"), forbid=ours)["forbidden"] == ["linear"]
        assert built(linear("self.inner(x).clone()"), forbid=ours)["forbidden"] == ["clone", "linear"]

    @pytest.mark.parametrize(
        ("init", "where"),
        [
            ("self.inner = [nn.Linear(n, n)]", "layers"),
            ("self.inner = {'a': (nn.Linear(n, n),)}", "layers"),
            ("self.inner = [nn.Parameter(torch.ones(n))]", "layers"),
            ("self.inner = [nn.Linear(n, n)]; self.mask = torch.ones(n)", "layers"),
            ("self.inner = torch.randn(n, n)", "tensors"),
            ("self.inner = [torch.randn(n, n)]", "tensors"),
            ("self.register_buffer('inner', torch.randn(n, n))", "tensors"),
            ("self.inner = nn.Linear(n, n).requires_grad_(False)", "frozen"),
            ("self.inner = nn.ReLU()", "nothing"),
            ("self.inner = lambda x: x", "nothing"),
            ("self.n = n", "nothing"),
        ],
    )
    def test_a_module_without_parameters_shows_where_they_may_be(self, init: str, where: str) -> None:
        evidence = built(module(f"super().__init__(); {init}"))
        assert (evidence["one: parameters"], evidence["one: unregistered"]) == (0, where)

    def test_layers_of_the_class_itself_are_seen(self) -> None:
        shared = module("super().__init__()", "return self.inner[0](x)") + "    inner = [nn.Linear(3, 3)]\n"
        assert built(shared)["one: unregistered"] == "layers"

    def test_a_module_with_parameters_may_hold_what_it_likes(self) -> None:
        more = linear().replace("nn.Linear(n, n)", "nn.Linear(n, n); self.more = [nn.Linear(n, n), torch.ones(n)]")
        assert "one: unregistered" not in built(more)

    def test_dropout_is_off(self) -> None:
        evidence = built(linear("nn.functional.dropout(self.inner(x), training=self.training)"))
        assert evidence["one: repeatable"] is True

    def test_frozen_parameters_do_not_count(self) -> None:
        frozen = linear().replace("nn.Linear(n, n)", "nn.Linear(n, n).requires_grad_(False)")
        assert built(frozen)["one: parameters"] == 0

    def test_an_instance_is_told_from_its_class(self) -> None:
        assert built(linear() + "m = M(3)") == {"not a class": True}
        assert built("m = 3") == {"not callable": 3}
        assert built("def m(n): return nn.Linear(n, n)") == {"not a class": True}

    def test_a_class_that_is_no_module_is_shown(self) -> None:
        assert built("class M:\n    def __init__(self, n): self.n = n") == {"one": Opaque("M")}

    def test_a_layer_that_takes_its_size_from_its_input_is_a_layer(self) -> None:
        lazy = linear().replace("nn.Linear(n, n)", "nn.LazyLinear(n)")
        assert built(lazy)["one: parameters"] == 12

    @pytest.mark.parametrize(
        "source",
        [
            module("raise ValueError(n)"),
            module("self.inner = nn.Linear(n, n)"),
            module("self.n = n"),
            module("super().__init__()", signature=""),
            module("super().__init__(); exit()"),
            module("super().__init__(); self.n = n", "return x @ x"),
            "class M(nn.Module):\n    def __init__(self, n):\n        super().__init__()\n        self.n = n",
            linear("self.inner(x, x)"),
            linear("exit()"),
            linear() + "    def eval(self): raise ValueError",
        ],
    )
    def test_a_module_that_raises_says_so(self, source: str) -> None:
        assert isinstance(built(source)["one"], Raised)

    @pytest.mark.parametrize(
        "forward",
        [
            "self.inner(x) if x.shape[0] == 2 else exit()",
            "self.inner(x) if not torch.is_grad_enabled() else self.inner(x).sum() / 0",
            "self.inner(x)[0]",
            "self.inner(x).sum()",
            "self.inner(x) > 0",
            "torch.nan * self.inner(x)",
            "self.inner(x.tolist() and x) if x.any() else exit()",
            "(self.inner(x), x)",
            "None",
            "'text'",
        ],
    )
    def test_an_odd_module_gives_evidence_all_the_same(self, forward: str) -> None:
        assert "one: parameters" in built(linear(forward))

    def test_a_module_that_cannot_be_counted_says_so(self) -> None:
        assert isinstance(built(linear() + "    def parameters(self): return 1 / 0")["one: parameters"], Raised)

    def test_a_module_that_cannot_be_filled_says_so(self) -> None:
        frozen = linear().replace("nn.Linear(n, n)", "torch.inference_mode()(nn.Linear)(n, n)")
        evidence = built(frozen)
        assert isinstance(evidence["one: fill 1, input 1"], Raised)


class TestExperiment:
    def test_the_measure_sees_the_value(self) -> None:
        assert measured("def measure(value): return {'loss': value * 2, 'steps': 3}", 1.5) == {"loss": 3.0, "steps": 3}

    def test_torch_is_in_scope_and_the_learners_names_are_not(self) -> None:
        measure = (
            "def measure(value): return {'y': F.relu(nn.Identity()(torch.tensor(math.pi))), 'n': len(globals()) < 9}"
        )
        evidence = measured(measure, 1)
        assert numbers(evidence["y"]) == pytest.approx([3.1415927])
        assert evidence["n"] is True

    @pytest.mark.parametrize("body", ["return value.loss", "exit()", "raise ValueError"])
    def test_a_value_that_cannot_be_measured_says_so(self, body: str) -> None:
        assert isinstance(measured(f"def measure(value): {body}", 1)["measure"], Raised)

    def test_the_learners_line_is_shown(self) -> None:
        model = learned("def model(x):\n    return x @ x")
        seen = measured("def measure(value): return {'y': value(torch.ones(2, 3))}", model)["measure"]
        assert isinstance(seen, Raised)
        assert (seen.line, seen.code) == (2, "return x @ x")


# What a learner may have changed in their own surroundings; each is seen to be so still, and put right again.
@contextlib.contextmanager
def default_dtype() -> Iterator[None]:
    torch.set_default_dtype(torch.float64)
    try:
        yield
        assert torch.get_default_dtype() == torch.float64
    finally:
        torch.set_default_dtype(torch.float32)


@contextlib.contextmanager
def default_device() -> Iterator[None]:
    torch.set_default_device("meta")
    try:
        yield
        assert torch.get_default_device() == torch.device("meta")
    finally:
        torch.set_default_device(None)


@contextlib.contextmanager
def no_gradients() -> Iterator[None]:
    torch.set_grad_enabled(False)
    try:
        yield
        assert not torch.is_grad_enabled()
    finally:
        torch.set_grad_enabled(True)


@contextlib.contextmanager
def inference() -> Iterator[None]:
    with torch.inference_mode():
        yield
        assert torch.is_inference_mode_enabled()


@contextlib.contextmanager
def other_seeds() -> Iterator[None]:
    expected = seeded_chance()
    seed_all()
    yield
    assert chance() == expected


def seed_all() -> None:
    for seed in (torch.manual_seed, random.seed, numpy.random.seed):
        seed(99)


def chance() -> list[float]:
    return [torch.rand(1).item(), random.random(), numpy.random.rand()]


def seeded_chance() -> list[float]:
    seed_all()
    return chance()


@contextlib.contextmanager
def warnings_as_errors() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        filters = list(warnings.filters)
        yield
        assert list(warnings.filters) == filters


SURROUNDINGS = [default_dtype, default_device, no_gradients, inference, other_seeds, warnings_as_errors]
CASES = {
    "function": (
        plan_of("function", [exercise.call("one", torch.ones(2, 3))], gradient=True),
        """
        import warnings

        def f(x):
            warnings.warn("careful")
            return x + torch.rand(3) + random.random() + np.random.rand()
        """,
    ),
    "module": (
        plan_of("module", [exercise.case("one", 3, inputs=[torch.ones(2, 5, 3)], fills=[(0.5, 0.25)])]),
        linear("self.inner(x) + torch.rand(1)"),
    ),
    "experiment": (
        plan_of("experiment", (), measure="def measure(value): return value()"),
        """
        def train():
            weights = torch.rand(3, requires_grad=True)
            weights.sum().backward()
            return {"weights": weights, "gradient": weights.grad}
        """,
    ),
}


@pytest.mark.parametrize("kind", CASES)
@pytest.mark.parametrize("surroundings", SURROUNDINGS)
def test_whatever_a_learner_has_changed_the_evidence_is_the_same_and_it_stays_changed(
    surroundings: Callable[[], Any], kind: str
) -> None:
    plan, source = CASES[kind]
    expected = probe(plan, learned(source))
    assert not any(isinstance(value, Raised) for value in expected.values())
    with surroundings():
        assert probe(plan, learned(source)) == expected


@pytest.mark.parametrize(
    "change",
    [
        "torch.manual_seed(0)",
        "random.seed(0)",
        "np.random.seed(0)",
        "torch.rand(9)",
        "torch.set_default_dtype(torch.float64)",
        "torch.set_default_device('meta')",
        "torch.set_grad_enabled(False)",
        "__import__('warnings').simplefilter('error')",
        "__import__('warnings').showwarning = print",
    ],
)
def test_what_the_learners_code_changes_during_a_probe_is_undone(change: str) -> None:
    before = surroundings_now()
    called(f"def f(x):\n    {change}\n    return 1")
    after, torch_device = surroundings_now(), torch.get_default_device()
    torch.set_default_device(None)
    assert after == before
    assert torch_device == torch.device("cpu")


def surroundings_now() -> tuple[Any, ...]:
    """All of a process that a probe might leave changed."""
    return (
        torch.get_default_dtype(),
        torch.is_grad_enabled(),
        torch.is_inference_mode_enabled(),
        torch.get_num_threads(),
        torch.random.get_rng_state().tolist(),
        random.getstate(),
        str(numpy.random.get_state()),
        list(warnings.filters),
        warnings.showwarning,
        vars(builtins).copy(),
        vars(torch.nn.Module).copy(),
        vars(torch.Tensor).copy(),
        vars(torch.nn.functional).copy(),
        sys.stdout,
        sys.stderr,
        dict(os.environ),
        sys.path[:],
    )


def test_nothing_global_is_changed() -> None:
    before = surroundings_now()
    called("def f(x): return x", gradient=True, forbid=["softmax"])
    built(linear(), forbid=["softmax"])
    with contextlib.suppress(KeyboardInterrupt):
        called("def f(x): raise KeyboardInterrupt")
    assert surroundings_now() == before


def test_the_value_that_is_handed_in_stays_as_it_was() -> None:
    model = torch.nn.Linear(2, 2)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    measured("def measure(value): return {'y': value(torch.ones(2))}", model)
    assert model.training
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())


def test_the_same_probe_gives_the_same_evidence_and_another_seed_another_chance() -> None:
    source = "def f(x): return x + torch.rand(3)"
    plan = plan_of("function", [exercise.call("one", torch.ones(2, 3))])
    assert called(source) == called(source)
    assert probe(plan, learned(source), 1) == probe(plan, learned(source), 1) != probe(plan, learned(source), 2)


def test_the_plan_stays_as_it_was() -> None:
    plan = plan_of("function", [exercise.call("one", torch.ones(2), [torch.ones(2)])])
    before = to_bytes(plan)
    probe(plan, learned("def f(x, xs):\n    x.zero_()\n    xs.clear()\n    return 1"))
    assert to_bytes(plan) == before
