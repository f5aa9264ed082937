# %% nbgrader={"grade": false, "grade_id": "every-kind-lesson", "locked": true, "schema_version": 3, "solution": false, "task": false}
from autograde import check, dimensions, hint, lesson, progress, solution

lesson("every-kind")

# %% [markdown]
# # 1. Every kind
#
# One exercise of every kind, as small as it can be.

# %%
import torch
from torch import nn

n_embd, n_head = dimensions("n_embd", "n_head")
print("numbers for each token:", n_embd)

# %% [markdown]
# ### Exercise: A number
#
# A year has 365 days. How many days do three years and one quarter of 556 days make?
#
# Type a whole number.

# %% nbgrader={"grade": false, "grade_id": "kind-number-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
kind_number = ...  # a whole number
### BEGIN SOLUTION
kind_number = 1_234
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.number(
    "kind-number",
    answer=1_234,
    wrong={
        1_095: "You forgot the quarter.",
        1_651: "You added the 556 days whole.",
    },
    passed="Right: 1095 and 139.",
    hints=["Three years first.", "Then a quarter of the rest."],
    explain="3 * 365 + 556 / 4.",
    minutes=2,
    difficulty=1,
)

# %% nbgrader={"grade": true, "grade_id": "kind-number", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("kind-number", kind_number)

# %% [markdown]
# ### Exercise: Numbers
#
# Two equal parts and a part as large as both, together one. Type a list.

# %% nbgrader={"grade": false, "grade_id": "kind-numbers-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
kind_numbers = ...  # a list of numbers
### BEGIN SOLUTION
kind_numbers = [0.25, 0.25, 0.5]
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.numbers(
    "kind-numbers",
    answer=[0.25, 0.25, 0.5],
    places=2,
    wrong=[
        ([0.33, 0.33, 0.33], "All your parts are equal."),
        ([0.5, 0.25, 0.25], "The large part comes last."),
    ],
    passed="Right: they add up to one.",
    hints=["Call the small part s.", "Then s + s + 2 s is one."],
    explain="4 s is one.",
    minutes=2,
    difficulty=1,
)

# %% nbgrader={"grade": true, "grade_id": "kind-numbers", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("kind-numbers", kind_numbers)

# %% [markdown]
# ### Exercise: A shape
#
# What is the shape of `torch.zeros(3, 5).T`? Type a tuple.

# %% nbgrader={"grade": false, "grade_id": "kind-shape-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
kind_shape = ...  # a tuple
### BEGIN SOLUTION
kind_shape = (5, 3)
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.shape(
    "kind-shape",
    answer=(5, 3),
    wrong={
        (3, 5): "You did not turn it.",
        (15,): "Turning joins no axes.",
    },
    passed="Right: turned.",
    hints=["T swaps two things.", "It swaps the axes."],
    explain="Rows become columns.",
    minutes=1,
    difficulty=1,
)

# %% nbgrader={"grade": true, "grade_id": "kind-shape", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("kind-shape", kind_shape)

# %% [markdown]
# ### Prediction: A choice
#
# Which is larger? A guess costs nothing.
#
# - **a** one half
# - **b** two thirds
# - **c** they are equal
#
# Type a letter, such as `"a"`.

# %% nbgrader={"grade": false, "grade_id": "kind-choice-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
kind_choice = ...  # a letter in quotes
### BEGIN SOLUTION
kind_choice = "b"
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.choice(
    "kind-choice",
    answer="b",
    options={
        "a": "One half is three sixths.",
        "b": "Right: four sixths.",
        "c": "They differ by a sixth.",
    },
    hints=["Count in sixths.", "Three sixths, and how many?"],
    explain="Three sixths against four.",
    minutes=1,
    difficulty=1,
)

# %% nbgrader={"grade": true, "grade_id": "kind-choice", "locked": true, "points": 0, "schema_version": 3, "solution": false, "task": false}
check("kind-choice", kind_choice)

# %% [markdown]
# ### Exercise: Choices
#
# Which are even?
#
# - **a** two
# - **b** three
# - **c** four
# - **d** five
#
# Type a set of letters, such as `{"a", "b"}`.

# %% nbgrader={"grade": false, "grade_id": "kind-choices-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
kind_choices = ...  # a set of letters
### BEGIN SOLUTION
kind_choices = {"a", "c"}
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.choices(
    "kind-choices",
    answer={"a", "c"},
    options={
        "a": "Two is even.",
        "b": "Three is odd.",
        "c": "Four is even.",
        "d": "Five is odd.",
    },
    passed="Right, both.",
    hints=["Halve them.", "Which halves are whole?"],
    explain="Two and four have whole halves.",
    minutes=1,
    difficulty=1,
)

# %% nbgrader={"grade": true, "grade_id": "kind-choices", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("kind-choices", kind_choices)

# %% [markdown]
# ### Exercise: A word
#
# What turns scores into weights that add up to one? Type a word in quotes.

# %% nbgrader={"grade": false, "grade_id": "kind-text-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
kind_text = ...  # a word in quotes
### BEGIN SOLUTION
kind_text = "softmax"
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.text(
    "kind-text",
    answer="softmax",
    accept=["soft max"],
    wrong={
        "max": "That takes one only.",
        "sigmoid": "Its outputs do not add up to one.",
    },
    passed="Right.",
    hints=["It is a soft form of something.", "Of the largest one."],
    explain="It divides exponentials by their sum.",
    minutes=1,
    difficulty=1,
)

# %% nbgrader={"grade": true, "grade_id": "kind-text", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("kind-text", kind_text)

# %% [markdown]
# ### Exercise: A function
#
# Write `double_shifted(x, shift)`: twice `x`, plus `shift`. The values earn two points, the gradient one.

# %% nbgrader={"grade": false, "grade_id": "kind-function-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def double_shifted(x: torch.Tensor, shift: float = 0.0) -> torch.Tensor:
    """Return twice x, plus shift."""
    # your code here
    ### BEGIN SOLUTION
    doubled = 2 * x
    return doubled + shift
    ### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

def kind_calls(draw):
    return [
        exercise.call("no shift", draw.normal(*draw.sizes(2)), says="Without a shift the output is off."),
        exercise.call("a shift", draw.normal(4), draw.choice([0.5, 1.5]), says="With a shift the output is off."),
    ]


exercise.function(
    "kind-function",
    calls=kind_calls,
    gradient=True,
    parts={"gradient": 1},
    forbid={"addcmul": "Write it with * and +, not with `addcmul`."},
    wrong=[
        exercise.edit("2 * x", "x", says="You did not double."),
        exercise.edit("doubled + shift", "doubled", says="You left the shift out."),
        exercise.edit("return doubled", "return 2 * shift + doubled - shift + x", says="You added x once more."),
        exercise.edit("2 * x", "x.mul_(2)", says="You changed x itself."),
        exercise.edit("return doubled + shift", "return torch.addcmul(torch.full_like(x, shift), x, torch.full_like(x, 2))", says="Write it with * and +, not with `addcmul`."),
        exercise.edit("2 * x", "2 * x.detach()", says="The values are right, but no gradient flows back to the inputs. Stay within torch's operations."),
    ],
    right=[
        exercise.edit("2 * x", "x + x"),
        exercise.code("double_shifted = lambda x, shift=0.0: shift + x * 2"),
    ],
    passed="Right: doubled, then shifted.",
    hints=["Double first.", "Then add what was given."],
    explain="Two times x, plus shift.",
    minutes=4,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "kind-function", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("kind-function", double_shifted)

# %% [markdown]
# ### Exercise: A module
#
# Write the module `Turn(width)`: one linear layer with a bias, then the sign is turned.

# %% nbgrader={"grade": false, "grade_id": "kind-module-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
class Turn(nn.Module):
    """One linear layer, then the sign is turned: (..., width) -> (..., width)."""

    def __init__(self, width: int) -> None:
        """Make the layer."""
        super().__init__()
        # your code here
        ### BEGIN SOLUTION
        self.layer = nn.Linear(width, width)
        ### END SOLUTION

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the new vectors."""
        # your code here
        ### BEGIN SOLUTION
        return -self.layer(x)
        ### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

def kind_cases(draw):
    (width,) = draw.sizes(1, low=3)
    return [
        exercise.case("a batch", width, inputs=[draw.normal(2, 9, width)], fills=[(0.5, 0.2), (-0.3, 0.4)], drawn=True, says="The output is off."),
    ]


exercise.module(
    "kind-module",
    cases=kind_cases,
    wrong=[
        exercise.edit("-self.layer", "self.layer", says="You did not turn the sign."),
        exercise.edit("(width, width)", "(width, width, bias=False)", says="The bias is missing."),
        exercise.edit("(x)", "(x + x.mean(-2, keepdim=True))", says="Tokens are mixed."),
    ],
    right=[
        exercise.edit("-self.layer(x)", "self.layer(x) * -1"),
        exercise.edit("self.layer", "self.linear"),
    ],
    says={"parameters": "Another number of parameters is asked for."},
    passed="Right.",
    hints=["A linear layer has a bias.", "The minus sign comes last."],
    explain="Minus of one linear layer.",
    minutes=5,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "kind-module", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("kind-module", Turn)

# %% [markdown]
# ### Exercise: An experiment
#
# Set the slope of `trained` so that `trained(3)` is 6, up to a half.

# %% nbgrader={"grade": false, "grade_id": "kind-experiment-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
trained = ...  # a function of one number
### BEGIN SOLUTION
trained = torch.nn.Linear(1, 1, bias=False)
trained.weight.data.fill_(2.0)
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.experiment(
    "kind-experiment",
    measure="""
def measure(value):
    return {"output": float(value(torch.tensor([3.0])))}
""",
    expect=[exercise.between("output", 5.5, 6.5, says="trained(3) is not 6, up to a half.")],
    wrong=[exercise.edit("2.0", "3.0", says="trained(3) is not 6, up to a half.")],
    right=[exercise.edit("2.0", "2.1")],
    passed="Right.",
    hints=["What goes in is 3.", "What must come out is twice as much."],
    explain="The slope is 2.",
    minutes=3,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "kind-experiment", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("kind-experiment", trained)

# %% [markdown]
# ## Key points
#
# - Every kind was asked once.
