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

# %% nbgrader={"grade": false, "grade_id": "weighted-average-lesson", "locked": true, "schema_version": 3, "solution": false, "task": false}
from autograde import check, dimensions, hint, lesson, progress, solution

lesson("weighted-average")

# %% [markdown]
# # 2. The weighted average
#
# Our sentence is `the cat sat on the mat`. Each token has a query, a key and a value: lesson 1 made them. Attention
# lets a token collect something from the others.
#
# You work out one row by hand, write attention yourself, and then look at where its outputs lie.

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
tokens = ["the", "cat", "sat", "on", "the", "mat"]

# %% [markdown]
# ## 1. One query, two values
#
# A query meets every key. Each meeting gives one score. Softmax turns the scores into weights, and the output is the
# weighted average of the values. Do it once with a pencil before any code does it.

# %% [markdown]
# ### Exercise: One row by hand
# One query meets two keys. The scores are `[1, 1 + ln 3]`, already scaled. The two values are the plain numbers `10`
# and `20`. What does this query output?
#
# Type a number with up to two decimals, such as `12.25`.

# %% nbgrader={"grade": false, "grade_id": "wa-mix-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
wa_mix = ...  # a number
### BEGIN SOLUTION
wa_mix = 17.5
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.number(
    "wa-mix",
    answer=17.5,
    places=2,
    wrong={
        15: "15 is the plain mean: both values got the same weight. The second score is larger, so its value must "
        "count more.",
        20: "20 is the value with the larger score, taken alone. That is argmax. Softmax leaves the other value a "
        "share.",
        16.77: "You divided the scores by their sum. Softmax takes exp of each score first, and divides after that.",
        12.5: "The two weights are right but changed places. The larger score belongs to the second value, 20.",
        16.85: "You divided the scores by the root of 2 once more. These scores are already scaled.",
        70: "You weighed 10 once and 20 three times, and did not divide by the sum of the weights. An average divides.",
        190.28: "You multiplied each value by exp of its score, and did not divide by the sum of these exponentials.",
        51.97: "You multiplied values by raw scores. Scores become weights only through softmax.",
        30: "30 is the sum of the values, each with weight 1. The weights of an average add up to 1 together.",
    },
    passed="Right. exp turns the difference ln 3 into the ratio 3, so the weights are a quarter and three quarters.",
    hints=[
        "Only the difference of two scores matters to softmax. What is exp(1 + ln 3) divided by exp(1)?",
        "The second weight is three times the first, and the two add up to 1. Average 10 and 20 with them.",
    ],
    explain="exp(1) and exp(1 + ln 3) = 3 exp(1) stand in the ratio 1 to 3. Divided by their sum they are 0.25 and "
    "0.75. The output is 0.25 * 10 + 0.75 * 20 = 17.5.",
    minutes=3,
    difficulty=1,
)

# %% nbgrader={"grade": true, "grade_id": "wa-mix", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("wa-mix", wa_mix)

# %%
two_scores = torch.tensor([1.0, 1.0 + math.log(3)])
two_values = torch.tensor([10.0, 20.0])
for added in (0, 7):
    two_weights = torch.softmax(two_scores + added, dim=-1)
    print(f"scores + {added}: weights {two_weights.numpy().round(4)}, output {two_weights @ two_values:.4f}")

# %% [markdown]
# Adding the same number to every score changes nothing. Softmax sees differences only.

# %% [markdown]
# ## 2. Every query at once
#
# A sentence has many queries and many keys. Stack them as rows: `q` is (B, Tq, d), `k` is (B, Tk, d) and `v` is
# (B, Tk, dv). Then one matrix product holds every score:
#
# $$\text{attention}(q, k, v) = \text{softmax}\!\left(\frac{q\,k^\top}{\sqrt{d}}\right) v$$
#
# Why the root of d? A score is a sum of d products. Watch how far such sums spread.

# %%
torch.manual_seed(0)
for width in (4, 64, 1024):
    many_scores = (torch.randn(5000, width) * torch.randn(5000, width)).sum(-1)
    scaled = many_scores / math.sqrt(width)
    print(f"d = {width:4d}: scores spread by {many_scores.std():5.2f}, scaled scores by {scaled.std():.2f}")

# %% [markdown]
# Without the division, a wide head would hand softmax huge differences. One weight would then take nearly everything.

# %% [markdown]
# ### Exercise: The shape of the weights
# `q` and `k` both have the shape `(2, 64, 32)`: two sentences of 64 tokens, heads of size 32. What is the shape of the
# weights, before they meet `v`?
#
# Type a shape, such as `(4, 8)`.

# %% nbgrader={"grade": false, "grade_id": "wa-weights-shape-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
wa_weights_shape = ...  # a shape
### BEGIN SOLUTION
wa_weights_shape = (2, 64, 64)
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.shape(
    "wa-weights-shape",
    answer=(2, 64, 64),
    wrong={
        (2, 32, 32): "You summed over the tokens. The sum of a score runs over the 32 features, so that tokens remain.",
        (64, 64): "One sentence has that shape. The batch of two is lost: sentences do not share their weights.",
        (2, 64, 32): "That is the shape of q, and of an output with 32 features. The weights pair tokens with tokens.",
        (2, 64): "That is one number a token. A weight belongs to a pair: one query and one key.",
        (2, 2, 64, 64): "You paired the sentences with each other too. A query meets keys of its own sentence only.",
        (128, 128): "You joined the two sentences into one of 128 tokens. Each sentence keeps its own table.",
        (2, 32, 64): "You kept the features as rows. They are summed away: what remains is queries by keys.",
    },
    passed="Right. In each of the two sentences, one weight for each pair of a query and a key. The 32 features are "
    "gone.",
    hints=[
        "One score is one query times one key, summed over the features. Which axes survive the sum?",
        "Each sentence has a table with a row for each query and a column for each key.",
    ],
    explain="q @ k.transpose(-2, -1) multiplies (2, 64, 32) by (2, 32, 64). The 32 is summed away, the batch stays: "
    "(2, 64, 64). Softmax keeps the shape.",
    minutes=2,
    difficulty=1,
)

# %% nbgrader={"grade": true, "grade_id": "wa-weights-shape", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("wa-weights-shape", wa_weights_shape)

# %% [markdown]
# ### Exercise: Which sums are 1?
# The weights have the shape (B, Tq, Tk). Over which axis do you add them, to get 1 every time?
#
# - **a** over the batch (first axis)
# - **b** over the queries (middle axis)
# - **c** over the keys (last axis)
# - **d** over queries and keys together
#
# Type a letter in quotes, such as `"a"`.

# %% nbgrader={"grade": false, "grade_id": "wa-row-sums-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
wa_row_sums = ...  # a letter
### BEGIN SOLUTION
wa_row_sums = "c"
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.choice(
    "wa-row-sums",
    answer="c",
    options={
        "a": "Different sentences know nothing of each other. Their weights are never added.",
        "b": "That adds what all queries give to one key. A popular key may collect more than 1, a dull one less.",
        "c": "Right. Each query shares out one whole among the keys, because softmax runs over the keys.",
        "d": "Each query has a whole of its own. A sentence's table therefore adds up to its number of queries, not "
        "to 1.",
    },
    hints=[
        "In the first exercise there was one query. What was shared out, and among whom?",
        "Softmax runs along the axis over which the average of the values is taken.",
    ],
    explain="An output is an average over the keys' values. So each query's weights, along the last axis, add up to "
    "1. The sums over the queries can be anything from 0 to Tq.",
    minutes=1,
    difficulty=1,
)

# %% nbgrader={"grade": true, "grade_id": "wa-row-sums", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("wa-row-sums", wa_row_sums)

# %% [markdown]
# ## 3. Write it
#
# You have all the parts. Put them together, with one addition: a mask, which says what each query may see.

# %% [markdown]
# ### Exercise: Attention
# Write `attention(q, k, v, mask=None)`.
#
# - `q` is (B, Tq, d), `k` is (B, Tk, d), `v` is (B, Tk, dv): always three axes. Return the output alone, (B, Tq, dv).
# - Scores are divided by the root of d.
# - `mask` is None or boolean, (B, Tq, Tk). True means: this query may attend to this key. Each query may attend to at
#   least one key. A hidden key gets weight zero, and the weights of the others still add up to 1.
# - `q`, `k`, `v` and `mask` must come out of the call as they went in.
# - `F.scaled_dot_product_attention` is what you are building, so it is not allowed here. The rest of torch is.
#
# Any spelling counts: einsum, loops, `-1e9` or `-inf`. One call has a name of its own, **scores far below -10,000**:
# there all scores, visible and hidden, lie near -20,000. So `-1e4` hides nothing in it. If you write softmax yourself,
# subtract each row's largest score before `exp`, or everything becomes 0 there.
#
# Two points are for the right numbers. The third is for the gradient, which must reach `q`, `k` and `v`: a way through
# numpy gives the right numbers and loses that point.

# %% nbgrader={"grade": false, "grade_id": "wa-attention-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
    """Average the rows of v: q (B, Tq, d), k (B, Tk, d), v (B, Tk, dv) -> (B, Tq, dv); mask: True may attend."""
    # your code here
    ### BEGIN SOLUTION
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v
    ### END SOLUTION


# %% tags=["exercise"]
from autograde import exercise


def attention_calls(draw):
    """Draw the calls of wa-attention: sizes pairwise different, each masked row with something to see and to hide."""
    batch, queries, keys, width, value_width = draw.sizes(5)
    q, k = draw.normal(batch, queries, width), draw.normal(batch, keys, width)
    v = draw.normal(batch, keys, value_width)
    mask = draw.mask(batch, queries, keys)

    # Far scores: -320 * 250 / 4 = -20,000, and a small rest that tells the keys apart. With width 16 and rests in
    # eighths, float32 holds every sum exactly, so no right spelling is off by rounding.
    far_batch, far_queries, far_keys, far_value_width = draw.sizes(4)
    far_q = draw.integers(-16, 16, far_batch, far_queries, 16) / 8
    far_k = draw.integers(-16, 16, far_batch, far_keys, 16) / 8
    far_q[..., 0], far_k[..., 0] = -320.0, 250.0
    far_v = draw.normal(far_batch, far_keys, far_value_width)
    far_mask = draw.mask(far_batch, far_queries, far_keys)

    # The sizes above decide; they make a product over wrong axes raise. Where all sizes agree it runs, and what comes
    # out tells which product it was.
    same_q, same_k, same_v = (draw.normal(3, 3, 3) for _ in range(3))
    return [
        exercise.call(
            "without a mask",
            q,
            k,
            v,
            says="Without a mask the output is off. Check three things: k with its last two axes exchanged, the root "
            "of d, softmax along the last axis.",
        ),
        exercise.call(
            "with a mask",
            q,
            k,
            v,
            mask,
            says="With a mask the output is off. A hidden key needs weight zero, and the other weights must still add "
            "up to 1. True means: may attend.",
        ),
        exercise.call(
            "scores far below -10,000",
            far_q,
            far_k,
            far_v,
            far_mask,
            says="All scores lie near -20,000 in this call, hidden ones too. What you put in a hidden place must be "
            "far lower still, and exp must not become 0 everywhere.",
            tolerance=1e-2,
        ),
        exercise.call(
            "every size 3",
            same_q,
            same_k,
            same_v,
            says="Only where all sizes are equal the output is off. Does your function guess an axis from its size?",
        ),
    ]


no_gradient = (
    "The numbers are right, but no gradient comes back to q, k and v: it was lost in numpy, in detach() or under "
    "no_grad. Stay with torch's own functions, and a network can learn through yours."
)


exercise.function(
    "wa-attention",
    calls=attention_calls,
    gradient=True,
    parts={"gradient": 1},
    forbid={
        "scaled_dot_product_attention": "Nice find: that call is the very thing you are building, so it does not "
        "count here. Write it with a matrix product and softmax. From the next cell on, use the library's."
    },
    wrong=[
        # softmax over the wrong axis
        exercise.edit(
            "dim=-1",
            "dim=1",
            says="Softmax runs over axis 1, the queries. Each query shares its attention among the keys: the last "
            "axis.",
        ),
        exercise.edit(
            "dim=-1",
            "dim=0",
            says="Softmax runs over axis 0, the batch, so the sentences compete with each other. It belongs on the "
            "last axis.",
        ),
        exercise.edit(
            "torch.softmax(scores, dim=-1)",
            "torch.softmax(scores.reshape(scores.size(0), -1), dim=1).reshape(scores.shape)",
            says="Softmax runs over the whole table, queries and keys together. Each query needs weights of its own "
            "that add up to 1.",
        ),
        # what stands in softmax's place
        exercise.edit(
            "torch.softmax(scores, dim=-1)",
            "scores / scores.sum(dim=-1, keepdim=True)",
            says="The scores are divided by their sum without exp. Weights made so can be negative, or divide by "
            "nearly 0. Softmax takes exp first.",
        ),
        exercise.edit(
            "torch.softmax(scores, dim=-1)",
            "torch.sigmoid(scores)",
            says="Sigmoid looks at each score alone, so the weights do not add up to 1. Softmax divides by the sum of "
            "the row.",
        ),
        exercise.edit(
            "torch.softmax(scores, dim=-1)",
            "F.one_hot(scores.argmax(dim=-1), scores.size(-1)).to(v.dtype)",
            says="Argmax takes the best key alone. Softmax leaves every visible key a share, and only so do q and k "
            "get a gradient.",
        ),
        exercise.edit(
            "torch.softmax(scores, dim=-1)",
            "scores.exp() / scores.exp().sum(dim=-1, keepdim=True)",
            says="Your softmax is right for moderate scores, but near -20,000 every exp is 0, and 0 / 0 is nan. "
            "Subtract each row's largest score before exp.",
        ),
        # the scale
        exercise.edit(
            " / math.sqrt(q.size(-1))",
            "",
            says="The scores are not scaled. Divide them by the root of d, the size of a query.",
        ),
        exercise.edit(
            "math.sqrt(q.size(-1))",
            "q.size(-1)",
            says="You divide by d. Some papers choose that on purpose, but here it is the root of d.",
        ),
        exercise.edit(
            "/ math.sqrt(q.size(-1))",
            "* math.sqrt(q.size(-1))",
            says="You multiply by the root of d. The scores are to shrink: divide.",
        ),
        exercise.edit(
            "math.sqrt(q.size(-1))",
            "math.sqrt(k.size(1))",
            says="You take the root of the number of keys. A score is a sum over d features, so the root of d tames "
            "it. The two agree only where Tk equals d.",
        ),
        exercise.edit(
            "math.sqrt(q.size(-1))",
            "math.sqrt(q.size(1))",
            says="You take the root of the number of queries. A score is a sum over d features: take the root of d.",
        ),
        exercise.edit(
            "math.sqrt(q.size(-1))",
            "math.sqrt(v.size(-1))",
            says="You take the root of dv, the size of a value. Values have no part in the scores: take the size of a "
            "query, d.",
        ),
        exercise.edit(
            " / math.sqrt(q.size(-1))",
            "",
            "return weights @ v",
            "return weights @ v / math.sqrt(q.size(-1))",
            says="You divide after softmax, so the weights no longer add up to 1. The root of d belongs to the "
            "scores, before softmax.",
        ),
        exercise.edit(
            "math.sqrt(q.size(-1))",
            "torch.sqrt(q.size(-1))",
            says="Some function was handed a kind of thing that it does not take. Is it torch.sqrt? That one wants a "
            "tensor, and q.size(-1) is a plain number: use math.sqrt, or `** 0.5`.",
        ),
        # which axes meet
        exercise.edit(
            "k.transpose(-2, -1)",
            "k",
            says="k went into the product as it is. Exchange its last two axes: each row of q must meet each row of "
            "k. Without that it runs only where Tk happens to equal d, and is wrong even there.",
        ),
        exercise.edit(
            "k.transpose(-2, -1)",
            "k.T",
            says="`.T` turns all three axes around, the batch too. It is right for a plain matrix only. Exchange just "
            "the last two: `k.transpose(-2, -1)` or `k.mT`.",
        ),
        exercise.edit(
            "q @ k.transpose(-2, -1)",
            "k @ q.transpose(-2, -1)",
            says="q and k changed places: your table has a row for each key. The queries are the rows, because each "
            "query gets an output.",
        ),
        exercise.edit(
            "q @ k.transpose(-2, -1)",
            'torch.einsum("bqd,bkd->qk", q, k)',
            says="The scores have lost the batch: they were added over all sentences. Each sentence keeps its own "
            "table, `bqd,bkd->bqk`.",
        ),
        # the mask
        exercise.edit(
            'scores = scores.masked_fill(~mask, float("-inf"))',
            'scores.masked_fill(~mask, float("-inf"))',
            says="The mask has no effect. Either it is never used, or the result is dropped: masked_fill returns a "
            "new tensor and leaves the old one alone. Assign it.",
        ),
        exercise.edit(
            "    if mask is not None:\n        scores",
            "    scores",
            says="It works with a mask and fails without one. mask is None when nothing is hidden: ask `if mask is "
            "not None` first.",
        ),
        exercise.edit(
            "masked_fill(~mask",
            "masked_fill(mask",
            says="The mask is upside down: you hide what may be seen. True means may attend, so fill where it is "
            "False: `~mask`.",
        ),
        exercise.edit(
            'scores.masked_fill(~mask, float("-inf"))',
            "scores * mask",
            says="Hidden scores became 0, or as good as 0 (-1e-9 is). But exp(0) is 1, so the hidden keys keep a good "
            "share. They need -inf, or -1e9.",
        ),
        exercise.edit(
            'float("-inf")',
            "-math.e",
            says="Hidden scores became -2.7, minus Euler's number e. That damps the hidden keys and does not hide "
            "them. In -1e9 the e means: times ten to the power.",
        ),
        exercise.edit(
            'float("-inf")',
            "-1e4",
            says="-1e4 hides nothing where all scores lie far below -10,000: there a hidden key wins. Use -inf, or "
            "-1e9.",
        ),
        exercise.edit(
            'scores.masked_fill(~mask, float("-inf"))',
            "scores + mask",
            says="You added the mask as it is, so visible keys got 1 more and hidden ones nothing less. An added mask "
            "holds 0 where a key is visible and -inf where it is hidden.",
        ),
        exercise.edit(
            'scores = scores.masked_fill(~mask, float("-inf"))',
            "return torch.softmax(scores, dim=-1) * mask @ v",
            says="You mask after softmax, and the visible weights no longer add up to 1. Mask the scores before "
            "softmax, or divide the rest by its sum again.",
        ),
        # what is changed
        exercise.edit(
            "    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))",
            "    q /= math.sqrt(q.size(-1))\n    scores = q @ k.transpose(-2, -1)",
            says="Your function changes q, k or v of the caller: `q /= ...` and names that end in `_` work in place. "
            "Write `q = q / ...`, which makes a new tensor.",
        ),
        exercise.edit(
            "~mask",
            "mask.logical_not_()",
            says="`logical_not_()` turns the caller's own mask around, so the next call with it is wrong. Write "
            "`~mask`.",
        ),
        # what is returned
        exercise.edit(
            "return weights @ v",
            "return weights @ v, weights",
            says="You return a pair, (output, weights). The output is right: return it alone.",
        ),
        exercise.edit(
            "return weights @ v",
            "return weights, weights @ v",
            says="You return a pair, (weights, output). Return the output alone.",
        ),
        exercise.edit(
            "return weights @ v",
            "return weights",
            says="You return the weights. The output is what the weights make of the values: one product with v is "
            "missing.",
        ),
        exercise.edit(
            "return weights @ v",
            "weights @ v",
            says="Your function returns nothing (None). Did you forget `return`?",
        ),
        # right numbers, no gradient
        exercise.code(
            '''
def attention(q, k, v, mask=None):
    import numpy as np

    queries, keys, values = q.detach().numpy(), k.detach().numpy(), v.detach().numpy()
    scores = np.einsum("bqd,bkd->bqk", queries, keys) / np.sqrt(queries.shape[2])
    if mask is not None:
        scores[~mask.numpy()] = -np.inf
    shares = np.exp(scores - scores.max(axis=2, keepdims=True))
    shares /= shares.sum(axis=2, keepdims=True)
    return torch.tensor(shares @ values, dtype=q.dtype)
''',
            says=no_gradient,
        ),
    ],
    right=[
        exercise.code(
            '''
def attention(q, k, v, mask=None):
    fourth_root = q.shape[-1] ** -0.25
    scores = torch.einsum("bid,bjd->bij", fourth_root * q, fourth_root * k)
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    return torch.einsum("bij,bjc->bic", scores.softmax(2), v)
'''
        ),
        exercise.edit(
            "math.sqrt(q.size(-1))",
            "torch.tensor(k.shape[-1], dtype=k.dtype).sqrt()",
        ),
        exercise.edit('float("-inf")', "-1e9"),
        exercise.edit(
            'scores = scores.masked_fill(~mask, float("-inf"))',
            "scores = scores + (1 - mask.float()) * -1e30",
        ),
        exercise.edit(
            "scores = scores.masked_fill(",
            "scores.masked_fill_(",
        ),
        exercise.edit(
            "q @ k.transpose(-2, -1)",
            "torch.bmm(q, k.transpose(1, 2))",
        ),
        exercise.code(
            '''
def attention(q, k, v, mask=None):
    weights = nn.Softmax(dim=-1)(q @ k.mT * q.size(-1) ** -0.5)
    if mask is not None:
        visible = weights * mask
        weights = visible / visible.sum(dim=-1, keepdim=True)
    return weights @ v
'''
        ),
        exercise.code(
            '''
def attention(q, k, v, mask=None):
    scores = (q / math.sqrt(q.size(-1))) @ k.transpose(-1, -2)
    shares = (scores - scores.amax(dim=-1, keepdim=True)).exp()
    if mask is not None:
        shares = shares * mask
    return shares @ v / shares.sum(dim=-1, keepdim=True)
'''
        ),
        exercise.code(
            '''
def attention(q, k, v, mask=None):
    sentences = []
    for b in range(len(q)):
        rows = []
        for i in range(q.shape[1]):
            scores = [torch.dot(q[b, i], k[b, j]) / math.sqrt(q.shape[2]) for j in range(k.shape[1])]
            seen = [j for j in range(k.shape[1]) if mask is None or mask[b, i, j]]
            largest = max(scores[j].item() for j in seen)
            shares = {j: torch.exp(scores[j] - largest) for j in seen}
            rows.append(sum(shares[j] * v[b, j] for j in seen) / sum(shares.values()))
        sentences.append(torch.stack(rows))
    return torch.stack(sentences)
'''
        ),
        exercise.code(
            '''
def attention(q, k, v, mask=None):
    out = torch.zeros(q.shape[0], q.shape[1], v.shape[2])
    for b in range(q.shape[0]):
        for i in range(q.shape[1]):
            row = k[b].double() @ q[b, i].double() / q.shape[2] ** 0.5
            if mask is not None:
                row = row + mask[b, i].double().log()
            out[b, i] = (row.softmax(0) @ v[b].double()).float()
    return out
'''
        ),
    ],
    says={
        "unchanged": "The output is right, but one of q, k, v or mask was changed on the way. Work on new tensors.",
        "repeatable": "Two equal calls gave different outputs. Is there dropout, another source of chance, or "
        "something kept between calls?",
        "gradient": no_gradient,
    },
    passed="Right: with and without a mask, far scores included, and gradients flow through it.",
    hints=[
        "Four steps: scores from q and k, scale, softmax over the keys, product with v. The mask goes before softmax.",
        "`k.transpose(-2, -1)` exchanges the last two axes. `masked_fill` fills where a boolean tensor is True.",
    ],
    explain="Scores are `q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))`, of shape (B, Tq, Tk). Where mask is False "
    "they become -inf, so that exp makes them exactly 0. `torch.softmax(scores, dim=-1)` divides by the sum over the "
    "keys. The output is the weights times v.",
    minutes=12,
    difficulty=3,
)

# %% nbgrader={"grade": true, "grade_id": "wa-attention", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("wa-attention", attention)

# %% [markdown]
# ## 4. Who looks at whom
#
# Now the sentence. Its table and its projections are fresh and have learned nothing. No position is added yet.

# %%
torch.manual_seed(0)
words = list(dict.fromkeys(tokens))  # one row of the table for each different word
table = nn.Embedding(len(words), n_embd)
to_query, to_key, to_value = (nn.Linear(n_embd, head_size) for _ in range(3))
with torch.no_grad():
    x = table(torch.tensor([[words.index(token) for token in tokens]]))
    q, k, v = to_query(x), to_key(x), to_value(x)
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(head_size), dim=-1)
print("weights", tuple(weights.shape), "output", tuple((weights @ v).shape))
print("sums over keys   ", weights.sum(-1)[0].numpy().round(2))
print("sums over queries", weights.sum(-2)[0].numpy().round(2))

# %%
figure, axes = plt.subplots(figsize=(5.2, 4.4))
picture = axes.imshow(weights[0], cmap="cividis")
for row in range(len(tokens)):
    for column in range(len(tokens)):
        weight = weights[0, row, column].item()
        ink = "black" if picture.norm(weight) > 0.5 else "white"
        axes.text(column, row, f"{weight:.2f}", ha="center", va="center", color=ink, fontsize=9)
axes.set_xticks(range(len(tokens)), tokens)
axes.set_yticks(range(len(tokens)), tokens)
axes.set_xlabel("key: is looked at", color=COLOURS["key"])
axes.set_ylabel("query: looks", color=COLOURS["query"])
axes.set_title("One row, one weighted average")
print("Figure: a table of weights, one row for each query, one column for each key.")
for token, row in zip(tokens, weights[0], strict=True):
    best = int(row.argmax())
    print(f"  {token:>3} looks most at {tokens[best]} (place {best}, {row[best]:.2f}), least {row.min():.2f}")

# %% [markdown]
# Read one row: it is the recipe of one output. Then compare the two rows of `the`.

# %% [markdown]
# ## 5. Where can an output lie?
#
# The weights can be anything softmax makes. Does that leave the output free to go anywhere? Commit yourself first.

# %% [markdown]
# ### Exercise: Beyond the values?
# Take one head, before any output projection. Look at one coordinate: the largest number in that column of `v` is
# some m. You may choose `q` and `k` as you like. Can the output's coordinate exceed m?
#
# - **a** no, whatever the scores
# - **b** yes, with large enough scores
# - **c** yes, with enough tokens
# - **d** only if `v` has negative numbers in that column
#
# Type a letter in quotes, such as `"a"`.

# %% nbgrader={"grade": false, "grade_id": "wa-hull-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
wa_hull = ...  # a letter
### BEGIN SOLUTION
wa_hull = "a"
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.choice(
    "wa-hull",
    answer="a",
    options={
        "a": "Right. The weights are never negative and add up to 1, and such an average never passes the largest "
        "number in it.",
        "b": "Large scores push one weight towards 1 and the others towards 0. The output then comes near one value, "
        "not past it.",
        "c": "More tokens mean more values, but the same whole is shared out among them. An average of many stays "
        "between them.",
        "d": "Signs of v do not matter. Negative weights would carry the output past m, and softmax makes none.",
    },
    hints=[
        "Replace every number of the column by m, the largest. What is the output now, and did it grow or shrink?",
        "The weights are at least 0 and add up to 1. What is the largest average you can get of 10 and 20?",
    ],
    explain="Each value is at most m. Weights that are not negative keep that order, and they add up to 1: the sum of "
    "weight times value is at most the sum of weight times m, which is m.",
    minutes=2,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "wa-hull", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("wa-hull", wa_hull)

# %% [markdown]
# ### Prediction: After the mixing
# Several heads write their outputs side by side. A Linear layer, the output projection, then mixes all coordinates.
# Compare coordinate i of the result with coordinate i of all the values. What will the run below find?
#
# - **a** every coordinate still lies in the range of its column
# - **b** some coordinates lie outside
# - **c** every coordinate lies outside
#
# Type a letter in quotes. A prediction costs no points.

# %% nbgrader={"grade": false, "grade_id": "wa-mixed-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
wa_mixed = ...  # a letter
### BEGIN SOLUTION
wa_mixed = "b"
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.choice(
    "wa-mixed",
    answer="b",
    options={
        "a": "Not so. The projection's weights may be negative, and nothing makes them add up to 1. Run the cell and "
        "count.",
        "b": "Right. The projection is free to subtract and to stretch, so nothing holds its result in the range. Run "
        "the cell and count.",
        "c": "Too much. Nothing holds the result inside, but nothing drives it out either. Run the cell and count.",
    },
    hints=[
        "What made a head's output stay in range? Ask the same of a Linear layer's weights.",
        "A Linear layer's weights may be negative. Does that force every coordinate out, or only allow it?",
    ],
    explain="The output projection is an ordinary Linear layer with weights of both signs and a bias. Some "
    "coordinates leave the range of their column, and most stay.",
    minutes=1,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "wa-mixed", "locked": true, "points": 0, "schema_version": 3, "solution": false, "task": false}
check("wa-mixed", wa_mixed)


# %%
def outside(output: Tensor, values: Tensor) -> str:
    """Count the coordinates of output that leave the range of their column in values (both (..., T, columns))."""
    low, high = values.amin(-2, keepdim=True), values.amax(-2, keepdim=True)
    count = int(((output < low) | (output > high)).sum())
    return f"{count} of {output.numel()} coordinates outside"


torch.manual_seed(0)
length = 8
head_q, head_k, head_v = torch.randn(3, n_head, length, head_size)
exponentials = torch.exp(head_q @ head_k.transpose(-2, -1) / math.sqrt(head_size))
heads = exponentials / exponentials.sum(-1, keepdim=True) @ head_v
library = F.scaled_dot_product_attention(head_q, head_k, head_v)
print(f"exp(q.k / sqrt(d)) / sum against softmax: largest difference {(heads - library).abs().max():.1e}")

with torch.no_grad():
    side_by_side = heads.transpose(0, 1).reshape(length, n_embd)
    all_values = head_v.transpose(0, 1).reshape(length, n_embd)
    mixed = nn.Linear(n_embd, n_embd)(side_by_side)
print("each head alone:            ", outside(heads, head_v))
print("after the output projection:", outside(mixed, all_values))

# %% [markdown]
# The first line says what softmax is: exponentials over their sum. The other two decide the question.
#
# Course notes often call the output of attention a *linear combination* of the values. For one head more is true. The
# weights are not negative and add up to 1, so it is a *convex* combination: it lies between the values. After the
# output projection only the looser word is left.
#
# In the plane you can see it. Three values span a triangle. Grey dots are outputs of random queries. One query is drawn
# in colour: its scores are multiplied by a growing number, as a falling temperature does.

# %%
torch.manual_seed(0)
corners = torch.tensor([[0.0, 0.0], [4.0, 0.5], [1.2, 3.0]])
cloud = torch.softmax(2 * torch.randn(300, 3), dim=-1) @ corners
one_query = torch.tensor([0.2, 1.0, 0.7])
sharpness = [0.0, 2.0, 5.0, 20.0]
path = torch.softmax(torch.tensor(sharpness)[:, None] * one_query, dim=-1) @ corners
curve = torch.softmax(torch.linspace(0, 20, 100)[:, None] * one_query, dim=-1) @ corners

figure, axes = plt.subplots(figsize=(6.4, 4.2))
axes.fill(*corners.T, facecolor="none", edgecolor=COLOURS["value"])
axes.scatter(*cloud.T, s=6, color=COLOURS["neutral"], alpha=0.5)
axes.plot(*curve.T, color=COLOURS["query"])
axes.plot(*path.T, "o", color=COLOURS["query"])
for point, name, place in zip(corners, tokens[:3], [(-6, -14), (8, -4), (0, 8)], strict=True):
    axes.annotate(f"value of {name}", point, place, textcoords="offset points", color=COLOURS["value"])
for point, factor, place in zip(path, sharpness, [(-30, -4), (-4, -17), (-22, -17), (6, 10)], strict=True):
    axes.annotate(f"x {factor:g}", point, place, textcoords="offset points", color=COLOURS["query"])
axes.set_title("Every output lies in the triangle of the values")
axes.set_aspect("equal")
axes.margins(0.15)
print("Figure: three values as the corners of a triangle,", len(cloud), "outputs as dots, all inside.")
for factor, point in zip(sharpness, path, strict=True):
    print(f"  scores x {factor:4.1f}: output ({point[0]:.2f}, {point[1]:.2f})")
print("The path starts at the mean of the corners and comes near that of the largest score,", corners[1].tolist())

# %% [markdown]
# ## 6. Shuffle the sentence
#
# The same words in another order are another sentence. Does attention notice?

# %% [markdown]
# ### Exercise: Shuffled tokens
# Shuffle the tokens: the rows of `q`, `k` and `v` change places, all in the same way. There are no positions and no
# mask. What happens to the outputs?
#
# - **a** nothing: the output matrix is unchanged
# - **b** its rows are shuffled alike, and each token keeps its own output
# - **c** every token gets a new output, for it has new neighbours
# - **d** all rows become equal
#
# Type a letter in quotes, such as `"a"`.

# %% nbgrader={"grade": false, "grade_id": "wa-shuffle-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
wa_shuffle = ...  # a letter
### BEGIN SOLUTION
wa_shuffle = "b"
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.choice(
    "wa-shuffle",
    answer="b",
    options={
        "a": "That would be permutation invariant, as a mean over all tokens is. Here each query takes its output "
        "along to its new place.",
        "b": "Right. The word is permutation equivariant: shuffle the input, and the output is shuffled alike.",
        "c": "A query meets the same keys and values as before, in another order. A sum does not care for the order.",
        "d": "The rows differ because the queries differ, and the queries are still the same.",
    },
    hints=[
        "Follow one query. Which keys does it meet after the shuffle, and with which scores?",
        "The sum over the keys does not depend on their order. And where does this query's row stand now?",
    ],
    explain="For one query, shuffling the keys and values together reorders the terms of a sum: its output stays. The "
    "query itself moved to another row, so its output stands there. That is equivariant; invariant would mean that "
    "nothing changes at all.",
    minutes=2,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "wa-shuffle", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("wa-shuffle", wa_shuffle)

# %%
order = [3, 0, 5, 1, 4, 2]
output = F.scaled_dot_product_attention(q, k, v)
shuffled = F.scaled_dot_product_attention(q[:, order], k[:, order], v[:, order])
print("shuffled sentence:", " ".join(tokens[place] for place in order))
print(f"against the same outputs in the old order: {(shuffled - output).abs().max():.1e}")
print(f"against the outputs shuffled alike:        {(shuffled - output[:, order]).abs().max():.1e}")

# %% [markdown]
# So attention alone treats a sentence as a bag of tokens. This is why lesson 1 adds positions to the table rows.

# %% [markdown]
# ## 7. Not the future
#
# A model that writes text must not look ahead. Row t may see the tokens 0 to t, itself included, and nothing later.

# %% [markdown]
# ### Exercise: Causal attention (stretch)
# Write `causal_attention(q, k, v)`. All three are (B, T, d), and so is the output, which you return alone.
#
# - Scale, softmax and average are as before. Row t sees the places 0 to t.
# - T can be any length from 1 to 64, the course's block size. One call has one token, one has all 64.
# - One call has a **query of zeros**: its scores are all 0, and a score of 0 is a score like any other.
# - `q`, `k` and `v` stay as they were. `F.scaled_dot_product_attention` is not allowed. Your own `attention` is.

# %% nbgrader={"grade": false, "grade_id": "wa-causal-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def causal_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Attention in which row t sees the rows 0 to t: (B, T, d) three times -> (B, T, d)."""
    # your code here
    ### BEGIN SOLUTION
    length = q.size(1)
    visible = torch.ones(length, length, dtype=torch.bool).tril()
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    scores = scores.masked_fill(~visible, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v
    ### END SOLUTION


# %% tags=["exercise"]
from autograde import exercise


def causal_calls(draw):
    """Draw the calls of wa-causal: 8 tokens, a whole block, one, a query of zeros; sizes pairwise different."""

    def sentence(batch, length, width):
        return [draw.normal(batch, length, width) for _ in range(3)]

    batch, width, length = draw.sizes(2, high=4) + draw.sizes(1, low=5)  # 8 and 64 are lengths of fixed masks
    zero_q, zero_k, zero_v = sentence(batch, length, width)
    zero_q[:, draw.integer(1, length - 2)] = 0.0
    few, thin = draw.sizes(2, high=3)
    return [
        exercise.call(
            "8 tokens",
            *sentence(batch, 8, width),
            says="The output is off. Move the last token in your mind: which rows may change? Row t sees the places 0 "
            "to t.",
        ),
        exercise.call(
            "64 tokens",
            *sentence(few, 64, thin),
            says="Short sentences come out right and a long one does not. Make the mask from the length of q.",
        ),
        exercise.call(
            "one token",
            *sentence(batch, 1, width),
            says="With one token the output must be its value: a token may look at itself.",
        ),
        exercise.call(
            "a query of zeros",
            zero_q,
            zero_k,
            zero_v,
            says="A query of zeros has scores of 0, and they count. It averages all places that it may see.",
        ),
    ]


exercise.function(
    "wa-causal",
    calls=causal_calls,
    forbid={
        "scaled_dot_product_attention": "With is_causal=True that call does it all, so it does not count here. Make "
        "the mask yourself, and use your own attention if you like."
    },
    wrong=[
        exercise.edit(
            ".tril()",
            ".tril(1)",
            says="Each row sees one place too many, t + 1: the very token that it shall predict. The diagonal is the "
            "limit: `tril()`.",
        ),
        exercise.edit(
            ".tril()",
            ".tril(-1)",
            says="Rows are blind to themselves, and row 0 sees nothing at all: it becomes nan. Row t sees t as well.",
        ),
        exercise.edit(
            ".tril()",
            ".tril(-1)",
            'float("-inf")',
            "-1e9",
            says="Rows are blind to themselves. With -1e9 no nan gives it away: row 0, with everything hidden, "
            "quietly averages the whole sentence, its future. Row t sees t as well.",
        ),
        exercise.edit(
            ".tril()",
            ".tril(-1)",
            "torch.softmax(scores, dim=-1)",
            "torch.softmax(scores, dim=-1).nan_to_num()",
            says="Rows are blind to themselves, and the nan of row 0 was swept to 0. If a row has nothing to see, the "
            "mask is wrong: row t sees t as well.",
        ),
        exercise.edit(
            ".tril()",
            ".triu()",
            says="The mask is transposed: rows see themselves and the future. Row t needs the columns 0 to t, the "
            "lower triangle.",
        ),
        exercise.edit(
            "~visible",
            "visible",
            says="The mask is upside down: you hide the past and keep the future, and the last row has nothing left "
            "to see.",
        ),
        exercise.edit(
            'float("-inf")',
            "0.0",
            says="Hidden scores became 0, or as good as 0 (-1e-9 is). But exp(0) is 1, so the future keeps a share. "
            "Fill with -inf.",
        ),
        exercise.edit(
            '    scores = scores.masked_fill(~visible, float("-inf"))\n',
            "",
            says="Every row still sees the whole sentence: no mask has an effect. masked_fill returns a new tensor. "
            "Was it assigned?",
        ),
        exercise.edit(
            'scores = scores.masked_fill(~visible, float("-inf"))',
            "weights = torch.softmax(scores, dim=-1) * visible",
            "torch.softmax(scores, dim=-1) @ v",
            "weights @ v",
            says="You mask after softmax, so the weights of the early rows add up to less than 1. Mask the scores "
            "before softmax.",
        ),
        exercise.edit(
            "scores.masked_fill(~visible,",
            "scores.tril().masked_fill(scores.tril() == 0,",
            says="You hide every score that is 0. A query of zeros has such scores, and they count. Build the mask "
            "from places, not from scores.",
        ),
        exercise.edit(
            "torch.ones(length, length, dtype=torch.bool).tril()",
            "torch.ones(64, 64, dtype=torch.bool).tril()[:length]",
            says="Your mask has a fixed length and is cut in one direction only, so it fits no other length. Cut rows "
            "and columns, `[:T, :T]`, or make it as long as q.",
        ),
        exercise.edit(
            "torch.ones(length, length, dtype=torch.bool).tril()",
            "torch.ones(8, 8, dtype=torch.bool).tril()[:length]",
            says="Your mask is made for 8 tokens and cut in one direction only, so it fits no other length. Make it "
            "as long as q, in rows and columns: q.size(1).",
        ),
        exercise.edit(
            "torch.ones(length, length, dtype=torch.bool).tril()",
            "torch.ones(8, 8, dtype=torch.bool).tril()[:length, :length]",
            says="Your mask is made for a few tokens and breaks on a longer sentence. Make it as long as q: q.size(1).",
        ),
        exercise.edit(
            "torch.softmax(scores, dim=-1) @ v",
            "v.cumsum(dim=1) / torch.arange(1, length + 1)[:, None]",
            says="You average the past evenly. The scores of q and k must decide how much each place counts.",
        ),
        exercise.edit(
            "dim=-1",
            "dim=1",
            says="Softmax runs over axis 1, the queries. Each query shares its attention among the keys that it sees: "
            "the last axis.",
        ),
        exercise.edit(
            " / math.sqrt(q.size(-1))",
            "",
            says="The mask is right, but the scores are not scaled. Divide them by the root of d.",
        ),
        exercise.edit(
            "math.sqrt(q.size(-1))",
            "q.size(-1)",
            says="The mask is right, but you divide by d. It is the root of d.",
        ),
        exercise.edit(
            "math.sqrt(q.size(-1))",
            "math.sqrt(length)",
            says="The mask is right, but you take the root of the length T. A score is a sum over d features: take "
            "the root of d.",
        ),
        exercise.edit(
            "return torch.softmax(scores, dim=-1) @ v",
            "weights = torch.softmax(scores, dim=-1)\n    return weights @ v, weights",
            says="You return a pair, (output, weights). Return the output alone.",
        ),
        exercise.edit(
            "return torch",
            "torch",
            says="Your function returns nothing (None). Did you forget `return`?",
        ),
    ],
    right=[
        exercise.edit(
            "torch.ones(length, length, dtype=torch.bool).tril()",
            "torch.arange(length)[:, None] >= torch.arange(length)",
        ),
        exercise.edit(
            ".tril()",
            ".triu(1).logical_not()",
            'float("-inf")',
            "-1e9",
        ),
        exercise.edit(
            'scores.masked_fill(~visible, float("-inf"))',
            "scores + torch.full((length, length), -math.inf).triu(1)",
        ),
        exercise.edit(
            "torch.ones(length, length, dtype=torch.bool).tril()",
            "torch.ones(64, 64, dtype=torch.bool).tril()[:length, :length]",
        ),
        exercise.code(
            '''
def causal_attention(q, k, v):
    weights = torch.softmax(torch.einsum("bid,bjd->bij", q, k) * q.shape[2] ** -0.5, dim=2).tril()
    return weights / weights.sum(dim=2, keepdim=True) @ v
'''
        ),
        exercise.code(
            '''
def causal_attention(q, k, v):
    rows = []
    for t in range(q.shape[1]):
        seen_k, seen_v = k[:, : t + 1], v[:, : t + 1]
        scores = (q[:, t : t + 1] * seen_k).sum(-1, keepdim=True) / math.sqrt(q.shape[2])
        rows.append((scores.softmax(1) * seen_v).sum(1))
    return torch.stack(rows, dim=1)
'''
        ),
    ],
    says={
        "unchanged": "The output is right, but q, k or v was changed on the way. Work on new tensors.",
        "repeatable": "Two equal calls gave different outputs. Is there dropout, another source of chance, or "
        "something kept between calls?",
    },
    passed="Right: for one token, for a whole block, and for a query of zeros. No row sees its future.",
    hints=[
        "It is attention with one fixed mask. Draw the table for T = 3, and mark in it what each row may see.",
        "`torch.ones(T, T, dtype=torch.bool).tril()` is True on and below the diagonal.",
    ],
    explain="Row t may see the columns 0 to t: `visible = torch.ones(T, T, dtype=torch.bool).tril()`. Fill the scores "
    "with -inf where visible is False, before softmax. Or call your own attention with this mask, expanded to (B, T, "
    "T).",
    minutes=7,
    difficulty=3,
    stretch=True,
)

# %% nbgrader={"grade": true, "grade_id": "wa-causal", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("wa-causal", causal_attention)

# %%
torch.manual_seed(1)
other_k, other_v = k.clone(), v.clone()
other_k[:, -1], other_v[:, -1] = torch.randn(head_size), torch.randn(head_size)
for causal in (False, True):
    before = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    after = F.scaled_dot_product_attention(q, other_k, other_v, is_causal=causal)
    moved = (after - before).abs().amax(-1)[0]
    print(f"causal={causal!s:5}: the last token changes, and the rows move by {moved.numpy().round(2)}")

# %% [markdown]
# With the causal mask, a new last token moves the last row and no other.

# %% [markdown]
# ## Key points
#
# - Scores, scaled by the root of d, become weights by softmax over the keys. The output is the weights times `v`.
# - One head's output lies between the values. The output projection lifts that limit.
# - Without positions attention is permutation equivariant. A mask hides by -inf before softmax.
#
# The output is linear in `v`. Is attention then a linear map? Lesson 3 measures it.

# %% [markdown]
# ## Look back to lesson 1
#
# A token's query, key and value all come from the same vector. What makes them differ?
#
# <details><summary>Answer</summary>
#
# Three different projections: each is a Linear layer with weights and a bias of its own.
#
# </details>
#
# In the table of weights above, why are the two rows of `the` equal? What would make them differ?
#
# <details><summary>Answer</summary>
#
# Both have the same table row, so the same query. A position vector added to each would make the two differ.
#
# </details>
#
# ## Sources
#
# - Bahdanau, Cho and Bengio, 2014, *Neural Machine Translation by Jointly Learning to Align and Translate*
# - Vaswani and others, 2017, *Attention Is All You Need*
# - Lee and others, 2019, *Set Transformer: A Framework for Attention-based Permutation-Invariant Neural Networks*
