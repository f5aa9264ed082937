# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% nbgrader={"grade": false, "grade_id": "widen-relu-narrow-lesson", "locked": true, "schema_version": 3, "solution": false, "task": false}
from autograde import check, dimensions, hint, lesson, progress, solution

lesson("widen-relu-narrow")

# %% [markdown]
# # 4. Widen, ReLU, narrow
#
# Attention moved information between tokens. The next part of a Transformer moves none.
# It takes one token's vector and works on that alone.

# %% [markdown]
# ## Widen
#
# Run this cell. It makes two layers, and one vector for each token of our sentence.

# %%
import matplotlib.pyplot as plt
import torch
from torch import nn

from explorables import COLOURS, use_style

use_style()
(n_embd,) = dimensions("n_embd")

torch.manual_seed(0)
widen = nn.Linear(n_embd, 4 * n_embd)
narrow = nn.Linear(4 * n_embd, n_embd)
table = nn.Embedding(5, n_embd)  # one row for each different word

sentence = ["the", "cat", "sat", "on", "the", "mat"]
words = list(dict.fromkeys(sentence))
x = table(torch.tensor([words.index(word) for word in sentence]))

print(f"{len(sentence)} tokens, {len(words)} different words, {n_embd} numbers for each token")

# %% [markdown]
# A token goes through `widen`, then through `narrow`. What happens to its shape? Decide before you run them.

# %% [markdown]
# ### Exercise: After the widening
#
# Take the first two tokens, `x[:2]`: two rows of 128 numbers.
#
# What is the shape of `widen(x[:2])`? Type a tuple, such as `(3, 7)`.

# %% nbgrader={"grade": false, "grade_id": "ff-hidden-shape-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
ff_hidden_shape = ...  # a tuple
### BEGIN SOLUTION
ff_hidden_shape = (2, 512)
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.shape(
    "ff-hidden-shape",
    answer=(2, 512),
    wrong={
        (2, 128): "That is the shape that went in. The widening keeps the two tokens and changes the length of each vector.",
        (512, 128): "That is the shape of the layer's weight. The question is about the numbers that come out of the layer.",
        (128, 512): "Those are the layer's two sizes, in and out. The result has one row for each of the two tokens.",
        (512,): "That is one widened token. Two tokens went in, so two rows come out.",
        (8, 128): "You made four times as many tokens. It is each vector that becomes four times as long.",
        (2, 4, 128): "The widening adds no axis. Each token gets one long vector, not four short ones.",
    },
    passed="Right. Two tokens stay two tokens. Each one now has four times as many numbers.",
    hints=[
        "A Linear layer works on the last axis only. Which of the two axes is that?",
        "The first axis counts tokens and stays. The last axis takes the layer's output size, 4 * n_embd.",
    ],
    explain="`nn.Linear(128, 512)` turns the last axis from 128 into 512 and leaves every other axis alone. So (2, 128) becomes (2, 512).",
    minutes=2,
    difficulty=1,
)

# %% nbgrader={"grade": true, "grade_id": "ff-hidden-shape", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("ff-hidden-shape", ff_hidden_shape)

# %% [markdown]
# ### Exercise: How torch keeps the weight
#
# What is the shape of `widen.weight`? Type a tuple.

# %% nbgrader={"grade": false, "grade_id": "ff-weight-shape-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
ff_weight_shape = ...  # a tuple
### BEGIN SOLUTION
ff_weight_shape = (512, 128)
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.shape(
    "ff-weight-shape",
    answer=(512, 128),
    wrong={
        (128, 512): "That would fit x @ W. Torch keeps one row for each output and computes x @ W.T, so the sizes stand the other way round.",
        (2, 512): "That is the shape of the layer's result for two tokens. The weight does not know how many tokens will come.",
        (512,): "That is the shape of the bias: one number for each output. The weight needs a row of numbers for each output.",
        (128, 128): "A weight of that shape keeps the length. This layer makes each vector longer.",
        (512, 129): "The bias is no extra column. Torch keeps it apart, in widen.bias.",
    },
    passed="Right. One row for each output: torch computes x @ weight.T + bias.",
    hints=[
        "Each output is a weighted sum of all the inputs. How many outputs are there, and how many weights does each one need?",
        "Torch puts the outputs first: row i of the weight holds the numbers of output i.",
    ],
    explain="There are 512 outputs, and each is a weighted sum of 128 inputs. Torch stores one row an output: (512, 128).",
    minutes=2,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "ff-weight-shape", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("ff-weight-shape", ff_weight_shape)

# %% [markdown]
# ### Exercise: After the narrowing
#
# Now the whole way, again with the two tokens `x[:2]`.
#
# What is the shape of `narrow(torch.relu(widen(x[:2])))`? Type a tuple.

# %% nbgrader={"grade": false, "grade_id": "ff-output-shape-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
ff_output_shape = ...  # a tuple
### BEGIN SOLUTION
ff_output_shape = (2, 128)
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.shape(
    "ff-output-shape",
    answer=(2, 128),
    wrong={
        (2, 512): "You stopped at the widening. `narrow` brings each vector back to its first length.",
        (128, 128): "That is the shape of a weight from width to width. The result still has one row for each of the two tokens.",
        (128,): "That is one token's vector. Two tokens went in, and the layers never merge tokens.",
        (128, 512): "That is the shape of the weight of `narrow`. The question is about the numbers that come out.",
        (128, 2): "You turned the axes. Tokens stay on the first axis, the numbers of a token on the last.",
    },
    passed="Right. The shape at the end is the shape at the start, so the result can be added to what came in.",
    hints=[
        "ReLU changes numbers, not shapes. So follow the last axis through the two layers.",
        "`narrow` takes 4 * n_embd numbers and gives n_embd. The token axis is never touched.",
    ],
    explain="`widen` gives (2, 512), ReLU keeps that, `narrow` gives (2, 128).",
    minutes=2,
    difficulty=1,
)

# %% nbgrader={"grade": true, "grade_id": "ff-output-shape", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("ff-output-shape", ff_output_shape)

# %% [markdown]
# Let torch say it.

# %%
hidden = widen(x[:2])
print("two tokens     ", tuple(x[:2].shape))
print("widened        ", tuple(hidden.shape))
print("narrowed       ", tuple(narrow(torch.relu(hidden)).shape))
print("weight of widen", tuple(widen.weight.shape))

# %% [markdown]
# ## ReLU: keep or drop
#
# Between the two layers stands ReLU. It looks at each number on its own.
# A positive number passes unchanged. Any other becomes zero.
#
# The layers are untrained. Their weights and biases were drawn evenly from both sides of zero.

# %% [markdown]
# ### Prediction: How much will be dropped?
#
# One token, "the", after the widening: 512 numbers. How many will ReLU turn into zero?
# Choose before you run anything. A wrong guess costs nothing.
#
# - **a** none: the numbers are all positive
# - **b** about half of them
# - **c** exactly half of them, 256
# - **d** nearly all of them
#
# Type a letter, such as `"a"`.

# %% nbgrader={"grade": false, "grade_id": "ff-predict-negatives-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
ff_predict_negatives = ...  # a letter in quotes
### BEGIN SOLUTION
ff_predict_negatives = "b"
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.choice(
    "ff-predict-negatives",
    answer="b",
    options={
        "a": "A Linear layer gives numbers of both signs. Only after ReLU is none of them negative.",
        "b": "Right: each number is as likely to fall below zero as above it. The next cell counts.",
        "c": "Close, but chance does not split evenly. Toss a coin 512 times: 256 heads exactly is rare.",
        "d": "That happens when the biases are pulled far below zero. Here they were drawn from both sides alike.",
    },
    hints=[
        "Each widened number is a sum of many terms, and each term may have either sign.",
        "Turn the sign of every weight and bias: that draw is just as likely, and every number changes its sign.",
    ],
    explain="Weights and biases are drawn evenly around zero, so each of the 512 sums is negative about every second time. The count lies near one half, but seldom on it.",
    minutes=1,
    difficulty=1,
)

# %% nbgrader={"grade": true, "grade_id": "ff-predict-negatives", "locked": true, "points": 0, "schema_version": 3, "solution": false, "task": false}
check("ff-predict-negatives", ff_predict_negatives)

# %%
before = widen(x).detach()
after = torch.relu(before)

for position in (0, 1):
    negatives = int((before[position] < 0).sum())
    left = int((after[position] < 0).sum())
    survivors = int((after[position] > 0).sum())
    print(f"{sentence[position]}: {negatives} negatives become {left}, {survivors} numbers survive")

print("negatives in the two tokens together:", int((before[:2] < 0).sum()))
print("numbers that survive in both:", int((after[:2] > 0).all(dim=0).sum()))

# %% [markdown]
# Look at the last line. The two tokens keep equally many numbers, by chance, but not the same ones.
# Each token decides by its own numbers what is kept.
#
# Here are all the numbers of "the", before and after.

# %%
values = before[0].sort().values
kept = torch.relu(values)
below = int((values < 0).sum())

figure, axes = plt.subplots(figsize=(7, 3.2))
axes.plot(values, color=COLOURS["neutral"], linewidth=1.5)
axes.plot(kept, color=COLOURS["feed_forward"], linewidth=3)
axes.text(below / 3, float(values[below // 8]), "before ReLU", color=COLOURS["neutral"], va="top")
axes.text(0, 0.1, f"after ReLU: {below} are zero", color=COLOURS["feed_forward"])
axes.text(below + 80, 0.1, f"{len(kept) - below} pass unchanged", color=COLOURS["feed_forward"], va="top")
axes.set_xlabel('the widened numbers of "the", smallest first')
axes.set_ylabel("value")
plt.show()

print(
    f'Figure: the {len(values)} widened numbers of "the", sorted, rise from {values[0]:.2f} to {values[-1]:.2f}. '
    f"After ReLU the first {below} lie on zero; the other {len(kept) - below} have not moved."
)

# %% [markdown]
# ## Count what training can move
#
# Training moves weights and biases. A `Linear` layer has a weight for each pair of input and output,
# and a bias for each output.

# %% [markdown]
# ### Exercise: The second layer
#
# How many parameters does `narrow` have, weight and bias together?
#
# Type a whole number, such as `1024` or `1_024` (not `1,024`).

# %% nbgrader={"grade": false, "grade_id": "ff-second-layer-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
ff_second_layer = ...  # a whole number
### BEGIN SOLUTION
ff_second_layer = 65_664
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.number(
    "ff-second-layer",
    answer=65_664,
    wrong={
        66_048: "That is the first layer. It has a bias for each of 512 outputs; the second has fewer outputs.",
        65_536: "You counted the weight and left out the bias.",
        65_537: "One bias is not enough: each output has its own.",
        640: "You added the sizes. Every input is joined to every output, so the weight needs their product.",
        131_328: "You counted the layer twice. All tokens use the same weights.",
    },
    passed="Right: 512 * 128 weights and 128 biases.",
    hints=[
        "First the weight: how many inputs, times how many outputs?",
        "Then the bias: one number for each output, and `narrow` has n_embd outputs.",
    ],
    explain="512 inputs times 128 outputs are 65,536 weights. 128 outputs bring 128 biases. Together 65,664.",
    minutes=2,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "ff-second-layer", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("ff-second-layer", ff_second_layer)

# %% [markdown]
# ### Exercise: The whole part
#
# How many parameters do `widen`, ReLU and `narrow` have together? Type a whole number.

# %% nbgrader={"grade": false, "grade_id": "ff-parameters-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
ff_parameters = ...  # a whole number
### BEGIN SOLUTION
ff_parameters = 131_712
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.number(
    "ff-parameters",
    answer=131_712,
    wrong={
        131_072: "You counted the two weights and left out both biases.",
        131_584: "You counted the bias of the first layer only. The second layer has one too.",
        131_200: "You counted the bias of the second layer only. The first layer has one too.",
        65_536: "That is one weight without its bias. There are two layers.",
        65_664: "That is the second layer alone. Add the first.",
        66_048: "That is the first layer alone. Add the second.",
        131_074: "You gave each layer a single bias. Each output has its own.",
        132_096: "You took the first layer twice. The second has fewer outputs, so fewer biases.",
        131_328: "You took the second layer twice. The first has more outputs, so more biases.",
        132_224: "You gave ReLU parameters of its own. It has none: nothing in it is learned.",
        263_424: "You counted everything twice. All tokens share one set of weights, however many there are.",
    },
    passed="Right: 128 * 512 + 512 for the first layer, 512 * 128 + 128 for the second. ReLU has none.",
    hints=[
        "You have the second layer. The first has as many weights, but another number of biases.",
        "The first layer has a bias for each of its 4 * n_embd outputs. ReLU adds nothing.",
    ],
    explain="The first layer has 128 * 512 + 512 = 66,048, the second 512 * 128 + 128 = 65,664. ReLU has none. The sum is 131,712.",
    minutes=3,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "ff-parameters", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("ff-parameters", ff_parameters)

# %%
def count(*layers: nn.Module) -> int:
    """Return how many numbers training can move in these layers."""
    return sum(parameter.numel() for layer in layers for parameter in layer.parameters())


print("narrow alone:        ", f"{count(narrow):,}")
print("widen, ReLU, narrow: ", f"{count(widen, nn.ReLU(), narrow):,}")

# %% [markdown]
# ## Take ReLU away
#
# Leave ReLU out, and put `widen` straight into `narrow`. The numbers still go up to 512 and back.
# Yet the result is what one single `Linear` layer would give.

# %% [markdown]
# ### Exercise: One layer for two
#
# How many parameters does that single layer have? It turns a token's 128 numbers into the final 128, in one step.
# It has a bias. Type a whole number.

# %% nbgrader={"grade": false, "grade_id": "ff-collapsed-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
ff_collapsed = ...  # a whole number
### BEGIN SOLUTION
ff_collapsed = 16_512
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.number(
    "ff-collapsed",
    answer=16_512,
    wrong={
        16_384: "You counted the weight and left out the bias. The two old biases do not vanish: they merge into one.",
        131_712: "You kept both layers. Multiply the two weights: the 512 in the middle is summed away, and one small layer is left.",
        131_584: "You kept both layers. Multiply the two weights: the 512 in the middle is summed away, and so is the first bias as such.",
        17_024: "You kept both biases. The first one passes through the second weight and merges with the second bias.",
        16_640: "You counted two biases of 128. They are added once and for all: one bias is left.",
        66_048: "That is `widen`. The single layer never makes 512 numbers.",
        65_664: "That is `narrow`. The single layer never sees 512 numbers.",
    },
    passed="Right: 128 * 128 weights and 128 biases do the work of all the others.",
    hints=[
        "Write it out: narrow(widen(x)) = (x A + a) B + b. Multiply the brackets.",
        "A B is one matrix. What are its rows and columns? And a B + b is one bias: how long is it?",
    ],
    explain="(x A + a) B + b = x (A B) + (a B + b). A B is 128 by 128, a B + b has 128 numbers: 16,384 + 128 = 16,512.",
    minutes=4,
    difficulty=3,
)

# %% nbgrader={"grade": true, "grade_id": "ff-collapsed", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("ff-collapsed", ff_collapsed)

# %% [markdown]
# Do not believe it: build that layer and compare.

# %%
def merge(keep: torch.Tensor) -> nn.Linear:
    """Return the one layer that equals widen, then narrow, with only the hidden numbers that `keep` marks."""
    layer = nn.Linear(n_embd, n_embd)
    with torch.no_grad():
        layer.weight.copy_(narrow.weight[:, keep] @ widen.weight[keep])
        layer.bias.copy_(narrow.weight[:, keep] @ widen.bias[keep] + narrow.bias)
    return layer


def gap(left: torch.Tensor, right: torch.Tensor) -> str:
    """Return the largest difference between two tensors."""
    return f"{(left - right).abs().max():.1e}"


single = merge(torch.ones(4 * n_embd, dtype=torch.bool))  # keeps every hidden number
print(f"one layer with {count(single):,} parameters against two with {count(widen, narrow):,}")
print("largest difference without ReLU:", gap(single(x), narrow(widen(x))))
print("largest difference with ReLU:   ", gap(single(x), narrow(torch.relu(widen(x)))))

# %% [markdown]
# The first difference is rounding. Without ReLU the wide middle adds nothing that one layer cannot do.
# The second is no rounding: with ReLU that layer fails.
#
# But what if it is built from the numbers that "the" keeps, and from no others?

# %%
own = merge(widen(x[0]) > 0)
for position in (0, 1):
    print(f"{sentence[position]}: difference", gap(own(x[position]), narrow(torch.relu(widen(x[position])))))

# %% [markdown]
# For "the", that single layer is the whole part. For "cat" it is wrong.
# So ReLU gives each token a linear layer of its own, chosen by the token itself.

# %% [markdown]
# ## Bend it yourself
#
# Here a token has two numbers only, and the picture shows one output number as a height.
# Each hidden number is zero along a line: its hinge.
#
# **Try this:** drag a hinge and watch the surface fold there; then switch ReLU off.

# %%
from explorables import FeedForwardPicture

FeedForwardPicture()

# %% [markdown]
# Each hinge gives one fold. Between the folds the surface is flat: on each flat piece, the same hidden numbers are kept.
# More hidden numbers make more folds. Training moves the hinges, as you just did by hand.

# %% [markdown]
# ## Build it
#
# Now put the parts into one module.

# %% [markdown]
# ### Exercise: Write `FeedForward`
#
# Write the module `FeedForward(n_embd, widen=4)`.
#
# - Its input `x` has shape `(..., n_embd)`: any number of axes in front. The output has the same shape.
# - Inside: a linear layer to `widen * n_embd`, ReLU, a linear layer back to `n_embd`. Both have biases.
# - Each token goes through alone. No residual and no norm in here: they come later.
# - Leave `x` itself unchanged.
#
# What counts and what does not:
#
# - Use ReLU. GELU is not accepted here, in either of its forms.
# - `nn.Linear`, `nn.Conv1d` with kernel 1, parameters held by hand: all are fine. So are any starting values and names.
# - Dropout is not asked for. If you have some, it must be off after `eval()`: that is how the module is judged.
# - You may work in place on numbers that you made yourself.

# %% nbgrader={"grade": false, "grade_id": "ff-module-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
class FeedForward(nn.Module):
    """Widen each token's vector, apply ReLU, narrow it again: (..., n_embd) -> (..., n_embd)."""

    def __init__(self, n_embd: int, widen: int = 4) -> None:
        """Make the two layers; the hidden width is widen * n_embd."""
        super().__init__()
        # your code here
        ### BEGIN SOLUTION
        self.widen = nn.Linear(n_embd, widen * n_embd)
        self.narrow = nn.Linear(widen * n_embd, n_embd)
        ### END SOLUTION

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the new vectors, in the shape of x."""
        # your code here
        ### BEGIN SOLUTION
        hidden = self.widen(x)
        hidden = torch.relu(hidden)
        return self.narrow(hidden)
        ### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

FIRST = "self.widen = nn.Linear(n_embd, widen * n_embd)"
SECOND = "self.narrow = nn.Linear(widen * n_embd, n_embd)"
RELU = "hidden = torch.relu(hidden)"
LAST = "return self.narrow(hidden)"

FILLS = [(0.5, 0.2), (-0.4, 0.3), (0.3, -0.6)]  # (every weight, every bias): both signs of each


def ff_cases(draw):
    """Two widths, two widenings, inputs of two and three axes, five tokens and others; one square input, which hides swapped axes."""
    width, other = draw.choice([4, 6, 8]), draw.choice([3, 7, 10])
    return [
        exercise.case(
            "the default widening",
            width,
            inputs=[draw.normal(2, 5, width), draw.normal(9, width)],
            fills=FILLS,
            says="With the default widening of 4, the output is off.",
        ),
        exercise.case(
            "widen=3",
            other,
            widen=3,
            inputs=[draw.normal(4, 9, other)],
            fills=FILLS,
            says="With widen=3 the output is off. Does the hidden width follow `widen`?",
        ),
        exercise.case(
            "as many tokens as numbers",
            other,
            inputs=[draw.normal(2, other, other)],
            fills=FILLS[:1],
            drawn=True,
            says="With as many tokens as numbers in a token, the output is off. Are the two axes swapped?",
        ),
    ]


exercise.module(
    "ff-module",
    cases=ff_cases,
    wrong=[
        # The activation.
        exercise.edit(
            RELU, "pass",
            says="There is no activation between the layers. Then the two collapse into one linear layer.",
        ),
        exercise.edit(
            RELU, "pass", LAST, "return torch.relu(self.narrow(hidden))",
            says="ReLU stands after the second layer instead of between the two. Now no output can be negative, and the two layers still collapse into one.",
        ),
        exercise.edit(
            LAST, "return torch.relu(self.narrow(hidden))",
            says="There is a second ReLU after `narrow`. The output could never be negative. Only the middle gets ReLU.",
        ),
        exercise.edit(
            "hidden = self.widen(x)", "hidden = self.widen(torch.relu(x))", RELU, "pass",
            says="ReLU stands before the first layer. It throws away the negative half of the input, and the two layers still collapse into one.",
        ),
        exercise.edit(
            "hidden = self.widen(x)", "hidden = self.widen(torch.relu(x))",
            says="ReLU in the middle is right, but there is one before the first layer too. It throws away the negative half of the input.",
        ),
        exercise.edit(
            "hidden = self.widen(x)", "hidden = self.widen(x.relu_())", RELU, "pass",
            says="ReLU stands before the first layer, and it works in place: it overwrites the caller's x. A residual would then add relu(x).",
        ),
        exercise.edit(
            "hidden = self.widen(x)", "hidden = self.widen(nn.ReLU(inplace=True)(x))",
            says="The in-place ReLU on the input overwrites the caller's x. Only the middle gets ReLU, and there it may work in place.",
        ),
        exercise.edit(
            RELU, "hidden = nn.functional.gelu(hidden)",
            says="This is GELU, in its exact form. It lets small negative numbers through. This exercise asks for ReLU.",
        ),
        exercise.edit(
            RELU, "hidden = nn.GELU(approximate='tanh')(hidden)",
            says="This is GELU, in its tanh form. It lets small negative numbers through. This exercise asks for ReLU.",
        ),
        exercise.edit(
            RELU, "hidden = hidden * torch.sigmoid(hidden)",
            says="This is SiLU. It lets small negative numbers through. This exercise asks for ReLU.",
        ),
        exercise.edit(
            RELU, "hidden = nn.functional.leaky_relu(hidden)",
            says="This is the leaky ReLU. It lets a hundredth of each negative number through. ReLU makes them zero.",
        ),
        exercise.edit(
            RELU, "hidden = torch.sigmoid(hidden)",
            says="This is a sigmoid. It squeezes every number between 0 and 1. ReLU leaves positive numbers as they are.",
        ),
        exercise.edit(
            RELU, "hidden = torch.abs(hidden)",
            says="You turn negative numbers into positive ones. ReLU makes them zero.",
        ),
        exercise.edit(
            RELU, "hidden = torch.softmax(hidden, dim=-1)",
            says="There is a softmax over the hidden numbers instead of ReLU. That belongs to attention.",
        ),
        # The widths.
        exercise.edit(
            FIRST, "self.widen = nn.Linear(n_embd, 4 * n_embd)", SECOND, "self.narrow = nn.Linear(4 * n_embd, n_embd)",
            says="The hidden width is 4 * n_embd whatever `widen` says. Use the argument.",
        ),
        exercise.edit(
            FIRST, "self.widen = nn.Linear(n_embd, 2 * n_embd)", SECOND, "self.narrow = nn.Linear(2 * n_embd, n_embd)",
            says="The hidden width is 2 * n_embd whatever `widen` says. Use the argument; its default is 4.",
        ),
        exercise.edit(
            FIRST, "self.widen = nn.Linear(n_embd, 512)", SECOND, "self.narrow = nn.Linear(512, n_embd)",
            says="The hidden width is fixed at 512. That is right at n_embd 128 only: use widen * n_embd.",
        ),
        exercise.edit(
            FIRST, "self.widen = nn.Linear(n_embd, n_embd)", SECOND, "self.narrow = nn.Linear(n_embd, n_embd)",
            says="Nothing is widened: the hidden width is n_embd. It should be widen * n_embd.",
        ),
        exercise.edit(
            "widen: int = 4", "widen: int = 2",
            says="The default of `widen` is 2. It should be 4.",
        ),
        exercise.edit(
            "widen: int = 4", "factor: int = 4", FIRST, "self.widen = nn.Linear(n_embd, factor * n_embd)",
            SECOND, "self.narrow = nn.Linear(factor * n_embd, n_embd)",
            says="Your second argument has another name. It must be called `widen`, so that `FeedForward(6, widen=3)` works.",
        ),
        exercise.edit(
            LAST, "return hidden",
            says="You return the hidden numbers. The second layer has still to bring them back to n_embd.",
        ),
        exercise.edit(
            LAST, "return self.narrow(hidden).reshape(-1, x.shape[-1])",
            says="You joined the axes in front and did not take them apart again. The output has the shape of x.",
        ),
        exercise.edit(
            FIRST, "self.widen = nn.Linear(widen * n_embd, n_embd)", SECOND, "self.narrow = nn.Linear(n_embd, widen * n_embd)",
            says="The sizes of your two layers do not fit x. nn.Linear takes the input size first, then the output size.",
        ),
        # The biases and the parameters.
        exercise.edit(
            "widen * n_embd)", "widen * n_embd, bias=False)", "self.narrow = nn.Linear(widen * n_embd, n_embd)",
            "self.narrow = nn.Linear(widen * n_embd, n_embd, bias=False)",
            says="Both layers lack their bias.",
        ),
        exercise.edit(
            FIRST, "self.widen = nn.Linear(n_embd, widen * n_embd, bias=False)",
            says="The first layer lacks its bias.",
        ),
        exercise.edit(
            SECOND, "self.narrow = nn.Linear(widen * n_embd, n_embd, bias=False)",
            says="The second layer lacks its bias.",
        ),
        exercise.edit(
            SECOND, "self.bias = nn.Parameter(torch.zeros(n_embd))",
            LAST, "return hidden @ self.widen.weight + self.bias",
            says="You use the first weight a second time, turned. The second layer has a weight of its own.",
        ),
        exercise.edit(
            FIRST, "self.layers = [nn.Linear(n_embd, widen * n_embd), nn.Linear(widen * n_embd, n_embd)]", SECOND, "",
            "self.widen(x)", "self.layers[0](x)", LAST, "return self.layers[1](hidden)",
            says="The layers stand in a plain list or dict, so torch does not find their parameters and training cannot move them. Make each an attribute, or use nn.ModuleList.",
        ),
        exercise.edit(
            FIRST, "self.sizes = (n_embd, widen * n_embd)", SECOND, "",
            "self.widen(x)", "nn.Linear(*self.sizes)(x)", LAST, "return nn.Linear(*self.sizes[::-1])(hidden)",
            says="The layers are made inside `forward`: every call draws new weights, and nothing can be trained. Make them once, in `__init__`.",
        ),
        exercise.edit(
            LAST, "with torch.no_grad():\n            return self.narrow(hidden)",
            says="No gradient reaches your parameters: `no_grad` or `detach` cuts it off. The module could not be trained.",
        ),
        exercise.edit(
            LAST, "self.narrow(hidden)",
            says="`forward` gives back nothing. Did you forget `return`?",
        ),
        # Chance.
        exercise.edit(
            RELU, "hidden = nn.functional.dropout(torch.relu(hidden), 0.3)",
            says="Dropout stays on after eval(): two runs differ. F.dropout needs training=self.training; an nn.Dropout must be made in `__init__`, not in `forward`.",
        ),
        # Residual, norm, other tokens.
        exercise.edit(
            LAST, "return x + self.narrow(hidden)",
            says="You add x to the result. The residual belongs to the block around this part, not in here.",
        ),
        exercise.edit(
            "super().__init__()", "super().__init__()\n        self.norm = nn.LayerNorm(n_embd)",
            "self.widen(x)", "self.widen(self.norm(x))",
            says="There is a LayerNorm in front of the first layer. The norm belongs to the block around this part, not in here.",
        ),
        exercise.edit(
            "super().__init__()", "super().__init__()\n        self.norm = nn.LayerNorm(n_embd)",
            LAST, "return self.norm(self.narrow(hidden))",
            says="There is a LayerNorm after the second layer. The norm belongs to the block around this part, not in here.",
        ),
        exercise.edit(
            LAST, "return self.narrow(hidden) + x.mean(dim=-2, keepdim=True)",
            says="You add the mean of the tokens to the result. Each token goes through alone.",
        ),
        exercise.edit(
            "self.widen(x)", "self.widen(x + x.mean(dim=-2, keepdim=True))",
            says="You add the mean of the tokens to the input. Each token goes through alone.",
        ),
        exercise.edit(
            RELU, "hidden = torch.softmax(torch.relu(hidden), dim=-2)",
            says="There is a softmax over the tokens. It makes every token depend on the others; each goes through alone.",
        ),
        exercise.edit(
            RELU, "hidden = torch.relu((hidden - hidden.mean(dim=-2, keepdim=True)) / (hidden.std(dim=-2, keepdim=True) + 1e-5))",
            says="You normalise the hidden numbers over the tokens. It makes every token depend on the others; each goes through alone.",
        ),
        exercise.edit(
            FIRST, "self.widen = nn.Linear(5 * n_embd, widen * n_embd)", SECOND, "self.narrow = nn.Linear(widen * n_embd, 5 * n_embd)",
            "self.widen(x)", "self.widen(x.flatten(start_dim=1))", LAST, "return self.narrow(hidden).reshape(x.shape)",
            says="You join the tokens into one long vector. That mixes them, and it works for one length only. Apply the layers to the last axis.",
        ),
        exercise.edit(
            FIRST, "self.widen = nn.Conv1d(n_embd, widen * n_embd, kernel_size=1)",
            SECOND, "self.narrow = nn.Conv1d(widen * n_embd, n_embd, kernel_size=1)",
            says="Conv1d expects the features on the last axis but one: it took your tokens for features. Swap the two axes before it and back after it.",
        ),
        exercise.edit(
            FIRST, "self.widen = nn.Conv1d(n_embd, widen * n_embd, kernel_size=3, padding=1)",
            "self.widen(x)", "self.widen(x.transpose(-1, -2)).transpose(-1, -2)",
            says="Your convolution has a kernel of 3: each token sees its two neighbours. With kernel 1 it would go through alone.",
        ),
    ],
    right=[
        exercise.edit(RELU, "hidden = hidden.clamp(min=0)"),
        exercise.edit(RELU, "hidden.relu_()"),
        exercise.edit(RELU, "hidden = torch.where(hidden > 0, hidden, 0.0)"),
        exercise.edit(
            "super().__init__()", "super().__init__()\n        self.dropout = nn.Dropout(0.2)",
            LAST, "return self.dropout(self.narrow(hidden))",
        ),
        exercise.edit(
            FIRST, "self.layers = nn.Sequential(nn.Linear(n_embd, widen * n_embd), nn.ReLU(inplace=True), nn.Linear(widen * n_embd, n_embd))",
            SECOND, "", "self.widen(x)", "self.layers(x)", RELU, "", LAST, "return hidden",
        ),
        exercise.edit(
            "self.widen(x)", "torch.stack([self.widen(token) for token in x.reshape(-1, x.shape[-1])])",
            LAST, "return torch.stack([self.narrow(row) for row in hidden]).reshape(x.shape)",
        ),
        exercise.edit(
            FIRST, "self.widen = nn.Conv1d(n_embd, widen * n_embd, kernel_size=1)",
            SECOND, "self.narrow = nn.Conv1d(widen * n_embd, n_embd, kernel_size=1)",
            "self.widen(x)", "self.widen(x.transpose(-1, -2))", LAST, "return self.narrow(hidden).transpose(-1, -2)",
        ),
        exercise.code('''
class FeedForward(nn.Module):
    def __init__(self, size, widen=4):
        super().__init__()
        big = widen * size
        self.up, self.up_bias = nn.Parameter(torch.randn(size, big) / size**0.5), nn.Parameter(torch.zeros(big))
        self.down, self.down_bias = nn.Parameter(torch.randn(big, size) / big**0.5), nn.Parameter(torch.zeros(size))

    def forward(self, x):
        return torch.relu(x @ self.up + self.up_bias) @ self.down + self.down_bias
'''),
        exercise.code('''
class FeedForward(nn.Module):
    def __init__(self, width, widen=4):
        super().__init__()
        self.b2 = nn.Parameter(torch.full((1, width), 0.1))
        self.w2 = nn.Parameter(torch.randn(width, widen * width) * 0.2)
        self.b1 = nn.Parameter(torch.full((1, widen * width), -0.1))
        self.w1 = nn.Parameter(torch.randn(widen * width, width) * 0.2)

    def forward(self, x):
        inside = torch.einsum("hc,...c->...h", self.w1, x) + self.b1
        return torch.einsum("ch,...h->...c", self.w2, inside * (inside > 0)) + self.b2
'''),
    ],
    passed="Right. Widen, ReLU, narrow, with every parameter in its place, and each token on its own.",
    hints=[
        "`__init__` makes the two layers, as the first code cell of the lesson did, but with the two arguments. `forward` uses them in order.",
        "Keep the layers as attributes of `self`. In `forward`: first layer, then `torch.relu`, then second layer, then `return`.",
    ],
    explain="Make nn.Linear(n_embd, widen * n_embd) and nn.Linear(widen * n_embd, n_embd) in `__init__`. In `forward` return the second layer of torch.relu of the first layer of x. A Linear layer works on the last axis, so any axes in front are kept and no token meets another.",
    says={
        "parameters": "The number of parameters is off. Two layers, a weight and a bias each, with the hidden width widen * n_embd.",
        "unchanged": "Your module changes its input x. Work on a new tensor.",
        "repeatable": "The same input gave two different outputs in eval(). Is something random left on?",
        "tokens": "An output token moves when another token moves. Each token goes through alone.",
        "batch": "One entry of the batch changes another. Each goes through alone.",
        "gradients": "Some parameter gets no gradient, so training could not move it.",
    },
    minutes=12,
    difficulty=3,
)

# %% nbgrader={"grade": true, "grade_id": "ff-module", "locked": true, "points": 5, "schema_version": 3, "solution": false, "task": false}
check("ff-module", FeedForward)

# %% [markdown]
# ## Four is a choice
#
# Four is not a rule. It is what the first Transformer used, and many later ones kept it.
# What does another choice cost?

# %% [markdown]
# ### Exercise (stretch): Widen by two
#
# `n_embd` is 128. Widen by 2 instead of 4. How many parameters has the feed-forward part now?
# Both layers keep their biases. Type a whole number.

# %% nbgrader={"grade": false, "grade_id": "ff-widen-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
ff_widen = ...  # a whole number
### BEGIN SOLUTION
ff_widen = 65_920
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.number(
    "ff-widen",
    answer=65_920,
    wrong={
        65_856: "That is half of the old number. Almost: the bias of the output does not shrink, because the output is still 128 long.",
        65_536: "You counted the two weights and left out both biases.",
        65_792: "You counted the bias of the first layer only.",
        65_664: "You counted the bias of the second layer only.",
        66_176: "You halved the weights and kept 512 biases in the middle. The middle is 256 long now.",
        33_024: "That is the first layer alone. Add the second.",
        32_896: "That is the second layer alone. Add the first.",
        131_712: "That is the number for 4. With 2, the middle is half as long, and both weights shrink.",
    },
    passed="Right: the weights and the middle bias are halved, the output bias is not.",
    hints=[
        "The middle is now 2 * 128 long. Count both layers again.",
        "128 * 256 weights and 256 biases, then 256 * 128 weights and one bias for each output.",
    ],
    explain="128 * 256 + 256 = 33,024 and 256 * 128 + 128 = 32,896. Together 65,920.",
    minutes=2,
    difficulty=2,
    stretch=True,
)

# %% nbgrader={"grade": true, "grade_id": "ff-widen", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("ff-widen", ff_widen)

# %% [markdown]
# ### Exercise (stretch): Three times as wide
#
# Back to 4, but now `n_embd` is 384. How many parameters? Type a whole number.

# %% nbgrader={"grade": false, "grade_id": "ff-other-width-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
ff_other_width = ...  # a whole number
### BEGIN SOLUTION
ff_other_width = 1_181_568
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.number(
    "ff-other-width",
    answer=1_181_568,
    wrong={
        1_179_648: "You counted the two weights and left out both biases.",
        395_136: "You took three times the number at 128. A weight grows on both sides: three times as wide is nine times as many.",
        1_185_408: "You took nine times the number at 128. That is right for the weights; the biases grow only three times.",
        1_181_184: "You counted the bias of the first layer only.",
        1_180_032: "You counted the bias of the second layer only.",
        591_360: "That is the first layer alone. Add the second.",
        590_208: "That is the second layer alone. Add the first.",
        394_112: "You kept the middle at 512. It is 4 * n_embd, so it grows too.",
    },
    passed="Right: nine times the weights, three times the biases.",
    hints=[
        "The middle is 4 * 384 long. Each weight is 384 times that.",
        "384 * 1536 weights and 1536 biases, then as many weights again and one bias for each of 384 outputs.",
    ],
    explain="384 * 1536 + 1536 = 591,360 and 1536 * 384 + 384 = 590,208. Together 1,181,568.",
    minutes=3,
    difficulty=3,
    stretch=True,
)

# %% nbgrader={"grade": true, "grade_id": "ff-other-width", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("ff-other-width", ff_other_width)

# %%
for width, factor in [(128, 1), (128, 2), (128, 4), (128, 8), (384, 4)]:
    parameters = count(nn.Linear(width, factor * width), nn.Linear(factor * width, width))
    print(f"n_embd {width}, widen {factor}: {parameters:>9,} parameters")

# %% [markdown]
# Twice the widening costs about twice the parameters. Three times the width costs about nine times.

# %% [markdown]
# ## Key points
#
# - One token's vector is widened, passed through ReLU, and narrowed to its old length; no other token is looked at.
# - Without ReLU the two layers are one: all the width in the middle buys nothing.
# - ReLU drops other numbers for each token, so the result is made of flat pieces, joined at folds.
#
# ## Look back
#
# **Lesson 2.** One head, before its output projection: between which bounds does each number of its output lie?
#
# <details><summary>Answer</summary>
#
# Between the smallest and the largest of that number in the values. The output is a weighted average of them.
# The feed-forward part has no such bounds.
#
# </details>
#
# **Lesson 3.** Attention is linear in the values for fixed weights. Why is it not linear in its input X?
#
# <details><summary>Answer</summary>
#
# The weights are made from X as well. Change X and the weights change with it.
# ReLU does something like it for one token: the token decides what is kept.
#
# </details>
#
# ## Sources
#
# - Nair and Hinton, 2010, *Rectified Linear Units Improve Restricted Boltzmann Machines*
# - Glorot, Bordes and Bengio, 2011, *Deep Sparse Rectifier Neural Networks*
# - Vaswani et al., 2017, *Attention Is All You Need* (section 3.3: position-wise feed-forward networks)
# - A lesson page, *The Feed-Forward Part*, whose sizes and counts this lesson measures again
