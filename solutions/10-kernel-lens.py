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

# %% nbgrader={"grade": false, "grade_id": "kernel-lens-lesson", "locked": true, "schema_version": 3, "solution": false, "task": false}
from autograde import check, dimensions, hint, lesson, progress, solution

lesson("kernel-lens")

# %% [markdown]
# # 10. The kernel lens
#
# Attention scores two vectors by exp(q·k). Why exp? Why a product? Other scores are older and simpler.
#
# Look at attention as a smoother: a way to guess a value at one place from values measured at others. Then exp(q·k) is
# one choice among many.

# %% [markdown]
# ## 1. Ask the neighbours
#
# Someone measured a curve at a few places, with noise. What is its value at a new place? Average what was measured
# nearby, and let close places count more.
#
# The words are ready. The new place is the **query**. The old places are the **keys**. What was measured there are the
# **values**. How much a key counts is its **score**, given by a function of query and key: the **kernel**.

# %% [markdown]
# ### Exercise: Two neighbours
# The keys are the places `0` and `1`, their values are `0` and `1`. The query is the place `0`. The kernel is
#
# $$\text{kernel}(q, k) = \exp\left(-\frac{(q - k)^2}{2 w^2}\right) \qquad \text{with } w = 1$$
#
# The weights are the scores, divided by their sum. What is the estimate at the query? Type a number with three decimals,
# such as `0.125`.

# %% nbgrader={"grade": false, "grade_id": "kl-smoother-value-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
kl_smoother_value = ...  # a number
### BEGIN SOLUTION
kl_smoother_value = 0.378
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.number(
    "kl-smoother-value",
    answer=0.378,
    places=3,
    wrong={
        0.607: "You did not divide by the sum of the scores. The two weights must add up to 1.",
        0.269: "The score of key 1 became exp(-1). Two slips lead here: the 2 below the line forgotten, or the distance "
        "not squared and the 2 forgotten with it.",
        0.119: "The score of key 1 became exp(-2): you multiplied by 2 where the formula divides.",
        0.368: "Two slips: the 2 below the line is forgotten, and the scores are not divided by their sum.",
        0.622: "The weights changed places. The query stands on key 0, so key 0 counts more.",
        0.731: "The weights changed places, and the 2 below the line is forgotten.",
        0.5: "0.5 is the plain mean. The query stands on key 0, so key 0 counts more.",
        0: "0 is the value of the nearest key alone. The other key keeps a share.",
        1: "1 is the value of the key that is farther away. Or is it the score of the nearer one?",
        0.303: "You divided by the number of keys. Divide by the sum of the scores.",
        0.38: "So far right, and rounded to two decimals. Type three.",
        0.333: "The score of key 1 became 0.5, or -0.5 without its sign: exp is missing.",
        0.242: "You put the factor of the normal distribution in front, and did not divide by the sum. When you divide, "
        "such a factor cancels.",
        1.607: "That is the sum of the two scores. The estimate is a weighted average of the values.",
    },
    passed="Right. The scores are 1 and 0.607; the second one's share of their sum is the estimate.",
    hints=[
        "Two scores first: the distance from the query to key 0 is 0, to key 1 it is 1.",
        "exp(0) is 1, and exp(-1/2) is about 0.607. Only the second value is not zero: what is its weight?",
    ],
    explain="The scores are exp(0) = 1 and exp(-1/2) = 0.6065. Their sum is 1.6065. The estimate is (1 * 0 + 0.6065 * 1) / "
    "1.6065 = 0.378.",
    minutes=4,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "kl-smoother-value", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("kl-smoother-value", kl_smoother_value)

# %%
import math

import matplotlib.pyplot as plt
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from explorables import COLOURS, use_style

use_style()
n_embd, n_head = dimensions("n_embd", "n_head")
head_size = n_embd // n_head

two_keys = torch.tensor([0.0, 1.0])
for width in (0.3, 1.0, 3.0):
    scores = torch.exp(-(two_keys**2) / (2 * width**2))
    weights = scores / scores.sum()
    print(f"w = {width}: scores {scores.numpy().round(3)}, estimate {weights @ two_keys:.3f}")

# %% [markdown]
# A small w trusts the nearest key alone. A large one hardly sees a difference.

# %% [markdown]
# ## 2. Write it
#
# The recipe does not care which kernel it is given. So write it once, for all of them.

# %% [markdown]
# ### Exercise: The kernel smoother
# Write `kernel_smoother(q, k, v, kernel)`.
#
# - `q` is (..., Tq, d), `k` is (..., Tk, d), `v` is (..., Tk, dv). There may be any number of axes in front, or none.
# - `kernel` is a function. `kernel(q, k)` takes whole tensors and gives the scores, (..., Tq, Tk), none below 0. It need
#   not be symmetric. Add no scale, no exp and no softmax of your own.
# - A row's weights are its scores, divided by their sum over the keys. Return the weighted average of the values alone,
#   (..., Tq, dv).
#
# Two calls have names of their own. In **nothing within reach** one row's scores are all 0: its output shall be zeros. In
# **scores near 1e-10** all scores are as small as that, and still only their ratio counts.
#
# `q`, `k` and `v` stay as they were. Two points are for the right numbers. The third is for the gradient, which must
# reach `q`, `k` and `v`.

# %% nbgrader={"grade": false, "grade_id": "kl-smoother-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def kernel_smoother(q: Tensor, k: Tensor, v: Tensor, kernel) -> Tensor:
    """Average the rows of v by a kernel's scores: (..., Tq, d), (..., Tk, d), (..., Tk, dv) -> (..., Tq, dv)."""
    # your code here
    ### BEGIN SOLUTION
    scores = kernel(q, k)
    total = scores.sum(dim=-1, keepdim=True)
    weights = scores / total.masked_fill(total == 0, 1.0)
    return weights @ v
    ### END SOLUTION


# %% tags=["exercise"]
from autograde import exercise

EXPONENTIAL = "lambda q, k: torch.exp(q @ k.mT / math.sqrt(q.shape[-1]))"
GAUSSIAN = "lambda q, k: torch.exp(-(q[..., :, None, :] - k[..., None, :, :]).square().sum(-1) / 2)"
LOPSIDED = "lambda q, k: torch.exp(0.5 * (q @ k.mT) - k.square().sum(-1)[..., None, :])"  # a long key counts less
BOXCAR = "lambda q, k: ((q[..., :, None, :] - k[..., None, :, :]).norm(dim=-1) <= 1).float()"
TINY = "lambda q, k: 1e-10 * torch.exp(q @ k.mT / 4)"


def smoother_calls(draw):
    """Draw the calls of kl-smoother: three, two and four axes, sizes pairwise different, a row without a key."""
    batch, queries, keys, width, value_width = draw.sizes(5)
    few, many, thin, thick = draw.sizes(4)
    heads, here, there, size = draw.sizes(4, high=5)

    # The first key stands on every query but one, which is far away from all.
    near_k = draw.normal(keys, 2)
    near_q = near_k[:1] + draw.uniform(-0.4, 0.4, queries, 2)
    near_q[draw.integer(0, queries - 1)] += 100

    same_q, same_k, same_v = (draw.normal(3, 3, 3) for _ in range(3))
    return [
        exercise.call(
            "exponential",
            draw.normal(batch, queries, width),
            draw.normal(batch, keys, width),
            draw.normal(batch, keys, value_width),
            exercise.source(EXPONENTIAL),
            says="With the exponential kernel the output is off. It should be softmax attention's.",
        ),
        exercise.call(
            "gaussian, no axis in front",
            draw.normal(few, thin),
            draw.normal(many, thin),
            draw.normal(many, thick),
            exercise.source(GAUSSIAN),
            says="With a gaussian kernel, and matrices without a batch, the output is off. Count axes from the end.",
        ),
        exercise.call(
            "lopsided, two axes in front",
            draw.normal(2, heads, here, size),
            draw.normal(2, heads, there, size),
            draw.normal(2, heads, there, 3),
            exercise.source(LOPSIDED),
            says="With a kernel that is not symmetric, and two axes in front, the output is off. Queries come first, and "
            "axes are counted from the end.",
        ),
        exercise.call(
            "nothing within reach",
            near_q,
            near_k,
            draw.normal(keys, value_width),
            exercise.source(BOXCAR),
            says="One row has no key within reach: all its scores are 0. Its output shall be zeros.",
        ),
        exercise.call(
            "scores near 1e-10",
            draw.normal(batch, queries, width),
            draw.normal(batch, keys, width),
            draw.normal(batch, keys, value_width),
            exercise.source(TINY),
            says="All scores are near 1e-10 here, and only their ratio counts. Add nothing to the sum, and cut nothing "
            "off.",
        ),
        exercise.call(
            "every size 3",
            same_q,
            same_k,
            same_v,
            exercise.source(EXPONENTIAL),
            says="Only where all sizes are equal the output is off. Does your function guess an axis from its size?",
        ),
    ]


no_gradient = (
    "The numbers are right, but no gradient comes back to q, k and v: it was lost in numpy, in detach() or under "
    "no_grad. Stay with torch's own functions."
)

WEIGHTS = "weights = scores / total.masked_fill(total == 0, 1.0)"
GUARD = "total.masked_fill(total == 0, 1.0)"

exercise.function(
    "kl-smoother",
    calls=smoother_calls,
    gradient=True,
    parts={"gradient": 1},
    wrong=[
        # the division
        exercise.edit(
            WEIGHTS, "weights = scores",
            says="The scores are not divided by their sum. Weights of an average add up to 1.",
        ),
        exercise.edit(
            WEIGHTS, "weights = scores / scores.size(-1)",
            says="You divide by the number of keys. Divide by the sum of the scores.",
        ),
        exercise.edit(
            "scores.sum(dim=-1, keepdim=True)", "scores.sum(dim=-2, keepdim=True)",
            says="You divide by the sum over the queries. Each query shares out one whole among the keys: the last axis.",
        ),
        exercise.edit(
            "scores.sum(dim=-1, keepdim=True)", "scores.sum(dim=(-1, -2), keepdim=True)",
            says="You divide by the sum of the whole table. Each query has a sum of its own.",
        ),
        exercise.edit(
            "scores.sum(dim=-1, keepdim=True)", "scores.sum()",
            says="You divide by the sum of all scores there are. Each query has a sum of its own.",
        ),
        exercise.edit(
            "scores.sum(dim=-1, keepdim=True)", "scores.sum(dim=-1)",
            says="The sums lost their axis, so each stands for a column and not for a row. It raises an error, or runs "
            "where sizes agree, and is wrong there: `keepdim=True`.",
        ),
        exercise.edit(
            "scores.sum(dim=-1, keepdim=True)", "scores.sum(dim=2, keepdim=True)",
            says="You count axes from the front. With none or two axes before Tq, axis 2 is another one: take dim=-1.",
        ),
        exercise.edit(
            "scores.sum(dim=-1, keepdim=True)", "scores.sum(dim=1, keepdim=True)",
            says="You count axes from the front. Axis 1 is the keys' axis of a plain matrix only: take dim=-1.",
        ),
        exercise.edit(
            "scores.sum(dim=-1, keepdim=True)", "scores.amax(dim=-1, keepdim=True)",
            says="You divide by the largest score of a row. That makes the largest weight 1. Divide by the sum.",
        ),
        exercise.edit(
            "scores.sum(dim=-1, keepdim=True)", "scores.norm(dim=-1, keepdim=True)",
            says="The weights have length 1, not sum 1: F.normalize does that unless it is told p=1.",
        ),
        # softmax and scale
        exercise.edit(
            WEIGHTS, "weights = torch.softmax(scores, dim=-1)",
            says="There is a softmax, or an exp, on top of the kernel. The kernel has made the scores: only divide them by their sum.",
        ),
        exercise.edit(
            WEIGHTS, "weights = torch.softmax(scores / math.sqrt(q.size(-1)), dim=-1)",
            says="There is a scale and a softmax on top of the kernel. The kernel has made the scores: only divide them by "
            "their sum.",
        ),
        exercise.edit(
            WEIGHTS, f"weights = torch.softmax(scores / {GUARD}, dim=-1)",
            says="The weights are right, and then softmax makes others of them. Leave it out.",
        ),
        exercise.edit(
            "scores = kernel(q, k)", "scores = torch.exp(q @ k.mT / math.sqrt(q.size(-1)))",
            says="You use exp(q·k) whatever kernel is given. Call `kernel(q, k)`.",
        ),
        exercise.edit(
            "    scores = kernel(q, k)", "    q = q / math.sqrt(q.size(-1))\n    scores = kernel(q, k)",
            says="You scale q before the kernel sees it. Which scale there is, the kernel decides.",
        ),
        exercise.edit(
            "scores = kernel(q, k)", "scores = kernel(q, k) / math.sqrt(q.size(-1))", WEIGHTS, "weights = scores",
            says="You divide the scores by the root of d. Divide them by their sum.",
        ),
        exercise.edit(
            "    scores = kernel(q, k)", "    q /= math.sqrt(q.size(-1))\n    scores = kernel(q, k)",
            says="You scale the caller's own q, in place, and the kernel sees another one. Hand q over as it is.",
        ),
        # which way round
        exercise.edit(
            "kernel(q, k)", "kernel(k, q)",
            says="You call the kernel with the keys first, so the table has a row for each key. It is `kernel(q, k)`.",
        ),
        exercise.edit(
            "kernel(q, k)", "kernel(k, q).mT",
            says="You call the kernel with the keys first and turn the table. A kernel that is not symmetric gives other "
            "scores then: `kernel(q, k)`.",
        ),
        exercise.edit(
            "kernel(q, k)", "kernel(q, k.mT)",
            says="You turn k before the kernel gets it. It takes q and k as they are, and does the pairing itself.",
        ),
        exercise.code(
            '''
def kernel_smoother(q, k, v, kernel):
    scores = torch.stack([torch.stack([kernel(query, key) for key in k]) for query in q])
    return scores / scores.sum(dim=-1, keepdim=True) @ v
''',
            says="You call the kernel for one pair at a time. It takes whole tensors, and gives all scores at once.",
        ),
        # empty and tiny rows
        exercise.edit(
            GUARD, "total",
            says="A row without any score is 0 / 0, which is nan. Where the sum is 0 the output shall be zeros.",
        ),
        exercise.edit(
            WEIGHTS, "weights = scores / total if total != 0 else scores",
            says="`if` needs one yes or no, and total holds a sum for each query. Use torch.where or masked_fill.",
        ),
        exercise.either(
            exercise.edit(GUARD, "(total + 1e-9)"),
            exercise.edit(GUARD, "(total + 1e-8)"),
            exercise.edit(GUARD, "(total + 1e-6)"),
            says="You add a small number to the sums, and it is not small beside scores of 1e-10. Treat only sums of "
            "exactly 0 apart.",
        ),
        exercise.edit(
            GUARD, "total.clamp(min=1e-8)",
            says="You raise small sums to a smallest one, and scores near 1e-10 fall below it. Treat only sums of exactly "
            "0 apart.",
        ),
        exercise.edit(
            WEIGHTS, "weights = torch.where(total > 1e-8, scores / total, 0.0)",
            says="You take small sums for no sum at all: scores near 1e-10 count. Treat only sums of exactly 0 apart.",
        ),
        exercise.edit(
            WEIGHTS, "weights = torch.where(total > 0, scores / total, 1 / scores.size(-1))",
            says="A row without any score became the plain mean of all values. Here it shall be zeros.",
        ),
        exercise.edit(
            "    total", "    scores = scores + 1e-12\n    total",
            says="You add a small number to every score. A row without any score becomes the plain mean then, and it "
            "shall be zeros.",
        ),
        exercise.edit(
            WEIGHTS, "weights = F.one_hot(scores.argmax(dim=-1), scores.size(-1)).to(v.dtype)",
            says="You take the best key alone. Every key with a score has its share.",
        ),
        # what is returned
        exercise.edit(
            "return weights @ v", "return weights",
            says="You return the weights. One product with v is missing.",
        ),
        exercise.edit(
            "return weights @ v", "return v @ weights",
            says="v and the weights changed places in the last product. Each row of weights meets the rows of v: weights @ v.",
        ),
        exercise.edit(
            "return weights @ v", "return weights * v",
            says="`*` multiplies element by element. The average is a matrix product: `@`.",
        ),
        exercise.edit(
            "return weights @ v", "return torch.bmm(weights, v)",
            says="torch.bmm takes exactly one axis in front, and there may be none or two. `@` takes any number.",
        ),
        exercise.edit(
            "return weights @ v", "return weights @ v, weights",
            says="You return a pair, (output, weights). Return the output alone.",
        ),
        exercise.edit(
            "return weights @ v", "weights @ v",
            says="Your function returns nothing (None). Did you forget `return`?",
        ),
        # right numbers, no gradient
        exercise.edit(
            "scores = kernel(q, k)", "scores = kernel(q, k).detach()",
            says=no_gradient,
        ),
        exercise.edit(
            "return weights @ v", "return torch.from_numpy(weights.detach().numpy() @ v.detach().numpy())",
            says=no_gradient,
        ),
    ],
    right=[
        exercise.edit(WEIGHTS, "weights = F.normalize(scores, p=1, dim=-1)"),
        exercise.edit(WEIGHTS, "weights = (scores / total).nan_to_num(0.0)"),
        exercise.edit(WEIGHTS, "weights = scores / torch.where(total > 0, total, torch.ones_like(total))"),
        exercise.edit(WEIGHTS, "weights = scores / (total + (total == 0))"),
        exercise.code(
            '''
def kernel_smoother(q, k, v, kernel):
    scores = kernel(q, k)
    total = torch.einsum("...qk->...q", scores)[..., None]
    total[total == 0] = 1
    return torch.einsum("...qk,...kd->...qd", scores, v) / total
'''
        ),
        exercise.code(
            '''
def kernel_smoother(queries, keys, values, score):
    weights = score(queries, keys).log().softmax(dim=-1)
    return torch.where(weights.isnan(), 0, weights) @ values
'''
        ),
        exercise.code(
            '''
def kernel_smoother(q, k, v, kernel):
    rows = []
    for i in range(q.shape[-2]):
        scores = kernel(q[..., i : i + 1, :], k)
        total = scores.sum(-1, keepdim=True)
        row = (scores.transpose(-1, -2) * v).sum(-2, keepdim=True)
        rows.append(torch.where(total == 0, torch.zeros_like(row), row / total))
    return torch.cat(rows, dim=-2)
'''
        ),
        exercise.code(
            '''
def kernel_smoother(q, k, v, kernel):
    scores = kernel(q, k).double()
    scores = scores / scores.sum(dim=-1, keepdim=True).clamp(min=1e-300)
    return (scores @ v.double()).to(v.dtype)
'''
        ),
    ],
    says={
        "unchanged": "The output is right, but q, k or v was changed on the way. Work on new tensors.",
        "repeatable": "Two equal calls gave different outputs. Is there a source of chance, or something kept between "
        "calls?",
        "gradient": no_gradient,
    },
    equivalent={
        "weights = scores / total.masked_fill(total == 0, 2.0)": "A row of zeros stays zeros, whatever it is divided by."
    },
    passed="Right: for any kernel, any number of axes, tiny scores, and a row that has none.",
    hints=[
        "Three lines: the scores, their sum for each query, the product with v. Which axis are the keys, from the end?",
        "`sum(dim=-1, keepdim=True)` gives one sum for each row. Where it is 0, divide by something harmless instead.",
    ],
    explain="`scores = kernel(q, k)`, `total = scores.sum(dim=-1, keepdim=True)`. Where total is 0, put 1 in its place: the "
    "scores of that row are all 0, and stay 0. Then `scores / total @ v`.",
    minutes=12,
    difficulty=3,
)

# %% nbgrader={"grade": true, "grade_id": "kl-smoother", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("kl-smoother", kernel_smoother)

# %% [markdown]
# Take the exponential kernel, and it is attention. Here is our sentence, with a table and projections that have learned
# nothing.
#
# The cell uses a shortcut: softmax of a kernel's *logarithm* gives the same weights as the kernel itself. So every
# kernel is softmax of something.


# %%
def smooth(log_scores: Tensor, values: Tensor) -> Tensor:
    """Average the values; the kernel's scores are given by their logarithm."""
    return torch.softmax(log_scores, dim=-1) @ values


torch.manual_seed(0)
tokens = ["the", "cat", "sat", "on", "the", "mat"]
words = list(dict.fromkeys(tokens))
table = nn.Embedding(len(words), n_embd)
to_query, to_key, to_value = (nn.Linear(n_embd, head_size) for _ in range(3))
with torch.no_grad():
    x = table(torch.tensor([words.index(token) for token in tokens]))
    q, k, v = to_query(x), to_key(x), to_value(x)

scores = torch.exp(q @ k.mT / math.sqrt(head_size))
by_kernel = F.normalize(scores, p=1, dim=-1) @ v
library = F.scaled_dot_product_attention(q[None], k[None], v[None])[0]
print(f"exponential kernel against torch's attention: {(by_kernel - library).abs().max():.1e}")
print(f"softmax of the kernel's logarithm:            {(smooth(scores.log(), v) - library).abs().max():.1e}")

# %% [markdown]
# Two differences, both of them rounding.

# %% [markdown]
# ## 3. How wide?
#
# Back to the curve. It is a sine, measured at many places, with noise. The kernel of the first exercise, the
# **gaussian**, has a width w. Think of the extreme before you look.

# %% [markdown]
# ### Exercise: A very wide kernel
# Let w grow without end. What becomes of the estimated curve?
#
# - **a** it passes through every measured point
# - **b** it is the mean of all measured values, at every place
# - **c** it becomes zero, since all scores vanish
# - **d** it becomes the straight line that fits best
#
# Type a letter in quotes, such as `"a"`.

# %% nbgrader={"grade": false, "grade_id": "kl-wide-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
kl_wide = ...  # a letter
### BEGIN SOLUTION
kl_wide = "b"
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.choice(
    "kl-wide",
    answer="b",
    options={
        "a": "That is what a very narrow kernel does: the nearest key gets all the weight. A wide one sees no distances.",
        "b": "Right. Every score comes near 1, so all keys count alike, whatever the query is.",
        "c": "The scores do not vanish: w stands below the line, so the exponent goes to 0 and each score to 1. And "
        "weights are divided by their sum in any case.",
        "d": "A smoother fits no line. It averages values, and here every query averages in the same way.",
    },
    hints=[
        "What does exp(-distance² / (2 w²)) become when w is huge?",
        "All scores are equal then. What is a weighted average with equal weights?",
    ],
    explain="With w large, distance² / (2 w²) is near 0 and every score near 1. Divided by their sum, all weights are one "
    "over the number of keys: the plain mean, at every query.",
    minutes=2,
    difficulty=1,
)

# %% nbgrader={"grade": true, "grade_id": "kl-wide", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("kl-wide", kl_wide)


# %%
def gaussian(q: Tensor, k: Tensor, width: float) -> Tensor:
    """Return the logarithm of the gaussian kernel: q (Tq, d), k (Tk, d) -> (Tq, Tk)."""
    return -torch.cdist(q, k) ** 2 / (2 * width**2)


def boxcar(q: Tensor, k: Tensor, width: float) -> Tensor:
    """Return the logarithm of the boxcar kernel: 1 within the width, else 0."""
    return (torch.cdist(q, k) <= width).log()


def curve(places: Tensor) -> Tensor:
    """Return what was to be measured."""
    return torch.sin(2 * places)


torch.manual_seed(0)
places = (6 * torch.rand(60, 1) - 3).sort(dim=0).values  # (60, 1), from -3 to 3
measured = curve(places) + 0.3 * torch.randn(60, 1)
asked = torch.linspace(-3, 3, 241)[:, None]

print(f"mean of all measured values: {measured.mean():.3f}")
print("estimates from lowest to highest, and their error (root mean square):")
for kernel in (gaussian, boxcar):
    for width in (0.05, 0.2, 1.0, 100.0):
        estimate = smooth(kernel(asked, places, width), measured)
        found = ~estimate.isnan()
        off = (estimate - curve(asked))[found].square().mean().sqrt()
        low, high, empty = estimate[found].min(), estimate[found].max(), int((~found).sum())
        print(f"  {kernel.__name__:8} w = {width:6.2f}: {low:6.3f} to {high:6.3f}, error {off:.2f},", end=" ")
        print(f"no key within reach at {empty} of {len(asked)} places")

# %%
drawn = {0.05: ("neutral", "-", 1.0), 0.2: ("token", "-", 3.0), 1.0: ("neutral", "--", 2.0)}

figure, axes = plt.subplots(figsize=(7.4, 4))
axes.plot(places, measured, ".", color=COLOURS["value"], markersize=7)
for width, (colour, line, thickness) in drawn.items():
    estimate = smooth(gaussian(asked, places, width), measured)
    axes.plot(asked, estimate, line, color=COLOURS[colour], linewidth=thickness)
axes.text(-2.05, 1.2, "measured", color=COLOURS["value"])
axes.text(-0.45, -1.12, "w = 0.05  ", ha="right", va="center")
axes.text(1.35, 0.85, "w = 0.2", color=COLOURS["token"])
axes.text(-0.95, 0.05, "w = 1.0")
axes.set_xlabel("place")
axes.set_ylabel("value")
axes.set_title("One kernel, three widths")
plt.show()

print(f"Figure: {len(places)} noisy points of a sine, and three estimates.")
for width in drawn:
    steps = smooth(gaussian(asked, places, width), measured).diff(dim=0).sign()
    turns = int((steps[1:] != steps[:-1]).sum())
    print(f"  w = {width}: the curve turns {turns} times")

# %% [markdown]
# Too narrow, and it follows the noise. Too wide, and it forgets the curve. The boxcar counts all keys within reach alike;
# a narrow one finds nothing at some places.
#
# Attention has a width too. Dividing q·k by a larger number makes softmax flatter: that is a wider kernel.

# %% [markdown]
# ## 4. Is exp(q·k) such a kernel?
#
# A gaussian looks at the distance of q and k. Attention looks at their product. Try attention's kernel on the curve: q and
# k are plain numbers, places from -3 to 3, and the score is exp(q·k).

# %% [markdown]
# ### Prediction: Who is heard at place 2?
# The query is the place 2. Which keys get the most weight from exp(q·k)?
#
# - **a** those near 2
# - **b** those at the right end, near 3
# - **c** those near 2 and near -2
# - **d** all alike
#
# Type a letter in quotes. A prediction costs no points.

# %% nbgrader={"grade": false, "grade_id": "kl-heard-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
kl_heard = ...  # a letter
### BEGIN SOLUTION
kl_heard = "b"
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.choice(
    "kl-heard",
    answer="b",
    options={
        "a": "The gaussian would do that. This kernel knows no distance: what does 2 * k do when k passes 2? Run the cell "
        "and look.",
        "b": "Right. 2 * k grows with k, so the largest key wins. Run the cell and look.",
        "c": "The product of 2 and -2 is negative, so that key is heard least of these. Run the cell and look.",
        "d": "That would be the query 0, whose product with every key is 0. Run the cell and look.",
    },
    hints=[
        "Write down 2 * k for the keys -2, 2 and 3.",
        "exp keeps the order: the largest product gets the largest weight.",
    ],
    explain="For the query 2 the score is exp(2 k), which grows with k without end. The largest key, at the right end, gets "
    "the most weight.",
    minutes=2,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "kl-heard", "locked": true, "points": 0, "schema_version": 3, "solution": false, "task": false}
check("kl-heard", kl_heard)

# %%
two = torch.tensor([[2.0]])
by_distance = torch.softmax(gaussian(two, places, 0.5), dim=-1)[0]
by_product = torch.softmax(two @ places.mT, dim=-1)[0]

figure, axes = plt.subplots(figsize=(7.4, 3.2))
axes.plot(places, by_distance, ".-", color=COLOURS["neutral"], linewidth=1.5, markersize=6)
axes.plot(places, by_product, ".-", color=COLOURS["token"], linewidth=1.5, markersize=6)
axes.axvline(2, color=COLOURS["query"], linewidth=1, linestyle=":")
axes.text(1.95, 0.2, "the query", color=COLOURS["query"], ha="right")
axes.text(1.4, 0.075, "gaussian, w = 0.5", ha="right")
axes.text(2.7, 0.17, "exp(q·k)", color=COLOURS["token"], ha="right")
axes.set_ylim(0)
axes.set_xlabel("place of the key", color=COLOURS["key"])
axes.set_ylabel("weight")
plt.show()

print("Figure: the weights that the query 2 gives to each key, by two kernels.")
for name, weights in (("gaussian", by_distance), ("exp(q·k)", by_product)):
    best, centre = places[weights.argmax(), 0], weights @ places[:, 0]
    print(f"  {name}: most weight on the key at {best:.2f}, the centre of all weights at {centre:.2f}")

# %% [markdown]
# The product rewards long keys. Write the distance out, and you see by how much:
#
# $$\exp(q \cdot k) = \exp\left(-\tfrac{1}{2}|q - k|^2\right)\;\exp\left(\tfrac{1}{2}|q|^2\right)\;\exp\left(\tfrac{1}{2}|k|^2\right)$$
#
# The middle factor belongs to the query. It is the same for all keys, so the division by the sum removes it. The last one
# stays: attention is a gaussian smoother in which a long key is heard louder.
#
# Then make all keys equally long. Bend the line into an arc of a circle: each place becomes a point at distance 1 from the
# centre.

# %%
def on_circle(places: Tensor) -> Tensor:
    """Return each place (T, 1) as a point on the unit circle, (T, 2)."""
    return torch.cat([torch.cos(places / 2), torch.sin(places / 2)], dim=-1)


width = 0.1
for name, bend in (("line", lambda places: places), ("circle", on_circle)):
    product = smooth(bend(asked) @ bend(places).mT / width**2, measured)
    distance = smooth(gaussian(bend(asked), bend(places), width), measured)
    gap = (product - distance).abs().max()
    print(f"on the {name:6}: exp(q·k / w²) and the gaussian differ by up to {gap:.1e}")

# %% [markdown]
# On the circle the two kernels are one. So softmax attention smooths by distance wherever keys are equally long. Some
# networks see to that, and divide each query and key by its length.

# %% [markdown]
# ## 5. Symmetric or not
#
# A distance does not care who asks. Do attention's scores? Query and key come from two projections, so they need not
# agree. Now let both come from one.

# %% [markdown]
# ### Exercise: One projection for both
# The query and the key projection are one and the same layer, bias included. There is no mask. Compare row i, column j
# with row j, column i: in the table of scores q·k, and in the table of weights after softmax.
#
# - **a** both tables are symmetric
# - **b** the scores are symmetric, the weights in general not
# - **c** the weights are symmetric, the scores in general not
# - **d** neither of them, in general
#
# Type a letter in quotes.

# %% nbgrader={"grade": false, "grade_id": "kl-shared-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
kl_shared = ...  # a letter
### BEGIN SOLUTION
kl_shared = "b"
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.choice(
    "kl-shared",
    answer="b",
    options={
        "a": "The scores are. But each row of weights is divided by a sum of its own, and row i's sum is not row j's.",
        "b": "Right. A product does not care for its order, but each row is divided by a sum of its own.",
        "c": "Softmax cannot bring symmetry in, and a product of two vectors has it: q·k is k·q.",
        "d": "With two projections that is so. With one, q and k of a token are the same vector: what is its product with "
        "another token's?",
    },
    hints=[
        "Token i's query is its key. Write both scores, (i, j) and (j, i), as products.",
        "Softmax divides row i by the sum of row i, and row j by the sum of row j. Are these sums equal?",
    ],
    explain="With one projection p the score of (i, j) is p(x_i)·p(x_j), which is the score of (j, i). Softmax divides each "
    "row by its own sum. A token that fits many others has a large sum, so its weights to each of them are smaller.",
    minutes=3,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "kl-shared", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("kl-shared", kl_shared)

# %%
tables = {}
for name, own_key in (("two projections", k), ("one projection", q)):
    scores = q @ own_key.mT / math.sqrt(head_size)
    tables[name] = {"scores": scores, "weights": torch.softmax(scores, dim=-1)}
    for what, numbers in tables[name].items():
        print(f"{name}, {what}: (i, j) and (j, i) differ by up to {(numbers - numbers.mT).abs().max():.3f}")

# %%
figure, panels = plt.subplots(1, 2, figsize=(8.6, 4.1))
for panel, (what, numbers) in zip(panels, tables["one projection"].items(), strict=True):
    picture = panel.imshow(numbers, cmap="cividis")
    for row in range(len(tokens)):
        for column in range(len(tokens)):
            ink = "black" if picture.norm(numbers[row, column].item()) > 0.5 else "white"
            panel.text(column, row, f"{numbers[row, column]:.2f}", ha="center", va="center", color=ink, fontsize=8)
    panel.set_xticks(range(len(tokens)), tokens)
    panel.set_yticks(range(len(tokens)), tokens)
    panel.tick_params(length=0)
    panel.spines[:].set_visible(False)
    panel.set_title(what)
    panel.set_xlabel("key", color=COLOURS["key"])
panels[0].set_ylabel("query", color=COLOURS["query"])
plt.show()

both = tables["one projection"]
i, j = divmod(int((both["weights"] - both["weights"].mT).argmax()), len(tokens))
print("Figure: scores and weights of our sentence, with one projection for queries and keys.")
for what, numbers in both.items():
    print(f"  {what:7} {tokens[i]} to {tokens[j]} {numbers[i, j]:.2f}, {tokens[j]} to {tokens[i]} {numbers[j, i]:.2f}")

# %% [markdown]
# Two projections buy a freedom: "cat" may look for "sat" without being looked for. Tsai and others report that a product of
# symmetric kernels does about as well, with less computation.

# %% [markdown]
# ## 6. Without exp
#
# The simplest score is q·k itself: a **linear kernel**. Divide each row by its sum, as before.

# %% [markdown]
# ### Exercise: A linear kernel
# Scores q·k, no exp, each row divided by its sum. The sums are not zero. What is lost?
#
# - **a** nothing: the weights still add up to 1, so each output still lies between the values
# - **b** weights may be negative, so an output may lie beyond all values
# - **c** the weights no longer add up to 1
# - **d** only sharpness: the weights are flatter, and still none is negative
#
# Type a letter in quotes.

# %% nbgrader={"grade": false, "grade_id": "kl-linear-kernel-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
kl_linear_kernel = ...  # a letter
### BEGIN SOLUTION
kl_linear_kernel = "b"
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.choice(
    "kl-linear-kernel",
    answer="b",
    options={
        "a": "A sum of 1 is not enough: 2 and -1 add up to 1 as well, and carry an average of 10 and 20 out to 0.",
        "b": "Right. exp made every score positive. Without it, some weights subtract.",
        "c": "They do: each row is divided by its sum, and then adds up to 1. Look at the signs.",
        "d": "A product of two vectors can be negative, and some weights are. Nor need they be flat: a row whose sum is "
        "near 0 has huge ones.",
    },
    hints=[
        "What did lesson 2 need for an output to lie between the values? Two things.",
        "Can q·k be negative? Can exp(q·k)?",
    ],
    explain="An average stays between its values when the weights add up to 1 and none is negative. The division keeps the "
    "first. The second is lost: q·k has either sign.",
    minutes=3,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "kl-linear-kernel", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("kl-linear-kernel", kl_linear_kernel)

# %%
kernels = {
    "exp(q·k)": torch.exp(q @ k.mT / math.sqrt(head_size)),
    "q·k": q @ k.mT,
    "relu(q)·relu(k)": torch.relu(q) @ torch.relu(k).mT,
}
low, high = v.amin(dim=0) - 1e-6, v.amax(dim=0) + 1e-6
for name, scores in kernels.items():
    weights = scores / scores.sum(dim=-1, keepdim=True)
    sums, output = weights.sum(dim=-1), weights @ v
    beyond = int(((output < low) | (output > high)).sum())
    print(f"{name:15} row sums {sums.min():.2f}, weights {weights.min():5.2f} to {weights.max():4.2f},", end=" ")
    print(f"{beyond:2} of {output.numel()} outputs beyond the values")

# %% [markdown]
# In the last row ReLU first takes the negative numbers out of q and k. Their product cannot be negative then, and the
# outputs are back between the values. No exp stands around that product.
# Lesson 11 builds on kernels of this kind.

# %% [markdown]
# ## Key points
#
# - Attention is a kernel smoother: scores from a kernel, divided by their sum over the keys, average the values.
# - exp(q·k) is a gaussian that hears long keys louder; where keys are equally long it smooths by distance.
# - Scores that are never negative keep an output between the values; a linear kernel loses that.

# %% [markdown]
# ## Look back
#
# **Lesson 2.** Divide the scores by 2 before softmax. Which way does the kernel's width go?
#
# <details><summary>Answer</summary>
#
# It grows. Smaller differences of scores give flatter weights: more keys are heard, and the output moves towards the mean.
#
# </details>
#
# **Lesson 7.** Tokens pass a LayerNorm whose scale is 1 and shift 0. What do all of them have in common then, and why does
# it matter here?
#
# <details><summary>Answer</summary>
#
# Their length: each has mean 0 and variance 1, so the sum of squares is the same, up to eps. On such vectors exp(q·k) is
# a gaussian. The projections to query and key undo it in part.
#
# </details>
#
# ## Sources
#
# - Nadaraya, 1964, *On Estimating Regression*
# - Watson, 1964, *Smooth Regression Analysis*
# - Tsai et al., 2019, *Transformer Dissection: An Unified Understanding for Transformer's Attention via the Lens of Kernel*
# - Henry et al., 2020, *Query-Key Normalization for Transformers*
