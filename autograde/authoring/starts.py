"""What a new exercise of each kind starts from: an answer cell, its solution, and the author cell's arguments."""

from __future__ import annotations

from typing import NamedTuple


class Start(NamedTuple):
    """Texts of one kind; {name} stands for the answer's name. imports is what a cell before it must have run."""

    left: str
    solved: str
    arguments: str
    imports: str = ""


STARTS = {
    "number": Start(
        "{name} = ...  # a number",
        "{name} = 1024",
        """answer=1024,
    wrong={1000: "You counted in thousands.", 512: "That is half of it."},""",
    ),
    "numbers": Start(
        "{name} = ...  # a list of numbers",
        "{name} = [0.25, 0.75]",
        """answer=[0.25, 0.75],
    places=2,
    wrong=[([0.5, 0.5], "Both are not equal."), ([0.75, 0.25], "They are in the other order.")],""",
    ),
    "shape": Start(
        "{name} = ...  # a tuple",
        "{name} = (2, 3)",
        """answer=(2, 3),
    wrong={(3, 2): "The axes are swapped.", (6,): "The axes are gone."},""",
    ),
    "choice": Start(
        '{name} = ...  # "a" or "b"',
        '{name} = "a"',
        """answer="a",
    options={"a": "Right, because ...", "b": "No: ..."},""",
    ),
    "choices": Start(
        '{name} = ...  # such as {{"a", "b"}}',
        '{name} = {{"a"}}',
        """answer={"a"},
    options={"a": "It belongs, because ...", "b": "It does not, because ..."},""",
    ),
    "text": Start(
        "{name} = ...  # a word in quotes",
        '{name} = "softmax"',
        """answer="softmax",
    wrong={"max": "That takes one only.", "sigmoid": "Its outputs do not sum to one."},""",
    ),
    "function": Start(
        '''def {name}(x):
    """Say what it maps to what."""
    # your code here''',
        "    return 2 * x",
        """calls=lambda draw: [exercise.call("a vector", draw.normal(3))],
    wrong=[exercise.edit("2 *", "3 *", says="That triples.")],
    right=[exercise.edit("2 * x", "x + x")],""",
    ),
    "module": Start(
        '''class {name}(nn.Module):
    """Say what it maps to what."""

    def __init__(self, width):
        """Say what it makes."""
        super().__init__()
        # your code here
        ### BEGIN SOLUTION
        self.layer = nn.Linear(width, width)
        ### END SOLUTION

    def forward(self, x):
        """Say what it returns."""
        # your code here''',
        "        return self.layer(x)",
        """cases=lambda draw: [exercise.case("width 3", 3, inputs=[draw.normal(2, 3)], fills=[(0.5, 0.1)])],
    wrong=[exercise.edit("(width, width)", "(width, width, bias=False)", says="The bias is missing.")],
    right=[exercise.edit("self.layer", "self.linear")],""",
        "from torch import nn",
    ),
    "experiment": Start(
        "{name} = ...  # your trained model",
        "{name} = 0.5",
        """measure="def measure(value): return {'loss': float(value)}",
    expect=[exercise.between("loss", 0.0, 1.0, says="The loss is not below 1.")],
    wrong=[exercise.edit("0.5", "2.0", says="The loss is not below 1.")],""",
    ),
}
KINDS = tuple(STARTS)
