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

# %% nbgrader={"grade": false, "grade_id": "activations-lesson", "locked": true, "schema_version": 3, "solution": false, "task": false}
from autograde import check, dimensions, hint, lesson, progress, solution

lesson("activations")

# %% [markdown]
# # 5. Activations
#
# Between the two layers of lesson 4 stood ReLU. Many models have GELU there, or SiLU.
#
# You put one token's numbers through all three, and see what each of them loses.

# %% [markdown]
# ## One token, three curves
#
# Run this cell. It makes the layers and the sentence of lesson 4 again, number for number.

# %%
import math
from dataclasses import dataclass

import matplotlib.pyplot as plt
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from explorables import COLOURS, use_style

use_style()
(n_embd,) = dimensions("n_embd")

torch.manual_seed(0)
widen = nn.Linear(n_embd, 4 * n_embd)
narrow = nn.Linear(4 * n_embd, n_embd)
table = nn.Embedding(5, n_embd)

sentence = ["the", "cat", "sat", "on", "the", "mat"]
words = list(dict.fromkeys(sentence))
x = table(torch.tensor([words.index(word) for word in sentence])).detach()
hidden = widen(x).detach()
the = hidden[0]  # the widened numbers of the first token, before any activation

print(f'"{sentence[0]}": {len(the)} numbers, {int((the < 0).sum())} of them negative')

# %% [markdown]
# All three activations multiply each number x by a gate, and the gate depends on x itself.
#
# | | gate | in words |
# |---|---|---|
# | ReLU | 1 if x > 0, else 0 | a switch |
# | GELU | $\Phi(x)$ | the part of a normal distribution that lies below x |
# | SiLU | $\sigma(x) = 1 / (1 + e^{-x})$ | the sigmoid |
#
# The last two gates open little by little. Try them on numbers before you see them drawn.
# Use paper, or a code cell of your own.

# %% [markdown]
# ### Exercise: SiLU of one
#
# What is SiLU(1)? Type a number with three decimals, such as `0.123`.

# %% nbgrader={"grade": false, "grade_id": "ac-silu-one-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
ac_silu_one = ...  # a number
### BEGIN SOLUTION
ac_silu_one = 0.731
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.number(
    "ac-silu-one",
    answer=0.731,
    places=3,
    wrong={
        0.841: "0.841 is GELU(1). Its gate is the normal distribution; the gate of SiLU is the sigmoid.",
        1: "1 is ReLU(1). The gate of SiLU is not fully open at 1.",
        0.269: "0.269 is the sigmoid of -1: the sign in the exponent went astray. A gate at a positive x is more than "
        "half open.",
        0.5: "The gate is one half at x = 0. At x = 1 it is further open.",
        0.368: "0.368 is exp(-1). That is one term under the fraction line; the gate is 1 / (1 + exp(-x)).",
        1.368: "1.368 is 1 + exp(-1). The gate is 1 divided by that.",
        3.718: "3.718 is 1 + e. The exponent is -x, and the sum stands under the fraction line.",
        0.762: "0.762 is tanh(1). The sigmoid is a relative of it: it runs from 0 to 1, tanh from -1 to 1.",
        1.313: "1.313 is ln(1 + e), called softplus. SiLU multiplies x by the sigmoid.",
        0.846: "0.846 is the sigmoid of 1.702, a stand-in for GELU. SiLU takes the sigmoid of x as it is.",
        0.632: "0.632 is 1 - exp(-1). The gate is 1 / (1 + exp(-1)).",
        -0.269: "-0.269 is SiLU(-1). Here x is positive.",
        0.73: "The first two decimals are right. Three are asked for.",
        0.197: "0.197 is the slope of the sigmoid at 1. The question is about x times the sigmoid itself.",
    },
    passed="Right. At x = 1 the gate is not yet fully open.",
    hints=[
        "First the gate: put x = 1 into 1 / (1 + exp(-x)).",
        "exp(-1) is about 0.368. SiLU is x times the gate, and x is 1 here.",
    ],
    explain="The gate is 1 / (1 + exp(-1)) = 1 / 1.3679 = 0.7311. SiLU(1) = 1 * 0.7311.",
    minutes=2,
    difficulty=1,
)

# %% nbgrader={"grade": true, "grade_id": "ac-silu-one", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("ac-silu-one", ac_silu_one)

# %% [markdown]
# ### Exercise: Negatives after GELU
#
# Of the 512 numbers of "the", 237 are negative. GELU is applied to all of them.
# How many of the results are negative? Type a whole number.

# %% nbgrader={"grade": false, "grade_id": "ac-gelu-negatives-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
ac_gelu_negatives = ...  # a whole number
### BEGIN SOLUTION
ac_gelu_negatives = 237
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.number(
    "ac-gelu-negatives",
    answer=237,
    wrong={
        0: "You took GELU for a clip, as ReLU is. Its gate is small for negative x, but it is never quite shut.",
        275: "Those are the positive numbers. They stay positive.",
        512: "A positive x has a positive gate, so its result is positive.",
        exercise.either(118, 119): "You let half of the negatives through. Does a positive gate ever change a sign?",
        256: "You counted half of all numbers. Ask of each negative number what a positive gate does to its sign.",
        474: "That is twice the number. Only one token is asked for.",
    },
    passed="Right. The gate is positive everywhere, so GELU shrinks a number and never turns or loses its sign.",
    hints=[
        "A result is x times the gate. Can the gate of GELU be zero, or negative?",
        "A part of a distribution is between 0 and 1. What is the sign of a negative number times such a part?",
    ],
    explain="The gate lies between 0 and 1 and is never 0 for the numbers here. So x times the gate has the sign of x, "
    "and as many results are negative as numbers were.",
    shown="The prompt gives the count before GELU. That GELU does not change it is the answer.",
    minutes=1,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "ac-gelu-negatives", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("ac-gelu-negatives", ac_gelu_negatives)

# %% [markdown]
# Below zero, two things pull at the result: x grows, and the gate closes. So each curve goes down, and comes back.

# %% [markdown]
# ### Exercise: The lowest point of GELU
#
# What is the smallest value that GELU can give? Search for it, with `F.gelu` and a fine grid if you like.
# Type a number with two decimals, such as `-0.05`.

# %% nbgrader={"grade": false, "grade_id": "ac-gelu-min-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
ac_gelu_min = ...  # a number
### BEGIN SOLUTION
ac_gelu_min = -0.17
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.number(
    "ac-gelu-min",
    answer=-0.17,
    places=2,
    wrong={
        0: "0 is the smallest value of ReLU. GELU lets a little of each negative number through.",
        -0.28: "That is the lowest point of SiLU. The gate of GELU closes sooner, so its curve dips less.",
        -0.75: "That is the place x of the lowest point. Asked is the value there.",
        0.17: "The size is right, the sign is not: left of zero the curve runs below the axis.",
        -0.16: "-0.16 is GELU(-1). The curve is a little lower somewhere between -1 and 0.",
        -0.15: "-0.15 is GELU(-0.5). The curve is a little lower somewhere further left.",
        -0.2: "That is rounded to one decimal. Two are asked for.",
        -0.05: "-0.05 is GELU(-2). There the curve is already on its way back to zero.",
        -1: "The gate is less than one half for a negative x, so x = -1 comes out much smaller.",
    },
    passed="Right. Left of that point the gate closes faster than x grows.",
    hints=[
        "Make many x between -3 and 0 with `torch.linspace`, apply `F.gelu`, and ask for the smallest result.",
        "`F.gelu(torch.linspace(-3, 0, 1000))` holds it. A tensor knows its own smallest element.",
    ],
    explain="`F.gelu(torch.linspace(-3, 0, 3001)).min()` gives about -0.16997, reached near x = -0.75. To two decimals "
    "that is -0.17.",
    minutes=2,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "ac-gelu-min", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("ac-gelu-min", ac_gelu_min)

# %% [markdown]
# ### Exercise: The lowest point of SiLU
#
# And the smallest value of SiLU? Type a number with two decimals.

# %% nbgrader={"grade": false, "grade_id": "ac-silu-min-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
ac_silu_min = ...  # a number
### BEGIN SOLUTION
ac_silu_min = -0.28
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.number(
    "ac-silu-min",
    answer=-0.28,
    places=2,
    wrong={
        0: "0 is the smallest value of ReLU. SiLU lets a part of each negative number through.",
        -0.17: "That is the lowest point of GELU. The gate of SiLU closes later, so its curve dips further.",
        -1.28: "That is the place x of the lowest point. Asked is the value there.",
        0.28: "The size is right, the sign is not: left of zero the curve runs below the axis.",
        -0.27: "-0.27 is SiLU(-1). The curve is a little lower somewhere further left.",
        -0.24: "-0.24 is SiLU(-2). There the curve is already on its way back to zero.",
        -0.19: "-0.19 is SiLU(-0.5). The curve is lower further left.",
        -0.3: "That is rounded to one decimal. Two are asked for.",
    },
    passed="Right. The sigmoid closes later than the gate of GELU, so more gets through.",
    hints=[
        "The same search as before, with `F.silu`. Does your grid reach far enough to the left?",
        "Look between -2 and -1, and count in steps of a hundredth or less.",
    ],
    explain="`F.silu(torch.linspace(-3, 0, 3001)).min()` gives about -0.27846, reached near x = -1.28. To two decimals "
    "that is -0.28.",
    minutes=2,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "ac-silu-min", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("ac-silu-min", ac_silu_min)

# %% [markdown]
# ### Prediction: Back to x
#
# Somebody hands you one number that came out of GELU: -0.1. You want to know x, the number that went in.
# How many numbers x can it have been? Choose before you run on. A wrong guess costs nothing.
#
# - **a** one
# - **b** two
# - **c** any negative number
#
# Type a letter, such as `"a"`.

# %% nbgrader={"grade": false, "grade_id": "ac-back-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
ac_back = ...  # a letter in quotes
### BEGIN SOLUTION
ac_back = "b"
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.choice(
    "ac-back",
    answer="b",
    options={
        "a": "That would hold for a curve that only rises. This one goes down to its lowest point and comes back.",
        "b": "Right. One on the way down to the lowest point, one on the way back. The next cell finds both.",
        "c": "That is ReLU: any negative number gives 0 there. GELU gives different negative numbers different results.",
    },
    hints=[
        "Draw the curve from left to right: near zero, down, up again. Now draw a level line through -0.1.",
        "Count where the level line meets the curve.",
    ],
    explain="From the left the curve falls from 0 to its lowest point and rises from there. It passes -0.1 once on the "
    "way down and once on the way up: two numbers x.",
    minutes=1,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "ac-back", "locked": true, "points": 0, "schema_version": 3, "solution": false, "task": false}
check("ac-back", ac_back)

# %%
activations = {"ReLU": F.relu, "GELU": F.gelu, "SiLU": F.silu}
grid = torch.linspace(-6, 6, 120_001, dtype=torch.float64)
lowest = {}

for name, activation in activations.items():
    after = activation(the)
    slopes = the.clone().requires_grad_()
    activation(slopes).sum().backward()
    negative, zero, still = (int(found.sum()) for found in (after < 0, after == 0, slopes.grad == 0))
    print(f"{name}: {negative:3} results are negative, {zero:3} are zero;", end=" ")
    print(f"{still:3} of the {len(the)} numbers get no gradient")

for name in ("GELU", "SiLU"):
    curve = activations[name](grid)
    lowest[name] = (float(grid[curve.argmin()]), float(curve.min()))
    crossings = grid[1:][(curve[1:] > -0.1) != (curve[:-1] > -0.1)]
    place, value = lowest[name]
    print(f"{name}: lowest point {value:.5f} at x = {place:.4f};", end=" ")
    print("gives -0.1 at x =", " and ".join(f"{crossing:.2f}" for crossing in crossings.tolist()))
print(f"SiLU(1) = {F.silu(torch.tensor(1.0)):.4f}, GELU(1) = {F.gelu(torch.tensor(1.0)):.4f}")

# %%
figure, axes = plt.subplots(figsize=(7, 3.8))
drawn = (grid > -4.2) & (grid < 1.6)
styles = {
    "ReLU": {"color": COLOURS["neutral"], "linewidth": 1.5},
    "GELU": {"color": COLOURS["feed_forward"]},
    "SiLU": {"color": COLOURS["feed_forward"], "linestyle": (0, (4, 1.5))},
}
for name, activation in activations.items():
    axes.plot(grid[drawn], activation(grid)[drawn], **styles[name])
for place, value in lowest.values():
    axes.plot(place, value, "o", color=COLOURS["feed_forward"], markersize=5)
axes.text(-4.2, 0.06, "ReLU: flat", color=COLOURS["neutral"])
axes.text(-0.6, -0.22, "GELU", color=COLOURS["feed_forward"], va="top")
axes.text(-1.8, -0.31, "SiLU, dashed", color=COLOURS["feed_forward"], ha="right", va="top")
axes.set_ylim(-0.45, 1.6)
axes.set_xlabel("x, before the activation")
axes.set_ylabel("after")
axes.set_title("Left of zero: flat, or a dip")
plt.show()

print("Figure: three curves that meet in 0 and rise on the right. Left of zero ReLU lies flat on 0.")
for name, (place, value) in lowest.items():
    print(f"  {name} dips to {value:.2f} at x = {place:.2f}; further left it comes back towards 0.")

# %% [markdown]
# ReLU turns every negative number into the same 0. How negative it was is gone.
#
# GELU and SiLU fold the negative side: two numbers share one result. Less is lost, but something is.
#
# The gradient tells the other difference. A number on ReLU's flat side gets none, so this token cannot move it in
# training. On the smooth curves every number of this token gets some.
#
# Which activation learns best cannot be read off the curves. Lesson 13 measures it.

# %% [markdown]
# ## Two functions, one name
#
# $\Phi$ has no short formula. The paper that brought GELU also gave a stand-in made of tanh:
#
# $$0.5\,x\,\left(1 + \tanh\left(\sqrt{2/\pi}\,\left(x + 0.044715\,x^3\right)\right)\right)$$
#
# Both are called GELU. Torch's `F.gelu(x)` is the exact one; `F.gelu(x, approximate="tanh")` is the other, which GPT-2
# uses.

# %% [markdown]
# ### Exercise: Is it the same GELU?
#
# Compare the two on all x from -6 to 6, in float32. What do you find?
#
# - **a** They are one function; what differs is rounding.
# - **b** They are equal for positive x, and differ for negative x.
# - **c** They are close, but far more than rounding apart.
# - **d** They are more than 0.01 apart somewhere.
#
# Type a letter.

# %% nbgrader={"grade": false, "grade_id": "ac-tanh-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
ac_tanh = ...  # a letter in quotes
### BEGIN SOLUTION
ac_tanh = "c"
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.choice(
    "ac-tanh",
    answer="c",
    options={
        "a": "Rounding moves a result by about 1e-6 at most here, and their distance is hundreds of times that. The tanh "
        "form is a fit, no identity.",
        "b": "Both gates at -x are 1 minus the gate at x. So the two curves are equally far apart on both sides of zero.",
        "c": "Right: a good fit, and another function all the same. The next cell measures it.",
        "d": "The fit is better than that: you would not see the difference in a drawing. Measure it in a cell of your "
        "own.",
    },
    hints=[
        "One cell of your own decides it: make a grid and look at the largest difference.",
        "Compare what you find with 1e-6, about what rounding can do here, and with 0.01.",
    ],
    explain="The largest difference on a fine grid is about 5e-4, near x = 2.7 and x = -2.7. Rounding stays "
    "near 1e-6. So the two are close, and they are two functions.",
    minutes=2,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "ac-tanh", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("ac-tanh", ac_tanh)

# %%
floats = grid.float()
apart = (F.gelu(floats) - F.gelu(floats, approximate="tanh")).abs()
for side, half in (("left of zero: ", grid < 0), ("right of zero:", grid > 0)):
    print(f"{side} up to {apart[half].max():.1e} apart, at x = {grid[half][apart[half].argmax()]:.2f}")
rounding = (F.gelu(floats) - F.gelu(floats.double())).abs().max()
print(f"rounding alone: up to {rounding:.1e}")

# %% [markdown]
# So a model has to say which GELU it was trained with. If you load its weights beside the other one, nothing fails, and
# every number is a little off.

# %% [markdown]
# ## A gate with a knob
#
# Ramachandran, Zoph and Le let a program search through formulas for activations. The one they kept is **Swish**:
#
# $$\text{swish}(x) = x \cdot \sigma(\beta x)$$
#
# With $\beta = 1$ it is SiLU.

# %% [markdown]
# ### Exercise: Swish
#
# Write `swish(x, beta=1.0)`.
#
# - `x` is a float tensor of any shape, and the result has that shape. `beta` is a plain number.
# - `beta` may be 0 or negative. One call has the name **beta 0**: division by beta fails there.
# - `x` must come out of the call as it went in.
# - All of torch is allowed, `torch.sigmoid` and `F.silu` too.
# - One call has **numbers far from zero**, up to 1000 on both sides: `exp` of such a number is infinite, and a result
#   must not be nan.
#
# Two points are for the right numbers. The third is for the gradient, which must reach `x`: a way through numpy or
# `math` gives the right numbers and loses that point.

# %% nbgrader={"grade": false, "grade_id": "ac-swish-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def swish(x: Tensor, beta: float = 1.0) -> Tensor:
    """Multiply x by the sigmoid of beta * x: a tensor of any shape -> a tensor of that shape."""
    # your code here
    ### BEGIN SOLUTION
    gate = torch.sigmoid(beta * x)
    return x * gate
    ### END SOLUTION


# %% tags=["exercise"]
from autograde import exercise


def swish_calls(draw):
    """Draw the calls of ac-swish: the default, another beta, none, a negative one, and numbers far from zero."""
    rows, columns, blocks = draw.sizes(3)
    beta = draw.choice([0.5, 1.5, 2.5, 3.5])
    far = draw.uniform(100, 1000, rows, columns)
    far[:, ::2] *= -1  # both signs: exp is infinite on one side and 0 on the other
    return [
        exercise.call(
            "the default beta",
            draw.normal(rows, columns, scale=2.0),
            says="Without beta the result is off. It is then x times the sigmoid of x.",
        ),
        exercise.call(
            "another beta",
            draw.normal(blocks, rows, columns, scale=2.0),
            beta,
            says="With another beta the result is off. Beta stands inside the sigmoid, beside x.",
        ),
        exercise.call(
            "beta 0",
            draw.normal(columns, scale=2.0),
            0.0,
            says="With beta 0 the result is off. The gate is then the sigmoid of 0, for every x. Do you divide by beta, "
            "or ask whether beta is true?",
        ),
        exercise.call(
            "a negative beta",
            draw.normal(rows, columns, scale=2.0),
            -beta,
            says="With a negative beta the result is off. It needs no special case: x times the sigmoid of beta * x.",
        ),
        exercise.call(
            "numbers far from zero",
            far,
            beta,
            says="Far from zero the result is off. `exp` is infinite there, and infinity divided by infinity is nan. "
            "`torch.sigmoid` takes care of it.",
        ),
    ]


swish_no_gradient = (
    "The numbers are right, but no gradient comes back to x: it was lost in numpy, in `math`, in detach() or under "
    "no_grad. Stay with torch's own functions, and a network can learn through yours."
)

exercise.function(
    "ac-swish",
    calls=swish_calls,
    gradient=True,
    parts={"gradient": 1},
    wrong=[
        # what is multiplied
        exercise.edit(
            "return x * gate", "return gate",
            says="You return the gate alone. Swish is x times its gate.",
        ),
        exercise.edit(
            "beta * x", "x", "return x * gate", "return gate",
            says="You return the sigmoid of x. Two things are missing: x in front of the gate, and beta inside it.",
        ),
        exercise.edit(
            "return x * gate", "return x + gate",
            says="You add the gate. A gate multiplies.",
        ),
        exercise.edit(
            "return x * gate", "return x @ gate",
            says="`@` is the product of matrices. Each number of x meets its own gate: use `*`.",
        ),
        exercise.edit(
            "return x * gate", "return F.relu(x) * gate",
            says="Negative numbers come out as 0. Multiply x itself by the gate, not its positive part.",
        ),
        # where beta stands
        exercise.edit(
            "beta * x", "x",
            says="Beta has no effect. It stands inside the sigmoid: sigma(beta * x).",
        ),
        exercise.edit(
            "beta * x", "x", "return x * gate", "return beta * x * gate",
            says="Beta stands outside the sigmoid. There it only stretches the result; inside it decides how fast the "
            "gate opens.",
        ),
        exercise.either(
            exercise.edit("return x * gate", "return beta * x * gate"),
            exercise.edit("return x * gate", "return F.silu(beta * x)"),
            says="Beta is inside the sigmoid and in front as well: that is SiLU(beta * x). In front stands x alone.",
        ),
        exercise.edit(
            "beta * x", "x + beta",
            says="You add beta to x. That moves the gate; Swish makes it steeper: beta times x.",
        ),
        exercise.edit(
            "torch.sigmoid(beta * x)", "torch.sigmoid(x) ** beta",
            says="You raise the sigmoid to the power of beta. Beta multiplies x inside the sigmoid.",
        ),
        exercise.edit(
            "beta * x", "x / beta",
            says="You divide x by beta. It is multiplied: a larger beta makes a steeper gate. And beta may be 0.",
        ),
        exercise.edit(
            "beta * x", "-beta * x",
            says="The gate closes where it should open: a sign is turned. The sigmoid is 1 / (1 + exp(-z)), and "
            "`torch.sigmoid` has that minus already.",
        ),
        exercise.either(
            exercise.edit("beta * x", "x ** 2"),
            exercise.edit("beta * x", "beta * x ** 2"),
            says="The gate sees x squared, so it cannot tell -1 from 1. It takes beta * x.",
        ),
        exercise.edit(
            "beta: float = 1.0", "beta: float = 1.702",
            says="The default of beta is 1.702. That is a stand-in for GELU; the exercise asks for 1.0.",
        ),
        exercise.edit(
            "torch.sigmoid(beta * x)", "torch.sigmoid(torch.as_tensor(beta))",
            says="The gate does not depend on x: you took the sigmoid of beta alone. Each number has its own gate.",
        ),
        exercise.edit(
            "beta * x", "beta",
            says="`torch.sigmoid` was handed a plain number. It takes a tensor, and the gate depends on x: beta * x.",
        ),
        # what stands in the sigmoid's place
        exercise.edit(
            "torch.sigmoid(beta * x)", "torch.tanh(beta * x)",
            says="The gate is tanh, which runs from -1 to 1. The sigmoid runs from 0 to 1.",
        ),
        exercise.edit(
            "torch.sigmoid(beta * x)", "torch.softmax(beta * x, dim=-1)",
            says="The gate is softmax, which makes the numbers of a row share one whole. The sigmoid looks at each "
            "number alone.",
        ),
        exercise.edit(
            "torch.sigmoid(beta * x)", "(beta * x > 0).float()",
            says="The gate is a switch, 0 or 1. With such a gate you have ReLU; the sigmoid opens little by little.",
        ),
        exercise.edit(
            "return x * gate", "return F.relu(x)",
            says="That is ReLU. Swish has a gate that opens little by little.",
        ),
        exercise.edit(
            "return x * gate", "return F.gelu(x)",
            says="That is GELU, and beta has no effect. The gate of Swish is the sigmoid of beta * x.",
        ),
        exercise.edit(
            "return x * gate", "return F.silu(beta * x) / beta",
            says="Everything is right but beta 0: there you divide by 0 and get nan. The plain formula needs no "
            "division by beta.",
        ),
        exercise.edit(
            "torch.sigmoid(beta * x)", "torch.exp(beta * x) / (1 + torch.exp(beta * x))",
            says="Your sigmoid is right for moderate numbers. Far from zero exp is infinite, and infinity divided by "
            "infinity is nan. Write 1 / (1 + exp(-z)), or `torch.sigmoid`.",
        ),
        exercise.edit(
            "torch.sigmoid(beta * x)", "1 / (1 + math.exp(-beta * x))",
            says="`math.exp` takes one number and got a whole tensor. `torch.exp` works on each number of a tensor.",
        ),
        exercise.either(
            exercise.edit("torch.sigmoid(beta * x)", "1 / 1 + torch.exp(-beta * x)"),
            exercise.edit("return x * gate", "return x / 1 + torch.exp(-beta * x)"),
            says="Brackets are missing: `1 / 1 + exp(-z)` divides first and adds after that. Write `1 / (1 + exp(-z))`.",
        ),
        exercise.edit(
            "return x * gate", "return F.hardswish(x)",
            says="That is a stand-in for SiLU made of straight and bent pieces, and beta has no effect. The gate is the sigmoid "
            "of beta * x.",
        ),
        exercise.either(
            exercise.edit("    gate =", "    beta = beta or 1.0\n    gate ="),
            exercise.edit("    gate =", "    if not beta:\n        return F.silu(x)\n    gate ="),
            says="Everything is right but beta 0: you take 0 for `not given`. With beta 0 every gate is one half.",
        ),
        exercise.edit(
            "beta * x", "abs(beta) * x",
            says="You drop the sign of beta. A negative beta opens the gate on the other side.",
        ),
        # what is changed, what is returned
        exercise.edit(
            "return x * gate", "return x.mul_(gate)",
            says="The result is right, but x was overwritten: names that end in `_` and `x *= ...` work in place. Write "
            "`x * ...`, which makes a new tensor.",
        ),
        exercise.edit(
            "return x * gate", "x * gate",
            says="Your function returns nothing (None). Did you forget `return`?",
        ),
        exercise.edit(
            "return x * gate", "return x * gate, gate",
            says="You return a pair. Return the result alone.",
        ),
        # right numbers, no gradient
        exercise.code(
            '''
def swish(x, beta=1.0):
    import numpy as np

    numbers = x.detach().numpy()
    with np.errstate(over="ignore"):
        return torch.tensor(numbers / (1 + np.exp(-beta * numbers)))
''',
            says=swish_no_gradient,
        ),
    ],
    right=[
        exercise.edit("torch.sigmoid(beta * x)", "(beta * x).sigmoid()"),
        exercise.edit("torch.sigmoid(beta * x)", "1 / (1 + torch.exp(-beta * x))"),
        exercise.edit("return x * gate", "return x / (1 + torch.exp(-(beta * x)))"),
        exercise.edit("torch.sigmoid(beta * x)", "0.5 + 0.5 * torch.tanh(beta * x / 2)"),
        exercise.edit("torch.sigmoid(beta * x)", "nn.Sigmoid()(torch.mul(x, beta))"),
        exercise.edit("return x * gate", "return F.silu(beta * x) / beta if beta else x / 2"),
        exercise.code(
            '''
def swish(x, b=1.0):
    sink = torch.zeros_like(x)
    return torch.softmax(torch.stack([sink, b * x]), dim=0)[1] * x
'''
        ),
        exercise.code(
            '''
swish = lambda x, beta=1.0: torch.einsum("...,...->...", x, torch.special.expit(x * beta))
'''
        ),
        exercise.code(
            '''
def swish(x, beta=1.0):
    if x.dim() == 0:
        return x * torch.sigmoid(beta * x)
    return torch.stack([swish(part, beta) for part in x])
'''
        ),
    ],
    says={
        "unchanged": "The result is right, but x was changed on the way. Work on a new tensor.",
        "repeatable": "Two equal calls gave different results. Is something random in it, or kept between calls?",
        "gradient": swish_no_gradient,
    },
    passed="Right, for every beta and far from zero, and gradients flow through it.",
    hints=[
        "Two lines are enough: first the gate of each number, then the product.",
        "`torch.sigmoid` works on each number of a tensor. What goes into it is beta times x.",
    ],
    explain="The gate is `torch.sigmoid(beta * x)`, one number for each number of x. The result is x times the gate. "
    "`torch.sigmoid` does not overflow, so numbers far from zero need no care.",
    minutes=6,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "ac-swish", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("ac-swish", swish)

# %% [markdown]
# What does the knob do? The next cell draws four settings.

# %%
figure, axes = plt.subplots(figsize=(7, 3.8))
line = torch.linspace(-4, 2.4, 641)
curves = {beta: line * torch.sigmoid(beta * line) for beta in (0.0, 0.5, 1.0, 8.0)}
dashes = {0.0: (0, (1, 1.2)), 0.5: (0, (5, 1.5, 1, 1.5)), 1.0: (0, (4, 1.5)), 8.0: "solid"}
for beta, curve in curves.items():
    axes.plot(line, curve, color=COLOURS["feed_forward"], linestyle=dashes[beta])
    label = "beta 1: SiLU" if beta == 1 else f"beta {beta:g}"
    height = curve[-1] + {8.0: 0.06, 1.0: -0.04}.get(beta, 0)
    axes.text(2.5, height, label, color=COLOURS["feed_forward"], va="center")
axes.set_xlim(-4.1, 3.9)
axes.set_xlabel("x, before the activation")
axes.set_ylabel("swish(x)")
axes.set_title("One knob, from a straight line to a corner")
plt.show()

print("Figure: Swish for four settings of beta. Their largest distance, in this picture:")
for beta, curve in curves.items():
    from_half, from_relu = (curve - line / 2).abs().max(), (curve - F.relu(line)).abs().max()
    print(f"  beta {beta:3g}: {from_half:.2f} from x / 2, {from_relu:.2f} from ReLU")

# %% [markdown]
# With beta 0 every gate stands half open: Swish is the straight line x / 2. As beta grows, the gate becomes a switch,
# and Swish comes close to ReLU.

# %% [markdown]
# ## A class with a config, and dropout
#
# Course notes often give the feed-forward like this. The sizes come from a config, GELU stands in the middle, and
# dropout at the end.

# %%
@dataclass
class Config:
    """The sizes of a feed-forward, and how often dropout strikes."""

    hidden_size: int = n_embd
    intermediate_size: int = 4 * n_embd
    hidden_dropout_prob: float = 0.1


class ConfigFeedForward(nn.Module):
    """Widen, GELU, narrow, dropout: (..., hidden_size) -> (..., hidden_size)."""

    def __init__(self, config: Config) -> None:
        """Make the layers."""
        super().__init__()
        self.linear_1 = nn.Linear(config.hidden_size, config.intermediate_size)
        self.linear_2 = nn.Linear(config.intermediate_size, config.hidden_size)
        self.gelu = nn.GELU()
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, x: Tensor) -> Tensor:
        """Return the new vectors, in the shape of x."""
        return self.dropout(self.linear_2(self.gelu(self.linear_1(x))))


torch.manual_seed(0)
feed_forward = ConfigFeedForward(Config())
print(feed_forward)

# %% [markdown]
# ### Exercise: Two equal rows
#
# "the" stands at places 0 and 4, with the same vector. The whole sentence goes through `feed_forward` in one call.
# Are rows 0 and 4 of the result equal?
#
# - **a** equal after `train()`, equal after `eval()`
# - **b** different after `train()`, equal after `eval()`
# - **c** equal after `train()`, different after `eval()`
# - **d** different after `train()`, different after `eval()`
#
# Type a letter.

# %% nbgrader={"grade": false, "grade_id": "ac-dropout-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
ac_dropout = ...  # a letter in quotes
### BEGIN SOLUTION
ac_dropout = "b"
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.choice(
    "ac-dropout",
    answer="b",
    options={
        "a": "That holds without dropout. In training dropout strikes each number of each row by itself, so the two rows "
        "lose different numbers.",
        "b": "Right. In training each row loses numbers of its own; eval() switches dropout off, and the same vector gives "
        "the same row.",
        "c": "It is the other way round: dropout works in training, and eval() switches it off.",
        "d": "After eval() nothing random is left: dropout hands its input through. The same vector meets the same "
        "weights.",
    },
    hints=[
        "Which part of the class changes with train() and eval()?",
        "Dropout draws a coin for each number of its input. Do rows 0 and 4 share their coins?",
    ],
    explain="After train() dropout sets numbers to zero at random, each number of each row by a draw of its own, and "
    "scales up the others. So the two rows differ. After eval() it does nothing, and equal rows stay equal.",
    minutes=2,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "ac-dropout", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("ac-dropout", ac_dropout)

# %%
with torch.no_grad():
    for mode in ("train", "eval"):
        feed_forward.train(mode == "train")
        output = feed_forward(x)
        zeros = [int((output[place] == 0).sum()) for place in (0, 4)]
        gap = (output[0] - output[4]).abs().max()
        print(f"{mode + '():':8} rows 0 and 4 differ by up to {gap:.1e};", end=" ")
        print(f"{zeros[0]} and {zeros[1]} of {n_embd} numbers are zero")

# %% [markdown]
# In eval, rounding at most is left. So test and use a module after `eval()`, or dropout makes a right one look wrong.

# %% [markdown]
# ## A gate with weights of its own
#
# So far x opened its own gate. In **SwiGLU** the gate has a matrix of its own:
#
# $$\left(\text{SiLU}(x W) * (x V)\right) U$$
#
# $W$ and $V$ widen, the product of both goes on, and $U$ narrows. There are no biases.

# %% [markdown]
# ### Exercise (stretch): As many parameters as before
#
# Two matrices, 128 by 512 and 512 by 128, have 131,072 parameters together. A SwiGLU of width 128 shall have no more
# than that. How wide can its middle be at most? Type a whole number.

# %% nbgrader={"grade": false, "grade_id": "ac-swiglu-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
ac_swiglu = ...  # a whole number
### BEGIN SOLUTION
ac_swiglu = 341
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.number(
    "ac-swiglu",
    answer=341,
    wrong={
        512: "You forgot the third matrix. With W, V and U at 512 it would have half as many again.",
        342: "You rounded up. With 342 there are 256 parameters too many.",
        exercise.either(341.3, 341.33, 131_072 / 384): "A width is a whole number. Round down, or the limit is passed.",
        340: "340 fits, but one more fits as well.",
        343: "You took the number with biases, 131,712. The limit here has none.",
        1024: "You counted one matrix. There are three, W, V and U.",
        256: "You counted four matrices. There are three, W, V and U.",
        exercise.either(170, 171): "You counted each matrix twice. Each has 128 times the middle's width.",
        384: "That is three quarters of 512. The middle has to shrink to two thirds, since three matrices take the place "
        "of two.",
    },
    passed="Right: about two thirds of 512, since three matrices take the place of two.",
    hints=[
        "W and V have 128 times h parameters each, and so has U. Write the sum with h.",
        "Divide the limit by 3 * 128. What is left over must not be spent.",
    ],
    explain="3 * 128 * h is at most 131,072, so h is at most 341.33. The largest whole number is 341, which makes "
    "130,944 parameters.",
    minutes=3,
    difficulty=3,
    stretch=True,
)

# %% nbgrader={"grade": true, "grade_id": "ac-swiglu", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("ac-swiglu", ac_swiglu)

# %%
limit = 2 * n_embd * 4 * n_embd
for width in (340, 341, 342, 4 * n_embd):
    matrices = [nn.Linear(n_embd, width, bias=False) for _ in "WV"] + [nn.Linear(width, n_embd, bias=False)]
    parameters = sum(matrix.weight.numel() for matrix in matrices)
    print(f"middle of {width}: {parameters:,} parameters, {parameters - limit:+,} against the limit")

# %% [markdown]
# ## Key points
#
# - An activation multiplies each number by a gate: a switch in ReLU, one that opens little by little in GELU and SiLU.
# - ReLU forgets how negative a number was and gives it no gradient. GELU and SiLU fold the negative side, and keep a gradient.
# - "GELU" names two functions, and dropout makes a module random until `eval()`. Say which GELU; test in eval.
#
# ## Look back
#
# **Lesson 3.** A token attends to a sink and to itself. The scores are 0 and x, and so are the values.
# Which activation of this lesson is the output?
#
# <details><summary>Answer</summary>
#
# SiLU. The weight on x is exp(x) / (1 + exp(x)), the sigmoid of x, and it multiplies the value x.
#
# </details>
#
# **Lesson 4.** Put Swish with beta 0 between `widen` and `narrow`. What becomes of the feed-forward?
#
# <details><summary>Answer</summary>
#
# One linear layer. Swish with beta 0 is x / 2, a linear map, and three linear maps in a row are one.
#
# </details>
#
# ## Sources
#
# - Hendrycks and Gimpel, 2016, *Gaussian Error Linear Units (GELUs)* (both forms of GELU, and SiLU)
# - Elfwing, Uchibe and Doya, 2018, *Sigmoid-Weighted Linear Units for Neural Network Function Approximation in Reinforcement Learning*
# - Ramachandran, Zoph and Le, 2017, *Searching for Activation Functions* (Swish)
# - Srivastava et al., 2014, *Dropout: A Simple Way to Prevent Neural Networks from Overfitting*
# - Shazeer, 2020, *GLU Variants Improve Transformer* (SwiGLU)
# - Course notes on the MLP block, whose `FeedForward(config)` this lesson runs
