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

# %% nbgrader={"grade": false, "grade_id": "the-block-lesson", "locked": true, "schema_version": 3, "solution": false, "task": false}
from autograde import check, dimensions, hint, lesson, progress, solution

lesson("the-block")

# %% [markdown]
# # 7. The block
#
# You have attention, which moves numbers between tokens, and the feed-forward, which moves none.
#
# A Transformer stacks the two many times. Between them it needs three more things: several heads, a norm, and a sum.

# %% [markdown]
# ## Several heads at once
#
# One head gives each token one average of the others. With four heads, a token can look in four ways at once.
#
# The heads share one Linear layer: it makes 128 numbers for each token, and each of four heads gets 32 of them.

# %%
import math

import matplotlib.pyplot as plt
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from explorables import COLOURS, use_style

use_style()
n_embd, n_head, n_layer, block_size = dimensions("n_embd", "n_head", "n_layer", "block_size")

torch.manual_seed(0)
sentence = ["the", "cat", "sat", "on", "the", "mat"]
words = list(dict.fromkeys(sentence))
table, positions = nn.Embedding(len(words), n_embd), nn.Embedding(block_size, n_embd)
with torch.no_grad():
    x = table(torch.tensor([[words.index(word) for word in sentence]])) + positions(torch.arange(6))

print("x is", tuple(x.shape), "- one sentence, six tokens, with their positions")
print(f"{n_head} heads of {n_embd // n_head} numbers each")

# %% [markdown]
# So (B, T, C) must be cut into (B, H, T, hd): H heads of hd = C / H numbers. Here are two ways to write it.

# %% [markdown]
# ### Exercise: Two ways to cut
#
# `x` is (B, T, C), with several tokens and several heads, and C = H * hd. Compare
#
# - first: `x.view(B, T, H, hd).transpose(1, 2)`
# - second: `x.view(B, H, T, hd)`
#
# What is true?
#
# - **a** The same shape, and the same number in every place.
# - **b** The same shape, but other numbers in most places.
# - **c** Two different shapes.
# - **d** The second raises an error.
#
# Type a letter, such as `"a"`.

# %% nbgrader={"grade": false, "grade_id": "mh-view-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
mh_view = ...  # a letter in quotes
### BEGIN SOLUTION
mh_view = "b"
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.choice(
    "mh-view",
    answer="b",
    options={
        "a": "`view` keeps the order in memory and only says where to cut. `transpose` changes which number stands where. "
        "The two are not the same step.",
        "b": "Right. The second cuts the row of all numbers into H pieces, so a head gets whole tokens and not a part of "
        "each.",
        "c": "After the transpose the first is (B, H, T, hd) as well. Shapes do not tell the two apart, and that is what "
        "makes the mistake hard to find.",
        "d": "B * H * T * hd is as many numbers as there are, so `view` is content. It raises no error; it cuts in the "
        "wrong places.",
    },
    hints=[
        "In memory the numbers lie token after token. Where does the first number of token 1 end up, each time?",
        "Try it in a cell of your own: `torch.arange(48).view(1, 6, 8)`, two heads of 4. Look at head 0.",
    ],
    explain="In memory token 0 comes first, all C numbers of it, then token 1. The first way cuts each token's numbers "
    "into H parts and then exchanges two axes. The second cuts the whole row of T * C numbers into H equal pieces: head 0 "
    "gets the first tokens entirely. The shapes agree, the numbers do not.",
    minutes=3,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "mh-view", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("mh-view", mh_view)

# %%
length, width, heads = len(sentence), 8, 2
numbered = torch.arange(length * width).view(1, length, width)  # each number knows its token and its place
cuts = {
    "view, then transpose": numbered.view(1, length, heads, width // heads).transpose(1, 2),
    "view alone": numbered.view(1, heads, length, width // heads),
}

figure, panels = plt.subplots(1, 2, figsize=(7.5, 3.2), sharey=True)
for panel, (name, cut) in zip(panels, cuts.items(), strict=True):
    owner = torch.zeros(length * width, dtype=torch.int64)
    owner[cut[0, 1].flatten()] = 1
    for number, head in enumerate(owner.tolist()):
        row, column = divmod(number, width)
        fill, ink = ("none", COLOURS["token"]) if head else (COLOURS["token"], "black")
        square = plt.Rectangle((column, row), 0.92, 0.88, facecolor=fill, edgecolor=COLOURS["token"])
        panel.add_patch(square)
        panel.text(column + 0.46, row + 0.44, head, ha="center", va="center", color=ink, fontsize=9)
    panel.set(xlim=(-0.1, width), ylim=(length, -0.1), title=name, xlabel="0 or 1: the head of each number")
    panel.set_xticks([0], [""])
    panel.set_yticks([row + 0.44 for row in range(length)], sentence)
    panel.tick_params(length=0)
    panel.spines[:].set_visible(False)
plt.show()

print(f"Figure: which of {heads} heads gets which number. One row for each token, {width} numbers each.")
for name, cut in cuts.items():
    for head in range(heads):
        places = (cut[0, head] // width).unique().tolist()
        print(f'  {name}: head {head} gets numbers of "{" ".join(sentence[place] for place in places)}"')

# %% [markdown]
# With `view` alone, a head gets half of the sentence, and takes the two halves of a word for two words. No error tells.

# %% [markdown]
# ### Exercise: The price of the heads
#
# `MultiHeadAttention(128, 4)` has four projections: for all queries, for all keys, for all values, and one at the end
# that mixes what the heads found. Each is a Linear layer with a bias. How many parameters are that?
#
# Type a whole number, such as `1024` or `1_024` (not `1,024`).

# %% nbgrader={"grade": false, "grade_id": "mh-parameters-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
mh_parameters = ...  # a whole number
### BEGIN SOLUTION
mh_parameters = 66_048
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.number(
    "mh-parameters",
    answer=66_048,
    wrong={
        65_536: "You counted the four weights and left out the four biases.",
        65_664: "You counted one bias, that of the output projection. Query, key and value have theirs too.",
        65_920: "You counted three biases. The output projection has one too.",
        65_540: "You gave each layer a single bias. Each output has its own.",
        49_536: "You forgot the output projection: that is query, key and value.",
        49_152: "That is query, key and value without biases. The output projection is missing too.",
        16_512: "That is one projection. There are four.",
        12_384: "That is query, key and value of one head. There are four heads, and the output projection.",
        28_896: "You counted one head and the output projection. The four heads have projections of their own: 4 * 32 is "
        "128.",
        263_808: "You gave each head full width, 128. The heads share the width: each gets 32 numbers.",
        264_192: "You took everything four times. The four heads share the width, so four heads cost as much as one.",
        82_560: "You counted five projections. There are four: query, key, value, output.",
        exercise.either(16_513, 66_049): "A bias has one number for each of its layer's 128 outputs.",
        33_024: "That is two projections. There are four: query, key, value, output.",
        131_712: "That is a feed-forward of this width. Attention has no layer of 512.",
        66_432: "You counted seven biases. There are four layers, with one bias each.",
    },
    passed="Right: four layers from 128 to 128. The number of heads does not matter.",
    hints=[
        "All heads together have 128 numbers for the queries. So how large is the layer that makes them?",
        "Each of the four layers goes from 128 to 128. Count one with its bias, and multiply.",
    ],
    explain="The heads' 32 numbers stand side by side: 4 * 32 = 128. So each projection is a Linear layer from 128 to 128, "
    "128 * 128 + 128 = 16,512 parameters. Four of them make 66,048.",
    minutes=4,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "mh-parameters", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("mh-parameters", mh_parameters)

# %%
for count in (1, 2, 4, 8):
    library = nn.MultiheadAttention(n_embd, count)
    print(f"n_head {count}: {sum(parameter.numel() for parameter in library.parameters()):,} parameters")

# %% [markdown]
# ### Exercise: Write `MultiHeadAttention`
#
# Write the module `MultiHeadAttention(n_embd, n_head)`.
#
# - `x` is (B, T, n_embd), and so is the output, which you return alone. `n_head` divides `n_embd`; T is at most 64.
# - Projections for query, key and value, cut into heads. In each head: scores, scaled, softmax over the keys, average of
#   the values. The scale is 1 / root of a head's size, n_embd / n_head.
# - Every token sees every token: no mask.
# - The heads side by side, then the output projection. No residual, norm or activation in here.
# - All projections have biases. Without them the check fails.
#
# What counts and what does not:
#
# - The check judges what your module does: its outputs, its number of parameters, who depends on whom. One layer for
#   query, key and value together, a layer a head, parameters held by hand: all are fine. So are all names, and all
#   starting values but zeros.
# - `F.scaled_dot_product_attention` may do the middle part: you built it in lesson 2. `nn.MultiheadAttention` would pass
#   too, if it is told that the batch comes first. But to cut and to join is what this exercise is for.
# - It is judged on the CPU and after `eval()`: a dropout that is off then costs nothing. A constant tensor that you keep
#   need not be a buffer.

# %% nbgrader={"grade": false, "grade_id": "mh-module-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
class MultiHeadAttention(nn.Module):
    """Attention with several heads: (B, T, n_embd) -> (B, T, n_embd)."""

    def __init__(self, n_embd: int, n_head: int) -> None:
        """Make the projections; each head gets n_embd / n_head numbers."""
        super().__init__()
        # your code here
        ### BEGIN SOLUTION
        self.n_head = n_head
        self.query = nn.Linear(n_embd, n_embd)
        self.key = nn.Linear(n_embd, n_embd)
        self.value = nn.Linear(n_embd, n_embd)
        self.out = nn.Linear(n_embd, n_embd)
        ### END SOLUTION

    def forward(self, x: Tensor) -> Tensor:
        """Return what the heads found, mixed, in the shape of x."""
        # your code here
        ### BEGIN SOLUTION
        batch, length, width = x.shape
        size = width // self.n_head
        q = self.query(x).view(batch, length, self.n_head, size).transpose(1, 2)
        k = self.key(x).view(batch, length, self.n_head, size).transpose(1, 2)
        v = self.value(x).view(batch, length, self.n_head, size).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(size)
        weights = torch.softmax(scores, dim=-1)
        joined = (weights @ v).transpose(1, 2).reshape(batch, length, width)
        return self.out(joined)
        ### END SOLUTION


# %% tags=["exercise"]
from autograde import exercise

# Weights and biases get the same constant: held by hand, a bias can be (heads, size) and looks like a weight.
FILLS = [(0.25, 0.25), (-0.3, -0.3), (0.12, 0.12)]


def heads_cases(draw):
    """One head, two or three of other sizes, and as many as numbers; lengths that fit neither; a batch as long as the text."""
    batch, tokens = draw.sizes(2, low=5)
    few, wide, more = draw.choice([8, 12, 16]), draw.choice([4, 8]), draw.choice([12, 24])
    return [
        exercise.case(
            "two heads",
            few,
            2,
            inputs=[draw.normal(3, tokens, few), draw.normal(batch, batch, few)],
            fills=FILLS,
            count_heads=True,
            says="With two heads the output is off. Check the cut, the scale, the axis of softmax, and how the heads are "
            "joined.",
        ),
        exercise.case(
            "one head",
            wide,
            1,
            inputs=[draw.normal(2, tokens, wide)],
            fills=FILLS,
            says="With one head the output is off. Then it is attention as in lesson 2, between projections.",
        ),
        exercise.case(
            "three heads",
            more,
            3,
            inputs=[draw.normal(2, tokens, more), draw.normal(3, 1, more)],
            fills=FILLS,
            count_heads=True,
            says="With three heads the output is off. Does the number of heads follow `n_head`?",
        ),
        exercise.case(
            "as many heads as numbers",
            8,
            8,
            inputs=[draw.normal(2, tokens, 8)],
            fills=FILLS,
            says="With as many heads as numbers the output is off. Each head then has one number.",
        ),
    ]


CUT = ".view(batch, length, self.n_head, size).transpose(1, 2)"
JOIN = "(weights @ v).transpose(1, 2).reshape(batch, length, width)"
LAYERS = "".join(f"        self.{name} = nn.Linear(n_embd, n_embd)\n" for name in ("query", "key", "value", "out"))

exercise.module(
    "mh-module",
    cases=heads_cases,
    wrong=[
        # the cut and the join
        exercise.edit(
            CUT, ".view(batch, self.n_head, length, size)",
            says="The heads are cut by `view` alone, so a head gets whole tokens, not a part of each. First `view(B, T, H, "
            "hd)`, then `transpose(1, 2)`.",
        ),
        exercise.edit(
            CUT, ".view(batch, self.n_head, length, size)", JOIN, "(weights @ v).reshape(batch, length, width)",
            says="Cut and joined by `view` alone: the shapes fit, but a head gets whole tokens, not a part of each. Move "
            "the axis, `transpose(1, 2)`, after the cut and before the join.",
        ),
        exercise.edit(
            JOIN, "(weights @ v).reshape(batch, length, width)",
            says="The heads are joined without moving the axis back. Then the numbers of different tokens land in one row. "
            "`transpose(1, 2)` first, then `reshape`.",
        ),
        exercise.edit(
            ".reshape(batch, length, width)", ".view(batch, length, width)",
            says="After `transpose` the numbers lie in another order in memory, and `view` cannot cut across it. Call "
            "`.contiguous()` before `.view(...)`, or write `.reshape(...)`.",
        ),
        exercise.edit(
            CUT, ".view(batch, length, self.n_head, size)", JOIN, "(weights @ v).reshape(batch, length, width)",
            says="There is no `transpose(1, 2)` after the cut, so the heads of one token attend to each other, and no token "
            "sees another. The product works on the last two axes: they must be T and hd.",
        ),
        exercise.edit(
            CUT, ".view(batch, length, size, self.n_head).transpose(1, 2)", JOIN,
            "(weights @ v).transpose(1, 2).reshape(batch, length, width)",
            "math.sqrt(size)", "math.sqrt(k.size(-1))",
            says="Number and size of the heads changed places: you have hd heads of H numbers. Cut with `view(B, T, H, hd)`.",
        ),
        exercise.edit(
            "size = width // self.n_head", "size = width", CUT, "[:, None]", JOIN, "(weights @ v)[:, 0]",
            says="There is one head of full width, and `n_head` has no effect. Each head works with n_embd / n_head "
            "numbers.",
        ),
        exercise.edit(
            CUT, ".chunk(self.n_head, dim=1)", "scores = q @ k.transpose(-2, -1) / math.sqrt(size)",
            "tables = [(a @ b.mT / math.sqrt(size)).softmax(dim=-1) for a, b in zip(q, k)]",
            "weights = torch.softmax(scores, dim=-1)", "parts = [table @ part for table, part in zip(tables, v)]",
            JOIN, "torch.cat(parts, dim=1)",
            says="The heads are cut along the tokens, so each head gets a piece of the sentence. Cut the last axis, the "
            "features.",
        ),
        exercise.either(
            exercise.edit(JOIN, "(weights @ v).sum(dim=1)"),
            exercise.edit(JOIN, "(weights @ v).transpose(1, 2)"),
            says="A Linear layer got vectors of another length than it takes. Are the heads side by side again before the output "
            "projection, n_embd numbers for each token? They are joined, not added.",
        ),
        exercise.edit(
            "self.n_head = n_head", "self.n_head = 4",
            says="The number of heads is 4, whatever the argument says. (In `forward`, a bare `n_head` is the lesson's own "
            "variable.) Keep the argument in `__init__`: `self.n_head = n_head`.",
        ),
        exercise.edit(
            "width // self.n_head", "width / self.n_head",
            says="`/` gives a float, and a size must be a whole number. Use `//`.",
        ),
        # the scale
        exercise.edit(
            "math.sqrt(size)", "math.sqrt(width)",
            says="The scores are divided by the root of n_embd. A score is a sum over one head's numbers: take the root of "
            "n_embd / n_head. With one head the two agree.",
        ),
        exercise.edit(
            " / math.sqrt(size)", "",
            says="The scores are not scaled. Divide them by the root of a head's size, n_embd / n_head.",
        ),
        exercise.edit(
            "math.sqrt(size)", "size",
            says="You divide by a head's size. It is the root of it.",
        ),
        exercise.edit(
            "math.sqrt(size)", "width",
            says="You divide by n_embd. It is the root of a head's size, n_embd / n_head.",
        ),
        exercise.edit(
            "math.sqrt(size)", "math.sqrt(self.n_head)",
            says="You take the root of the number of heads. Take the root of a head's size, n_embd / n_head.",
        ),
        exercise.edit(
            "math.sqrt(size)", "math.sqrt(length)",
            says="You take the root of the number of tokens. A score is a sum over one head's numbers: take the root of "
            "n_embd / n_head.",
        ),
        exercise.edit(
            " / math.sqrt(size)", "", "torch.softmax(scores, dim=-1)", "torch.softmax(scores, dim=-1) / math.sqrt(size)",
            says="You divide after softmax, so the weights no longer add up to 1. The scale belongs to the scores.",
        ),
        exercise.edit(
            "math.sqrt(size)", "torch.sqrt(size)",
            says="`torch.sqrt` wants a tensor, and a size is a plain number. Use `math.sqrt`, or `** 0.5`.",
        ),
        exercise.edit(
            "/ math.sqrt(size)", "* math.sqrt(size)",
            says="You multiply by the root of a head's size. The scores are to shrink: divide.",
        ),
        # softmax and the average
        exercise.edit(
            "dim=-1", "dim=1",
            says="Softmax runs over the heads, so they compete with each other. Each query shares its attention among the "
            "keys: the last axis.",
        ),
        exercise.edit(
            "dim=-1", "dim=2",
            says="Softmax runs over the queries, or the weights were turned after it. Each query shares its attention among "
            "the keys: softmax over the last axis, then `weights @ v`.",
        ),
        exercise.edit(
            "dim=-1", "dim=0",
            says="Softmax runs over the batch, so sentences compete with each other. Each query shares its attention among "
            "the keys: the last axis.",
        ),
        exercise.edit(
            "torch.softmax(scores, dim=-1)", "scores",
            says="There is no softmax: the values are weighed with raw scores.",
        ),
        exercise.either(
            exercise.edit("k.transpose(-2, -1)", "k"),
            exercise.edit("k.transpose(-2, -1)", "k.transpose(1, 2)"),
            says="The axes of q and k do not meet. Exchange the last two of k, `k.transpose(-2, -1)`, and leave batch and "
            "heads in front.",
        ),
        exercise.edit(
            "weights = torch.softmax(scores, dim=-1)",
            "hidden = torch.ones(length, length, dtype=torch.bool).triu(1)\n"
            '        weights = torch.softmax(scores.masked_fill(hidden, float("-inf")), dim=-1)',
            says="There is a causal mask. In this exercise every token sees every token.",
        ),
        exercise.edit(
            "batch, length, width = x.shape", "x = x.transpose(0, 1)\n        batch, length, width = x.shape",
            "return self.out(joined)", "return self.out(joined).transpose(0, 1)",
            says="Batch and tokens changed places: each token attends to the tokens of other sentences, and to none of its "
            "own. `nn.MultiheadAttention` does that unless you say `batch_first=True`.",
        ),
        # the output projection
        exercise.edit(
            "return self.out(joined)", "return joined",
            says="The output projection is made and never used. It comes last and mixes what the heads found.",
        ),
        exercise.edit(
            "return self.out(joined)", "return joined", "        self.out = nn.Linear(n_embd, n_embd)\n", "",
            says="There is no output projection. It comes last and mixes what the heads found.",
        ),
        # biases and parameters
        exercise.edit(
            "nn.Linear(n_embd, n_embd)", "nn.Linear(n_embd, n_embd, bias=False)",
            says="No projection has a bias. Many real models leave them out; this exercise, as the whole course, has them.",
        ),
        exercise.edit(
            "self.query = nn.Linear(n_embd, n_embd)", "self.query = nn.Linear(n_embd, n_embd, bias=False)",
            "self.key = nn.Linear(n_embd, n_embd)", "self.key = nn.Linear(n_embd, n_embd, bias=False)",
            "self.value = nn.Linear(n_embd, n_embd)", "self.value = nn.Linear(n_embd, n_embd, bias=False)",
            says="Query, key and value lack their biases. Only the output projection has one.",
        ),
        exercise.edit(
            "self.out = nn.Linear(n_embd, n_embd)", "self.out = nn.Linear(n_embd, n_embd, bias=False)",
            says="The output projection lacks its bias.",
        ),
        exercise.edit(
            "        self.key = nn.Linear(n_embd, n_embd)\n", "", "self.key(x)", "self.query(x)",
            says="Two of query, key and value come from one layer. Each needs a projection of its own.",
        ),
        exercise.edit(
            "        self.key = nn.Linear(n_embd, n_embd)\n", "", "self.key(x)", "self.query(x)",
            "        self.value = nn.Linear(n_embd, n_embd)\n", "", "self.value(x)", "self.query(x)",
            says="Query, key and value come from one layer. Each needs a projection of its own.",
        ),
        exercise.edit(
            "self.key(x)", "self.query(x)",
            says="The outputs can be right, but some parameter gets no gradient. Is a projection made and never used, a name "
            "copied twice, or is there `no_grad` or `detach`?",
        ),
        exercise.edit(
            LAYERS.rstrip("\n"),
            "        self.layers = [nn.Linear(n_embd, n_embd) for _ in range(4)]",
            "self.query(x)", "self.layers[0](x)", "self.key(x)", "self.layers[1](x)",
            "self.value(x)", "self.layers[2](x)", "self.out(joined)", "self.layers[3](joined)",
            says="The layers stand in a plain list or dict, so torch does not find their parameters and training cannot "
            "move them. Make each an attribute, or use nn.ModuleList.",
        ),
        exercise.code('''
class OneHead(nn.Module):
    def __init__(self, width, size):
        super().__init__()
        self.query, self.key, self.value = nn.Linear(width, size), nn.Linear(width, size), nn.Linear(width, size)

    def forward(self, x):
        scores = self.query(x) @ self.key(x).mT / math.sqrt(self.key.out_features)
        return scores.softmax(-1) @ self.value(x)


class MultiHeadAttention(nn.Module):
    def __init__(self, n_embd, n_head):
        super().__init__()
        head = OneHead(n_embd, n_embd // n_head)
        self.heads = nn.ModuleList(n_head * [head])
        self.out = nn.Linear(n_embd, n_embd)

    def forward(self, x):
        return self.out(torch.cat([head(x) for head in self.heads], dim=-1))
''',
            says="All your heads are one and the same, with one head's parameters: `[head] * n_head` repeats an object and makes "
            "no new ones. Make each in a loop: `[Head(...) for _ in range(n_head)]`.",
        ),
        exercise.code('''
class MultiHeadAttention(nn.Module):
    def __init__(self, n_embd, n_head):
        super().__init__()
        self.n_head = n_head
        self.qkv = nn.Linear(n_embd, 3 * n_head * n_embd)
        self.out = nn.Linear(n_head * n_embd, n_embd)

    def forward(self, x):
        q, k, v = (part.unflatten(-1, (self.n_head, -1)).transpose(1, 2) for part in self.qkv(x).chunk(3, dim=-1))
        return self.out(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))
''',
            says="Each of your heads has full width. The heads share the width: each gets n_embd / n_head numbers.",
        ),
        exercise.edit(
            "weights = torch.softmax(scores, dim=-1)", "weights = torch.softmax(scores, dim=-1).mean(dim=1, keepdim=True)",
            says="All heads share one table of weights: you take the mean over the heads. Each head weighs the tokens in its own "
            "way.",
        ),
        exercise.edit(
            CUT, ".view(batch, length, self.n_head, size).transpose(1, 2)[:, :1].expand(-1, self.n_head, -1, -1)",
            says="Every head reads the same part of query, key and value, and the rest is never read. Head h reads the numbers "
            "from h * hd to (h + 1) * hd.",
        ),
        exercise.edit(
            CUT, ".unfold(-1, size, 1)[:, :, : self.n_head].transpose(1, 2)",
            says="Your heads overlap: head h begins at number h. It reads the numbers from h * hd to (h + 1) * hd.",
        ),
        # what does not belong here
        exercise.edit(
            "return self.out(joined)", "return x + self.out(joined)",
            says="You add x to the result. The residual belongs to the block around this part, not in here.",
        ),
        exercise.edit(
            "self.n_head = n_head", "self.n_head = n_head\n        self.norm = nn.LayerNorm(n_embd)",
            "batch, length, width = x.shape", "x = self.norm(x)\n        batch, length, width = x.shape",
            says="There is a LayerNorm in front. The norm belongs to the block around this part, not in here.",
        ),
        exercise.edit(
            "return self.out(joined)", "return torch.relu(self.out(joined))",
            says="There is an activation after the output projection. Attention has none; it sits in the feed-forward.",
        ),
        exercise.edit(
            "self.out(joined)", "self.out(torch.relu(joined))",
            says="There is an activation before the output projection. Attention has none; it sits in the feed-forward.",
        ),
        exercise.edit(
            "weights = torch.softmax(scores, dim=-1)", "weights = F.dropout(torch.softmax(scores, dim=-1), 0.2)",
            says="Dropout stays on after eval(): two runs differ. F.dropout needs training=self.training; an nn.Dropout must "
            "be made in `__init__`, not in `forward`.",
        ),
        exercise.edit(
            LAYERS.rstrip("\n"), "        self.width = n_embd",
            *(piece for name in ("query", "key", "value") for piece in (f"self.{name}(x)", "nn.Linear(width, width)(x)")),
            "self.out(joined)", "nn.Linear(width, width)(joined)",
            says="The layers are made inside `forward`: every call draws new weights, and nothing can be trained. Make them "
            "once, in `__init__`.",
        ),
        # what raises, what is returned
        exercise.edit(
            "        super().__init__()\n", "",
            says="`super().__init__()` is missing. nn.Module needs it before you give it layers.",
        ),
        exercise.edit(
            "return self.out(joined)", "self.out(joined)",
            says="`forward` gives back nothing. Did you forget `return`?",
        ),
    ],
    right=[
        exercise.edit(JOIN, "(weights @ v).transpose(1, 2).contiguous().view(batch, length, width)"),
        exercise.edit(JOIN, "torch.cat((weights @ v).unbind(dim=1), dim=-1)"),
        exercise.edit(
            "scores = q @ k.transpose(-2, -1) / math.sqrt(size)",
            'scores = torch.einsum("bhid,bhjd->bhij", q * size**-0.25, k * size**-0.25)',
            "(weights @ v).transpose(1, 2)", 'torch.einsum("bhij,bhjd->bihd", weights, v)',
        ),
        # every second number to a head: the same family of functions
        exercise.edit(
            CUT, ".view(batch, length, size, self.n_head).permute(0, 3, 1, 2)",
            "(weights @ v).transpose(1, 2)", "(weights @ v).permute(0, 2, 3, 1)",
        ),
        # a constant that is no buffer, and heads in the batch axis
        exercise.edit(
            "self.n_head = n_head", "self.n_head = n_head\n        self.no_mask = torch.zeros(64, 64)",
            CUT, ".view(batch, length, self.n_head, size).transpose(1, 2).reshape(-1, length, size)",
            "weights = torch.softmax(scores, dim=-1)", "weights = torch.softmax(scores + self.no_mask[:length, :length], dim=-1)",
            "(weights @ v)", "(weights @ v).view(batch, self.n_head, length, size)",
        ),
        exercise.code('''
class MultiHeadAttention(nn.Module):
    def __init__(self, width, count):
        super().__init__()
        self.count, self.three, self.last = count, nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x):
        q, k, v = (t.unflatten(2, (self.count, -1)).transpose(1, 2) for t in self.three(x).chunk(3, dim=2))
        return self.last(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(start_dim=2))
'''),
        # each head's query, key and value beside each other
        exercise.code('''
class MultiHeadAttention(nn.Module):
    def __init__(self, n_embd, n_head):
        super().__init__()
        self.n_head = n_head
        self.mix = nn.Linear(n_embd, n_embd)
        self.project = nn.Linear(n_embd, 3 * n_embd)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.project(x).reshape(b, t, self.n_head, 3, c // self.n_head).permute(3, 0, 2, 1, 4).unbind(0)
        weights = (q @ k.mT / (c / self.n_head) ** 0.5).softmax(-1)
        return self.mix((weights @ v).transpose(1, 2).reshape(b, t, c))
'''),
        exercise.code('''
class OneHead(nn.Module):
    def __init__(self, width, size):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(width, size) for _ in range(3))

    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        return torch.softmax(q @ k.transpose(1, 2) * k.shape[-1] ** -0.5, dim=-1) @ v


class MultiHeadAttention(nn.Module):
    def __init__(self, n_embd, n_head):
        super().__init__()
        self.heads = nn.ModuleList(OneHead(n_embd, n_embd // n_head) for _ in range(n_head))
        self.out = nn.Linear(n_embd, n_embd)

    def forward(self, x):
        return self.out(torch.cat([head(x) for head in self.heads], dim=-1))
'''),
        # parameters held by hand, one axis for the heads
        exercise.code('''
class MultiHeadAttention(nn.Module):
    def __init__(self, n_embd, n_head):
        super().__init__()
        size = n_embd // n_head
        self.w = nn.Parameter(torch.randn(3, n_embd, n_head, size) / n_embd**0.5)
        self.b = nn.Parameter(torch.zeros(3, n_head, size))
        self.w_out = nn.Parameter(torch.randn(n_head, size, n_embd) / n_embd**0.5)
        self.b_out = nn.Parameter(torch.zeros(n_embd))

    def forward(self, x):
        q, k, v = torch.einsum("btc,pchd->pbthd", x, self.w) + self.b[:, None, None]
        scores = torch.einsum("bihd,bjhd->bhij", q, k) / math.sqrt(q.shape[-1])
        found = torch.einsum("bhij,bjhd->bihd", scores.softmax(-1), v)
        return torch.einsum("bihd,hdc->bic", found, self.w_out) + self.b_out
'''),
        exercise.code('''
class MultiHeadAttention(nn.Module):
    def __init__(self, n_embd, n_head):
        super().__init__()
        self.n_head = n_head
        self.q, self.k, self.v, self.o = (nn.Conv1d(n_embd, n_embd, 1) for _ in range(4))

    def forward(self, x):
        y = x.transpose(1, 2)
        found = []
        for q, k, v in zip(*(p(y).chunk(self.n_head, dim=1) for p in (self.q, self.k, self.v))):
            found.append(v @ torch.softmax(k.mT @ q / math.sqrt(q.shape[1]), dim=1))
        return self.o(torch.cat(found, dim=1)).transpose(1, 2)
'''),
        exercise.code('''
class MultiHeadAttention(nn.Module):
    def __init__(self, n_embd, n_head):
        super().__init__()
        self.inner = nn.MultiheadAttention(n_embd, n_head, batch_first=True, dropout=0.1)

    def forward(self, x):
        return self.inner(x, x, x, need_weights=False)[0]
'''),
    ],
    says={
        "parameters": "The number of parameters is off. Query, key, value and output: four times n_embd * n_embd weights and "
        "n_embd biases, whatever n_head is.",
        "unchanged": "Your module changes its input x. Work on a new tensor.",
        "repeatable": "The same input gave two different outputs in eval(). Is something random left on?",
        "tokens": "Tokens depend on each other in another way than they should: here every output reads every token of its "
        "sentence. (Or all starting values are zero: then nothing moves.)",
        "batch": "One sentence of the batch changes another. Each attends to its own tokens only.",
        "gradients": "Some parameter gets no gradient, so training could not move it. Is every projection used?",
        "heads": "The heads do not weigh the tokens each in its own way. Does each have its own part of query and key, and its "
        "own softmax?",
        "used": "Some numbers of your parameters have no effect. Head h reads the numbers from h * hd to (h + 1) * hd.",
    },
    passed="Right: for one head, for several, and for as many as there are numbers.",
    hints=[
        "Three projections of x, each cut into heads as in the first exercise. Then attention as in lesson 2, one axis more.",
        "On the way back `transpose(1, 2)`, then `reshape(B, T, C)`, then the output projection. hd is C // H.",
    ],
    explain="Make four Linear layers from n_embd to n_embd. In `forward` cut query, key and value with `.view(B, T, H, "
    "hd).transpose(1, 2)`, so that the last two axes are T and hd. `softmax(q @ k.transpose(-2, -1) / sqrt(hd)) @ v` is "
    "(B, H, T, hd). `.transpose(1, 2).reshape(B, T, C)` puts the heads side by side, and the output projection mixes them.",
    minutes=15,
    difficulty=4,
)

# %% nbgrader={"grade": true, "grade_id": "mh-module", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("mh-module", MultiHeadAttention)

# %% [markdown]
# The library's module can show its weights. Here is one row of each head: where "sat" looks.

# %%
torch.manual_seed(0)
library = nn.MultiheadAttention(n_embd, n_head, batch_first=True)
with torch.no_grad():
    found, looks = library(x, x, x, average_attn_weights=False)
print("output", tuple(found.shape), "weights", tuple(looks.shape))
print("        ", "  ".join(f"{word:>4}" for word in sentence))
for head in range(n_head):
    print(f"head {head}:  ", "  ".join(f"{weight:.2f}" for weight in looks[0, head, 2].tolist()))

# %% [markdown]
# Four heads, four averages, though nothing is trained yet.

# %% [markdown]
# ## The norm
#
# Stack many layers, and the numbers of a token grow or shrink on the way. LayerNorm brings each token back to one
# scale, by itself:
#
# $$\text{LN}(x) = \gamma * \frac{x - \text{mean}(x)}{\sqrt{\text{variance}(x) + \epsilon}} + \beta$$
#
# Mean and variance are taken over the numbers of *one* token. The variance is the plain mean of the squared
# distances: it divides by their number, not by one less. $\gamma$ and $\beta$ are learned, and $\epsilon$ is small.

# %% [markdown]
# ### Exercise: Two numbers
#
# A token has the two numbers `[1, 5]`. Take gamma 1, beta 0, and leave out epsilon. What is LN of it?
#
# Type a list of two numbers, such as `[0.5, 2]`. Three decimals are compared.

# %% nbgrader={"grade": false, "grade_id": "ln-pair-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
ln_pair = ...  # a list of two numbers
### BEGIN SOLUTION
ln_pair = [-1, 1]
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.numbers(
    "ln-pair",
    answer=[-1, 1],
    places=3,
    wrong=[
        ([-0.707, 0.707], "You divided the squares by one less than their number, as torch's `std()` does. LayerNorm divides by their number."),
        ([-2, 2], "You subtracted the mean and did not divide. Divide by the root of the variance."),
        ([-0.5, 0.5], "You divided by the variance, 4. Divide by its root."),
        ([-0.25, 0.25], "You divided by 8, the sum of the squares. The variance is their mean, and it is its root that divides."),
        ([1, -1], "The sizes are right, the signs are not: subtract the mean from the number, not the number from the mean."),
        ([0, 1], "You mapped the smallest to 0 and the largest to 1. LayerNorm takes mean and variance."),
        ([0.277, 1.387], "You did not subtract the mean. Dividing by the root of the mean square alone is called RMSNorm."),
        ([0.196, 0.981], "You divided by the vector's length. Subtract the mean, then divide by the root of the variance."),
        ([0.5, 2.5], "You divided by the root of the variance and did not subtract the mean."),
        ([0.018, 0.982], "That is softmax. It makes weights; a norm subtracts the mean and divides by the spread."),
    ],
    passed="Right. The mean is 3, both numbers are 2 away from it, and 2 is the root of the variance.",
    hints=[
        "First the mean of the two numbers. How far is each of them from it?",
        "Square the two distances, and take the mean of the squares. Divide each distance by the root of that.",
    ],
    explain="The mean is 3 and the distances are -2 and 2. Their squares, 4 and 4, have the mean 4, and its root is 2. "
    "-2 / 2 = -1 and 2 / 2 = 1.",
    minutes=3,
    difficulty=1,
)

# %% nbgrader={"grade": true, "grade_id": "ln-pair", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("ln-pair", ln_pair)

# %% [markdown]
# ### Exercise: What a norm learns
#
# How many parameters does `nn.LayerNorm(128)` have? Type a whole number.

# %% nbgrader={"grade": false, "grade_id": "ln-parameters-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
ln_parameters = ...  # a whole number
### BEGIN SOLUTION
ln_parameters = 256
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.number(
    "ln-parameters",
    answer=256,
    wrong={
        128: "You counted gamma only, the scale. Beta has as many numbers.",
        2: "Gamma and beta are no single numbers: each of the 128 places in a token has its own two.",
        0: "Mean and variance are computed and not learned, that is right. Gamma and beta are learned.",
        129: "You gave beta a single number. It has one for each place, as gamma has.",
        16_512: "That is a Linear layer. A norm scales each number by itself, so it has no matrix.",
        16_384: "That is a matrix of 128 by 128, or a pair for each of 64 places in the text. All tokens share one gamma and one beta.",
        exercise.either(512, 258): "Mean and variance are computed anew for each token. They are no parameters.",
        257: "Epsilon is fixed. It is no parameter.",
    },
    passed="Right: 128 numbers in gamma and 128 in beta.",
    hints=[
        "What in the formula is learned, and what is computed from the token?",
        "Gamma and beta meet each number of a token on its own. How many numbers has a token?",
    ],
    explain="Gamma and beta hold one number each for every place of the vector: 128 + 128 = 256. Mean and variance are "
    "computed, epsilon is fixed.",
    shown="256 stands in lesson 4 as half of 512, which says nothing of a norm.",
    minutes=1,
    difficulty=1,
)

# %% nbgrader={"grade": true, "grade_id": "ln-parameters", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("ln-parameters", ln_parameters)

# %% [markdown]
# ### Exercise: Write `layer_norm`
#
# Write `layer_norm(x, gamma, beta, eps=1e-5)`.
#
# - `x` is (B, T, C), always three axes. `gamma` and `beta` are (C,). The result is (B, T, C).
# - Mean and variance over the last axis, and `eps` inside the root, as in the formula above.
# - One call has **a tiny spread**: there eps counts as much as the variance. One has **equal numbers** in each token.
# - One call lies **far from zero**: each number is near 4096, with a spread of about 1. Float32 keeps seven digits, so
#   the mean of the squares minus the square of the mean has no digit left there. Subtract the mean first.
# - `x`, `gamma` and `beta` must come out of the call as they went in.
# - Torch's own norms, such as `F.layer_norm`, are not allowed: this is one of them. Means, variances and roots are.
#
# Two points are for the right numbers. The third is for the gradient, which must reach `x`, `gamma` and `beta`.

# %% nbgrader={"grade": false, "grade_id": "ln-code-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def layer_norm(x: Tensor, gamma: Tensor, beta: Tensor, eps: float = 1e-5) -> Tensor:
    """Normalise each token by itself: x (B, T, C), gamma and beta (C,) -> (B, T, C)."""
    # your code here
    ### BEGIN SOLUTION
    centred = x - x.mean(dim=-1, keepdim=True)
    variance = centred.pow(2).mean(dim=-1, keepdim=True)
    return gamma * centred / torch.sqrt(variance + eps) + beta
    ### END SOLUTION


# %% tags=["exercise"]
from autograde import exercise


def norm_calls(draw):
    """Draw the calls of ln-code; gamma and beta are never trivial."""
    batch, tokens = draw.sizes(2)
    width = draw.integer(9, 12)
    gamma, beta = draw.uniform(0.5, 2.0, width), draw.normal(width)
    x = draw.normal(batch, tokens, width, scale=2.0) + draw.normal(batch, tokens, 1, scale=3.0)
    equal = draw.integers(-4, 4, batch, tokens, 1).float().repeat(1, 1, width)

    # Eighths near 4096, eight of them in a token: float32 holds every sum of them exactly, and no sum of their squares.
    far = 4096 + draw.integers(-12, 12, batch, tokens, 8) / 8
    far[..., 0], far[..., 1] = 4095.0, 4097.0  # never a token without spread
    cube = draw.normal(4, 4, 4, scale=2.0) + draw.normal(4, 4, 1)
    return [
        exercise.call(
            "the default eps",
            x,
            gamma,
            beta,
            says="The result is off. Check four things: the last axis, the mean of the squared distances, the root, and "
            "gamma and beta.",
        ),
        exercise.call(
            "another eps",
            x,
            gamma,
            beta,
            0.5,
            says="With eps 0.5 the result is off. Eps is added to the variance, inside the root.",
        ),
        exercise.call(
            "a tiny spread",
            0.002 * draw.normal(batch, tokens, width),
            gamma,
            beta,
            says="With a tiny spread the result is off. There eps counts as much as the variance: is its default 1e-5, and "
            "does it stand inside the root?",
        ),
        exercise.call(
            "equal numbers",
            equal,
            gamma,
            beta,
            says="Where all numbers of a token are equal the result must be beta. The variance is 0 there: eps saves the "
            "division.",
            tolerance=1e-3,
        ),
        exercise.call(
            "far from zero",
            far,
            draw.uniform(0.5, 2.0, 8),
            draw.normal(8),
            says="Only far from zero the result is off. Subtract the mean before you square: the difference of two large "
            "squares has no digits left.",
            tolerance=1e-2,
        ),
        exercise.call(
            "every size 4",
            cube,
            draw.uniform(0.5, 2.0, 4),
            draw.normal(4),
            says="Only where all sizes are equal the result is off. Does your function guess an axis from its size?",
        ),
    ]


norm_no_gradient = (
    "The numbers are right, but no gradient comes back to x, gamma and beta: it was lost in numpy, in detach() or under "
    "no_grad. Stay with torch's own functions, and a network can learn through yours."
)
norm_of_torch = (
    "That is one of torch's own norms, the very thing you are building, so it does not count here. Write it with a mean and "
    "a root. From the next cell on, use the library's."
)
VARIANCE = "centred.pow(2).mean(dim=-1, keepdim=True)"
ROOT = "torch.sqrt(variance + eps)"

exercise.function(
    "ln-code",
    calls=norm_calls,
    gradient=True,
    parts={"gradient": 1},
    forbid=dict.fromkeys(("layer_norm", "native_layer_norm", "group_norm", "instance_norm", "batch_norm"), norm_of_torch),
    wrong=[
        # the variance
        exercise.edit(
            VARIANCE, "x.var(dim=-1, keepdim=True)",
            says="`var()` and `std()` divide by one less than the number of elements. LayerNorm divides by their number: "
            "`correction=0`.",
        ),
        exercise.edit(
            VARIANCE, "x.std(dim=-1, keepdim=True)", ROOT, "(variance + eps)",
            says="Two slips: `std()` divides by one less than the number of elements, unless you say `correction=0`; and eps "
            "is added outside the root.",
        ),
        exercise.edit(
            VARIANCE, "x.std(dim=-1, keepdim=True)", ROOT, "variance",
            says="Two slips: `std()` divides by one less than the number of elements, unless you say `correction=0`; and eps "
            "is missing.",
        ),
        exercise.edit(
            ROOT, "(torch.sqrt(variance) + eps)",
            says="Eps is added outside the root. It is added to the variance, and the root is taken of both.",
        ),
        exercise.edit(
            ROOT, "(variance + eps)",
            says="You divide by the variance. Divide by its root.",
        ),
        exercise.edit(
            ROOT, "torch.sqrt(variance)",
            says="Eps is missing. Where all numbers of a token are equal you divide 0 by 0.",
        ),
        exercise.edit(
            ROOT, "torch.sqrt(variance + eps * eps)",
            says="Eps is added as a square. It is added to the variance as it is.",
        ),
        exercise.edit(
            ROOT, "torch.sqrt(variance + 1e-5)",
            says="Eps is fixed at 1e-5, whatever the argument says. Use the argument.",
        ),
        exercise.edit(
            "eps: float = 1e-5", "eps: float = 1e-6",
            says="The default of eps is 1e-6. It should be 1e-5.",
        ),
        exercise.edit(
            "eps: float = 1e-5", "eps: float = 1e-12",
            says="The default of eps is far smaller than 1e-5, as some models have it. Here it is 1e-5.",
        ),
        exercise.edit(
            VARIANCE, "x.pow(2).mean(dim=-1, keepdim=True)",
            says="You squared the numbers themselves. The variance is made of their distances from the mean.",
        ),
        exercise.edit(
            VARIANCE, "centred.abs().mean(dim=-1, keepdim=True)", ROOT, "(variance + eps)",
            says="You took the mean distance from the mean. LayerNorm takes the mean of the squared distances, and the root "
            "of that.",
        ),
        exercise.edit(
            VARIANCE, "centred.pow(2)",
            says="You did not take the mean of the squared distances, so each number is divided by its own distance. A token has "
            "one variance.",
        ),
        exercise.edit(
            VARIANCE, "centred.pow(2).sum(dim=-1, keepdim=True)",
            says="You added up the squared distances and did not divide by their number. The variance is their mean.",
        ),
        exercise.edit(
            VARIANCE, "x.pow(2).mean(dim=-1, keepdim=True) - x.mean(dim=-1, keepdim=True).pow(2)",
            says="Your variance is the mean of the squares minus the square of the mean. That is right on paper; far from zero "
            "float32 has no digits left for it. Subtract the mean before you square.",
        ),
        # the axes
        exercise.edit(
            "dim=-1", "dim=1",
            says="Mean and variance run over axis 1, the tokens. They run over the numbers of one token: the last axis.",
        ),
        exercise.edit(
            "dim=-1", "dim=0",
            says="Mean and variance run over the batch. They run over the numbers of one token: the last axis.",
        ),
        exercise.edit(
            "dim=-1", "dim=(0, 1)",
            says="Mean and variance run over the batch and the tokens, for each feature: that is BatchNorm. LayerNorm works "
            "on one token at a time, over the last axis.",
        ),
        exercise.edit(
            "dim=-1", "dim=(1, 2)",
            says="Mean and variance run over all but the batch, so the tokens of a sentence share them. Each token has its "
            "own: the last axis alone.",
        ),
        exercise.edit(
            "dim=-1", "dim=(0, 1, 2)",
            says="Mean and variance run over everything. Each token has its own: the last axis alone.",
        ),
        exercise.either(
            exercise.edit(", keepdim=True", ""),
            exercise.edit(", keepdim=True", "", VARIANCE.replace(", keepdim=True", ""), "x.var(dim=-1, correction=0)"),
            exercise.edit(VARIANCE, "x.var(dim=-1, correction=0)"),
            exercise.edit("x.mean(dim=-1, keepdim=True)", "x.mean(dim=-1)"),
            exercise.edit("x.mean(dim=-1, keepdim=True)", "x.mean(dim=-1)", VARIANCE, "x.var(dim=-1, correction=0, keepdim=True)"),
            says="Mean or variance has lost an axis, so it does not meet its own token, or does not fit at all. Keep it: "
            "`keepdim=True`.",
        ),
        # the mean
        exercise.edit(
            "gamma * centred", "gamma * x",
            says="You divide x as it is. Subtract the mean first.",
        ),
        exercise.edit(
            "x - x.mean(dim=-1, keepdim=True)", "x",
            says="The mean is not subtracted. Without it the norm is called RMSNorm, and is another one.",
        ),
        exercise.edit(
            "x - x.mean(dim=-1, keepdim=True)", "x.mean(dim=-1, keepdim=True) - x",
            says="The sign is turned: subtract the mean from x, not x from the mean.",
        ),
        # gamma and beta
        exercise.edit(
            "gamma * centred", "centred", " + beta", "",
            says="Gamma and beta have no effect. Multiply by gamma and add beta: they are trained, and do not stay 1 and 0.",
        ),
        exercise.edit(
            "gamma * centred", "centred",
            says="Gamma has no effect. The normalised numbers are multiplied by it.",
        ),
        exercise.edit(
            " + beta", "",
            says="Beta has no effect. It is added at the end.",
        ),
        exercise.edit(
            "gamma * centred / torch.sqrt(variance + eps) + beta", "gamma * (centred / torch.sqrt(variance + eps) + beta)",
            says="You add beta before you multiply by gamma. First gamma, then beta.",
        ),
        exercise.edit(
            "gamma * centred", "gamma @ centred",
            says="`@` is the product of matrices. Each number meets its own gamma: use `*`.",
        ),
        exercise.edit(
            "torch.sqrt", "math.sqrt",
            says="`math.sqrt` takes one number and got a whole tensor. `torch.sqrt` works on each number of a tensor.",
        ),
        exercise.edit(
            "gamma * centred / torch.sqrt(variance + eps) + beta", "beta * centred / torch.sqrt(variance + eps) + gamma",
            says="Gamma and beta changed places. Gamma multiplies, beta is added.",
        ),
        # what is changed, what is returned
        exercise.edit(
            "centred = x - x.mean(dim=-1, keepdim=True)", "x -= x.mean(dim=-1, keepdim=True)\n    centred = x",
            says="The result is right, but your function changes the caller's tensor: `x -= ...` and names that end in `_` "
            "work in place. Write `x = x - ...`, which makes a new tensor.",
        ),
        exercise.edit(
            "return gamma", "gamma",
            says="Your function returns nothing (None). Did you forget `return`?",
        ),
        # right numbers, no gradient
        exercise.code(
            '''
def layer_norm(x, gamma, beta, eps=1e-5):
    import numpy as np

    numbers = x.detach().numpy().astype(np.float64)
    numbers = (numbers - numbers.mean(-1, keepdims=True)) / np.sqrt(numbers.var(-1, keepdims=True) + eps)
    return torch.tensor(numbers, dtype=x.dtype) * gamma.detach() + beta.detach()
''',
            says=norm_no_gradient,
        ),
    ],
    right=[
        exercise.edit(VARIANCE, "x.var(dim=-1, keepdim=True, unbiased=False)"),
        exercise.edit(VARIANCE, "x.std(dim=-1, keepdim=True, correction=0) ** 2"),
        exercise.edit("gamma * centred / torch.sqrt(variance + eps)", "centred * (variance + eps).rsqrt() * gamma"),
        exercise.code(
            '''
def layer_norm(x, gamma, beta, eps=1e-5):
    variance, mean = torch.var_mean(x, dim=2, correction=0, keepdim=True)
    return torch.addcmul(beta, gamma, (x - mean) / (variance + eps) ** 0.5)
'''
        ),
        exercise.code(
            '''
def layer_norm(x, g, b, eps=1e-5):
    features_first = x.permute(2, 0, 1)
    features_first = features_first - features_first.mean(0)
    spread = torch.sqrt((features_first**2).sum(0) / x.shape[2] + eps)
    return (features_first / spread).permute(1, 2, 0) * g + b
'''
        ),
        exercise.code(
            '''
def layer_norm(x, gamma, beta, eps=1e-5):
    sentences = []
    for sentence in x:
        tokens = []
        for token in sentence:
            token = token - token.mean()
            tokens.append(token / (token @ token / len(token) + eps).sqrt())
        sentences.append(torch.stack(tokens))
    return torch.stack(sentences) * gamma + beta
'''
        ),
        exercise.code(
            '''
def layer_norm(x, gamma, beta, eps=1e-5):
    size = x.shape[-1]
    centre = torch.eye(size) - 1 / size
    y = torch.einsum("btc,cd->btd", x.double(), centre.double())
    length = torch.linalg.vector_norm(y, dim=-1, keepdim=True)
    return (y * gamma / (length**2 / size + eps).sqrt() + beta).float()
'''
        ),
    ],
    says={
        "unchanged": "The result is right, but x, gamma or beta was changed on the way. Work on new tensors.",
        "repeatable": "Two equal calls gave different results. Is something random in it, or kept between calls?",
        "gradient": norm_no_gradient,
    },
    passed="Right: each token by itself, with eps in its place, and gradients flow through it.",
    hints=[
        "Subtract the mean of the last axis, with `keepdim=True`. The variance is the mean of what is left, squared.",
        "Divide by the root of variance plus eps. Then times gamma, plus beta: both fit the last axis by themselves.",
    ],
    explain="`centred = x - x.mean(dim=-1, keepdim=True)` has mean 0 in each token. `centred.pow(2).mean(dim=-1, "
    "keepdim=True)` is the variance, divided by the number of elements. Divide by `torch.sqrt(variance + eps)`, multiply by "
    "gamma, add beta.",
    minutes=8,
    difficulty=3,
)

# %% nbgrader={"grade": true, "grade_id": "ln-code", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("ln-code", layer_norm)

# %%
norm = nn.LayerNorm(n_embd)
print("nn.LayerNorm:", sum(parameter.numel() for parameter in norm.parameters()), "parameters")
print("LN([1, 5]) =", F.layer_norm(torch.tensor([1.0, 5.0]), (2,)).numpy().round(4))
stretched = x * torch.arange(1, 7)[:, None]  # every token at another scale
for name, tokens in (("before", stretched), ("after", norm(stretched).detach())):
    print(f"{name:6} spread of each token:", tokens.std(-1, correction=0)[0].numpy().round(2))

# %% [markdown]
# Six tokens at six scales become six tokens at one.

# %% [markdown]
# ## The sum
#
# Around attention, and around the MLP, stand two things: a norm before the part, and a sum after it. The sum is called
# the **residual**. Call the tokens Z before the norm.

# %% [markdown]
# ### Exercise: Added to what?
#
# The MLP gets LN(Z). To what is its result added?
#
# - **a** to Z
# - **b** to LN(Z), which went into the MLP
# - **c** to the tokens at the bottom of the whole stack
# - **d** to nothing: it takes the place of Z
#
# Think of a part that has nothing to say and gives 0 everywhere. What should a block do then? Type a letter.

# %% nbgrader={"grade": false, "grade_id": "ln-which-residual-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
ln_which_residual = ...  # a letter in quotes
### BEGIN SOLUTION
ln_which_residual = "a"
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.choice(
    "ln-which-residual",
    answer="a",
    options={
        "a": "Right. A part that gives 0 then changes nothing, and Z runs through the whole stack untouched by any norm.",
        "b": "Then every block would put all tokens back to one scale, even if the MLP gives 0. What earlier blocks added "
        "would shrink each time.",
        "c": "Then what the blocks below have added would be lost. Each block adds to what it was given.",
        "d": "Then a token would keep nothing of itself but what the part lets through. The run further down shows where "
        "that leads.",
    },
    hints=[
        "Put 0 in place of the MLP's result, and read each option again.",
        "Which option hands Z on unchanged, when there is nothing to add?",
    ],
    explain="The norm prepares what the part reads, and the sum keeps what was there. Z + MLP(LN(Z)) is Z when the MLP gives "
    "0. With LN(Z) in its place, the scale of Z would be lost at every block.",
    minutes=2,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "ln-which-residual", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("ln-which-residual", ln_which_residual)

# %% [markdown]
# Course notes write the second half of a block in two formulas. $\hat Z$ are the tokens after attention and its own sum:
#
# $$Y = \text{LayerNorm}(\hat Z) \qquad \tilde X = \text{MLP}(Y) + \hat Z$$
#
# The norm stands *before* the part, so this is called pre-norm. The first Transformer had it after the sum: post-norm.

# %% [markdown]
# ### Exercise: Write the block
#
# Write `block(x, attn, ffn, ln1, ln2)`. The last four are functions or modules: each takes a tensor (B, T, C) and gives
# one back.
#
# - Pre-norm. First attention, with `ln1`; then the feed-forward, with `ln2`; each with its residual.
# - `x` must come out of the call as it went in. Return the new tensor alone.
# - One call has **silent parts**: `attn` and `ffn` give zeros there.
# - A gradient must reach `x`.

# %% nbgrader={"grade": false, "grade_id": "ln-block-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def block(x: Tensor, attn, ffn, ln1, ln2) -> Tensor:
    """A pre-norm block: x (B, T, C) -> (B, T, C); attn, ffn, ln1 and ln2 map (B, T, C) to (B, T, C)."""
    # your code here
    ### BEGIN SOLUTION
    x = x + attn(ln1(x))
    return x + ffn(ln2(x))
    ### END SOLUTION


# %% tags=["exercise"]
from autograde import exercise


def block_calls(draw):
    """Draw the calls of ln-block: parts and norms that no exchange leaves unseen, modules, and parts that say nothing."""
    batch, tokens = draw.sizes(2)
    width = draw.integer(8, 11)
    first, second = draw.integer(5, 8) / 4, draw.integer(9, 12) / 4  # the norms' scales, always different
    norms = [
        exercise.source(f"lambda x: {first} * F.layer_norm(x, x.shape[-1:]) + 0.25"),
        exercise.source(f"lambda x: {second} * F.layer_norm(x, x.shape[-1:]) - 0.5"),
    ]
    parts = [
        exercise.source("lambda x: 0.5 * x.cumsum(1) + 0.1"),
        exercise.source("lambda x: F.relu(x) - 0.3 * x.roll(1, -1)"),
    ]
    silent = [exercise.source("lambda x: 0 * x")] * 2
    modules = [exercise.source(code) for code in ("nn.Softplus()", "nn.Hardtanh()", "nn.Tanh()", f"nn.LayerNorm({width})")]

    def tensor():
        return draw.normal(batch, tokens, width, scale=2.0)

    return [
        exercise.call(
            "four functions",
            tensor(),
            *parts,
            *norms,
            says="The output is off. Follow the order: norm, part, sum, and then the same with the second pair.",
        ),
        exercise.call(
            "silent parts",
            tensor(),
            *silent,
            *norms,
            says="Both parts give zeros, so the block must hand x through as it is.",
        ),
        exercise.call(
            "four modules",
            tensor(),
            *modules,
            says="With modules for the four the output is off. Call each with one tensor, and with nothing else.",
        ),
    ]


block_no_gradient = (
    "The numbers are right, but no gradient comes back to x: `detach` or `no_grad` cuts it off, or `x += ...` changed numbers "
    "that the gradient still needs. Nothing below this block could learn."
)
FIRST_HALF, SECOND_HALF = "x = x + attn(ln1(x))", "return x + ffn(ln2(x))"

exercise.function(
    "ln-block",
    calls=block_calls,
    gradient=True,
    wrong=[
        # where the norm stands
        exercise.edit(
            FIRST_HALF, "x = ln1(x + attn(x))", SECOND_HALF, "return ln2(x + ffn(x))",
            says="This is post-norm: the norm comes after the sum. It is what the first Transformer had; here the norm comes "
            "before the part, and the sum stays as it is.",
        ),
        exercise.edit(
            FIRST_HALF, "x = x + ln1(attn(x))", SECOND_HALF, "return x + ln2(ffn(x))",
            says="You normalise what the parts give. Normalise what they get: the norm comes before the part.",
        ),
        exercise.edit(
            FIRST_HALF, "x = x + attn(x)", SECOND_HALF, "return x + ffn(x)",
            says="There is no norm. Each part gets a normalised x.",
        ),
        exercise.edit(
            FIRST_HALF, "x = x + attn(x)",
            says="The first norm is missing: attention gets x as it is.",
        ),
        exercise.edit(
            SECOND_HALF, "return x + ffn(x)",
            says="The second norm is missing: the feed-forward gets x as it is.",
        ),
        exercise.edit(
            "ln2(x)", "ln1(x)",
            says="`ln1` is used twice and `ln2` never. Fresh norms are alike, so it would not show before training.",
        ),
        exercise.edit(
            "ln1(x)", "ln2(x)",
            says="`ln2` is used twice and `ln1` never. Fresh norms are alike, so it would not show before training.",
        ),
        exercise.edit(
            FIRST_HALF, "x = x + attn(ln2(x))", SECOND_HALF, "return x + ffn(ln1(x))",
            says="The two norms changed places. `ln1` belongs to attention, `ln2` to the feed-forward.",
        ),
        exercise.edit(
            SECOND_HALF, "return ln2(x + ffn(ln2(x)))",
            says="There is a norm more at the end. A block has two; the stack, not the block, has one at its end.",
        ),
        # what the residual adds
        exercise.edit(
            FIRST_HALF, "x = ln1(x)\n    x = x + attn(x)", SECOND_HALF, "x = ln2(x)\n    return x + ffn(x)",
            says="The residual adds the normalised x: `x = ln1(x)` overwrites what has to be kept. Hand ln1(x) to the part, and "
            "add its result to x itself.",
        ),
        exercise.edit(
            FIRST_HALF, "x = ln1(x)\n    x = x + attn(x)",
            says="The first residual adds the normalised x. Hand ln1(x) to attention, and add its result to x itself.",
        ),
        exercise.edit(
            SECOND_HALF, "x = ln2(x)\n    return x + ffn(x)",
            says="The second residual adds the normalised x. Hand ln2(x) to the feed-forward, and add its result to x itself.",
        ),
        exercise.edit(
            FIRST_HALF, "x = attn(ln1(x) + x)", SECOND_HALF, "return ffn(ln2(x) + x)",
            says="The sum stands inside the brackets, in what the parts get. It belongs outside: x plus what the part gives.",
        ),
        exercise.edit(
            FIRST_HALF, "h = x + attn(ln1(x))", SECOND_HALF, "return x + ffn(ln2(h))",
            says="The second residual adds the x from before attention, so what attention gave is lost from the sum. Add to "
            "what stands after the first half.",
        ),
        exercise.edit(
            FIRST_HALF, "h = x + attn(ln1(x))", SECOND_HALF, "return h + x + ffn(ln2(h))",
            says="x is added twice. The second sum adds to what stands after the first half, and x is in there already.",
        ),
        exercise.edit(
            FIRST_HALF, "x = attn(ln1(x))",
            says="The first residual is missing: what attention gives takes the place of x.",
        ),
        exercise.edit(
            SECOND_HALF, "return ffn(ln2(x))",
            says="The second residual is missing: what the feed-forward gives takes the place of x.",
        ),
        exercise.edit(
            FIRST_HALF, "x = attn(ln1(x))", SECOND_HALF, "return ffn(ln2(x))",
            says="Both residuals are missing. Add what a part gives to what was there.",
        ),
        exercise.edit(
            FIRST_HALF, "y = attn(ln1(x))", SECOND_HALF, "return x + ffn(ln2(y))",
            says="There is one residual around both parts. Each part has its own.",
        ),
        # the order
        exercise.edit(
            FIRST_HALF, "x = x + ffn(ln2(x))", SECOND_HALF, "return x + attn(ln1(x))",
            says="The feed-forward comes first. Attention collects, then the feed-forward works on what was collected.",
        ),
        exercise.edit(
            FIRST_HALF, "x = x + ffn(ln1(x))", SECOND_HALF, "return x + attn(ln2(x))",
            says="`attn` and `ffn` changed places. Attention comes first, with ln1.",
        ),
        exercise.edit(
            FIRST_HALF, "y = attn(ln1(x))", SECOND_HALF, "return x + y + ffn(ln2(x))",
            says="Both parts read the same x, side by side. Some models do that; here the feed-forward reads what stands after "
            "attention.",
        ),
        exercise.edit(
            FIRST_HALF, "y = ln1(x)\n    x = x + attn(y)", SECOND_HALF, "return x + ffn(y)",
            says="Both parts read the same ln1(x). The feed-forward reads what stands after attention, normalised anew by ln2.",
        ),
        exercise.edit(
            "attn(ln1(x))", "F.dropout(attn(ln1(x)), 0.1)",
            says="There is dropout, and two equal calls differ. Models often have it here; this exercise does not.",
        ),
        exercise.edit(
            SECOND_HALF, "return x",
            says="The block ends after attention. The feed-forward is missing.",
        ),
        exercise.edit(
            FIRST_HALF, "pass",
            says="Attention is missing: the block begins with the feed-forward.",
        ),
        # how they are called
        exercise.edit(
            "attn(ln1(x))", "attn(ln1(x), ln1(x), ln1(x))",
            says="`attn` takes one tensor here: it makes query, key and value itself.",
        ),
        exercise.edit(
            FIRST_HALF, "x = x + ln1(attn)(x)", SECOND_HALF, "return x + ln2(ffn)(x)",
            says="A norm was handed a function, where it takes a tensor: write `attn(ln1(x))`, from the inside out.",
        ),
        # what is changed, what is returned
        exercise.edit(
            FIRST_HALF, "x += attn(ln1(x))",
            says="The result is right, but `x += ...` works in place: the caller's x is overwritten. Write `x = x + ...`, which "
            "makes a new tensor.",
        ),
        exercise.edit(
            "return x + ffn", "x = x + ffn",
            says="Your function returns nothing (None). Did you forget `return`?",
        ),
        exercise.edit(
            "    x = x + attn", "    x = x.detach()\n    x = x + attn",
            says=block_no_gradient,
        ),
    ],
    right=[
        exercise.code(
            '''
def block(x, attn, ffn, ln1, ln2):
    return (z := attn(ln1(x)) + x) + ffn(ln2(z))
'''
        ),
        exercise.code(
            '''
def block(z, attention, mlp, norm_1, norm_2):
    for part, norm in [(attention, norm_1), (mlp, norm_2)]:
        z = torch.add(z, part(norm(z)))
    return z
'''
        ),
        exercise.code(
            '''
def block(x, attn, ffn, ln1, ln2):
    kept = x.clone()
    kept += attn(ln1(x))
    return kept.add(ffn(ln2(kept)))
'''
        ),
        exercise.code(
            '''
def block(x, *parts):
    def residual(part, norm):
        return lambda y: torch.stack([y, part(norm(y))]).sum(dim=0)

    attn, ffn, ln1, ln2 = parts
    return residual(ffn, ln2)(residual(attn, ln1)(x))
'''
        ),
    ],
    says={
        "unchanged": "The result is right, but x was changed on the way. Work on a new tensor.",
        "repeatable": "Two equal calls gave different results. Is something random in it, or kept between calls?",
        "gradient": block_no_gradient,
    },
    passed="Right. Norm, part, sum, twice; and silent parts let x through as it is.",
    hints=[
        "Each half has three steps, from the inside out: the norm of x, the part of that, and the sum with x.",
        "The first half is one line that gives x a new value. The second is that line with the other part and norm.",
    ],
    explain="First `x = x + attn(ln1(x))`, then `return x + ffn(ln2(x))`. `x = x + ...` makes a new tensor; `x += ...` would "
    "overwrite the caller's.",
    minutes=6,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "ln-block", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("ln-block", block)

# %% [markdown]
# ## What if the sums are left out?
#
# How different are the six tokens? Take their mean away from each of them. What is left, as a part of their whole
# length, is one number: 0 where all tokens are equal, at most 1.


# %%
def apartness(tokens: Tensor) -> float:
    """What the tokens (1, T, C) do not share, as a part of their whole length: 0 where all are equal."""
    return float((tokens - tokens.mean(1, keepdim=True)).norm() / tokens.norm())


print(f"our six tokens: {apartness(x):.2f}")

# %% [markdown]
# ### Prediction: Four layers without sums
#
# The tokens run through four layers of attention and MLP, with norms and fresh weights, and every sum is left out.
# What is that number then? Choose before you run on. A wrong guess costs nothing.
#
# - **a** about what it was
# - **b** about half of it
# - **c** a tenth or a hundredth
# - **d** nothing but rounding
#
# Type a letter.

# %% nbgrader={"grade": false, "grade_id": "ln-collapse-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
ln_collapse = ...  # a letter in quotes
### BEGIN SOLUTION
ln_collapse = "d"
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.choice(
    "ln-collapse",
    answer="d",
    options={
        "a": "Not without the sums. Each layer replaces a token by averages over all tokens. Run the cell and see.",
        "b": "That is about what one layer leaves over. The next layer averages again. Run the cell and see.",
        "c": "That is about what two layers leave over. Averages of averages get alike fast. Run the cell and see.",
        "d": "Right. Averages of averages get alike, and with each layer faster. Run the cell and see.",
    },
    hints=[
        "Without the sum, a token after attention is an average over all tokens. What do averages do to differences?",
        "When the tokens are more alike, so are their scores, and the weights are nearly even. What does the next layer do?",
    ],
    explain="Each layer replaces every token by an average over all of them, so differences shrink. The more alike the tokens "
    "are, the more even the weights, so the next layer shrinks them even more. After four layers only rounding is left.",
    minutes=1,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "ln-collapse", "locked": true, "points": 0, "schema_version": 3, "solution": false, "task": false}
check("ln-collapse", ln_collapse)


# %%
def fresh_layer() -> tuple[nn.Module, nn.Module, nn.Module, nn.Module]:
    """Attention, an MLP, and a norm for each, with fresh weights."""
    attention = nn.MultiheadAttention(n_embd, n_head, batch_first=True)
    mlp = nn.Sequential(nn.Linear(n_embd, 4 * n_embd), nn.ReLU(), nn.Linear(4 * n_embd, n_embd))
    return attention, mlp, nn.LayerNorm(n_embd), nn.LayerNorm(n_embd)


def by_depth(seed: int, sums: bool, with_mlp: bool) -> list[float]:
    """How far apart the tokens are before the first layer and after each."""
    torch.manual_seed(seed)
    tokens, found = x, [apartness(x)]
    for attention, mlp, norm_1, norm_2 in [fresh_layer() for _ in range(n_layer)]:
        read = norm_1(tokens)
        given = attention(read, read, read)[0]
        tokens = tokens + given if sums else given
        if with_mlp:
            given = mlp(norm_2(tokens))
            tokens = tokens + given if sums else given
        found.append(apartness(tokens))
    return found


seeds = range(5)
runs = {}
with torch.no_grad():
    for sums in (True, False):
        for parts in ("attention and MLP", "attention alone"):
            found = [by_depth(seed, sums, with_mlp="MLP" in parts) for seed in seeds]
            runs[sums, parts] = torch.tensor(found)

print(f"after {n_layer} layers, for {len(seeds)} draws of the weights:")
for (sums, parts), run in runs.items():
    kept, last = "with" if sums else "without", run[:, -1]
    print(f"  {parts:17} {kept:>7} sums: {last.min():.1e} to {last.max():.1e}")

# %%
figure, axes = plt.subplots(figsize=(7, 3.8))
styles = {
    "attention and MLP": {"color": COLOURS["feed_forward"]},
    "attention alone": {"color": COLOURS["token"], "linestyle": (0, (4, 1.5))},
}
for (_, parts), run in runs.items():
    axes.plot(run.T, linewidth=1.2, **styles[parts])
axes.set_yscale("log")
axes.set_xticks(range(n_layer + 1))
axes.text(2.5, 0.3, "with sums", color=COLOURS["neutral"], ha="center", va="top")
axes.text(1.9, 1e-5, "without sums", color=COLOURS["neutral"], ha="right")
axes.text(4, 3e-3, "attention alone, dashed", color=COLOURS["token"], ha="right")
axes.text(4, 4e-4, "attention and MLP", color=COLOURS["feed_forward"], ha="right")
axes.set_xlabel("layers")
axes.set_ylabel("how far apart the tokens are")
axes.set_title("Without the sums all tokens become one")
plt.show()

print("Figure: how far apart the tokens are after each layer, one line for each draw. The means:")
for (sums, parts), run in runs.items():
    kept, means = "with" if sums else "without", run.mean(0).tolist()
    print(f"  {parts:17} {kept:>7} sums:", ", ".join(f"{mean:.1e}" for mean in means))

# %% [markdown]
# Without the sums only rounding is left: six tokens have become one. With them they are nearly as far apart as before.
#
# Lesson 2 says why. Attention gives averages, and averages lie between what they average. Each layer pulls the tokens
# together, and the sum puts each token's own vector back.
#
# The MLP does not help here: with it and without it the tokens fall together. Dong, Cordonnier and Loukas, who found
# this collapse, write that an MLP can slow it down. With these fresh weights, it is the sum that saves.

# %% [markdown]
# ## Two things about norms
#
# Why LayerNorm, and not BatchNorm, which image networks use? And what does a norm hide?

# %% [markdown]
# ### Exercise (stretch): BatchNorm instead?
#
# `nn.BatchNorm1d`, in training mode, takes mean and variance of each *feature*, over all tokens of all sentences in the
# batch. A token is moved. Does the output of another token move?
#
# - **a** no: each token is normalised by itself
# - **b** yes, but only in its own sentence
# - **c** yes, in other sentences too
# - **d** not in training; only after `eval()`
#
# Type a letter.

# %% nbgrader={"grade": false, "grade_id": "ln-batchnorm-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
ln_batchnorm = ...  # a letter in quotes
### BEGIN SOLUTION
ln_batchnorm = "c"
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.choice(
    "ln-batchnorm",
    answer="c",
    options={
        "a": "That is LayerNorm. BatchNorm shares each mean among all tokens of the batch, so one token moves it for all.",
        "b": "The mean is taken over all sentences of the batch, not over one. It moves for all of them.",
        "c": "Right. One token moves a mean that all tokens of the batch share. So in training BatchNorm is not position "
        "independent.",
        "d": "It is the other way round: after eval() it uses stored means, and no token moves another.",
    },
    hints=[
        "Move one number of one token. Whose mean does it take part in?",
        "The mean of a feature runs over the batch and the tokens. Which outputs use that mean?",
    ],
    explain="In training the mean of a feature is made of all tokens of all sentences. Move one token, and the mean moves; "
    "every output that uses it moves too, in every sentence. After eval() stored means are used, and each token is on its "
    "own.",
    minutes=2,
    difficulty=2,
    stretch=True,
)

# %% nbgrader={"grade": true, "grade_id": "ln-batchnorm", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("ln-batchnorm", ln_batchnorm)

# %%
torch.manual_seed(0)
two = torch.randn(2, 6, n_embd)  # two sentences
moved = two.clone()
moved[0, 2] = torch.randn(n_embd)
batch_norm = nn.BatchNorm1d(n_embd)


def features_first(tokens: Tensor) -> Tensor:
    """BatchNorm on (B, T, C): it wants the features before the places."""
    return batch_norm(tokens.transpose(1, 2)).transpose(1, 2)


norms = {"LayerNorm": norm, "BatchNorm, train()": features_first, "BatchNorm, eval()": features_first}
with torch.no_grad():
    for name, normalise in norms.items():
        batch_norm.train("train" in name)
        change = (normalise(moved) - normalise(two)).abs().amax(-1)
        own, other = ((change > 1e-5).sum(-1)).tolist()
        print(f"{name:18} moves {own} of 6 tokens in its own sentence, {other} of 6 in the other")

# %% [markdown]
# A causal model cannot have that: the mean of a batch holds the future of every sentence in it.

# %% [markdown]
# ### Exercise (stretch): Ten times as long
#
# Multiply all numbers of x by 10. What is LN(10 x), with gamma 1, beta 0 and an epsilon too small to matter?
#
# - **a** 10 LN(x)
# - **b** LN(x)
# - **c** LN(x) / 10
# - **d** 100 LN(x)
#
# Type a letter.

# %% nbgrader={"grade": false, "grade_id": "ln-scale-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
ln_scale = ...  # a letter in quotes
### BEGIN SOLUTION
ln_scale = "b"
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.choice(
    "ln-scale",
    answer="b",
    options={
        "a": "The numerator becomes ten times as large, and so does the root of the variance below it.",
        "b": "Right. Ten above and ten below the fraction line cancel: a norm does not see how long a vector is.",
        "c": "You divided by the variance, which becomes 100 times as large. Its root becomes 10 times as large.",
        "d": "The variance becomes 100 times as large, but it stands below the fraction line, under a root.",
    },
    hints=[
        "What becomes of the mean, of the distance from it, and of the variance?",
        "The distances become ten times as large, the variance a hundred times. And its root?",
    ],
    explain="10 x minus 10 mean is 10 times the distance. The variance is 100 times as large and its root 10 times. The two "
    "tens cancel: LN(10 x) = LN(x).",
    minutes=2,
    difficulty=2,
    stretch=True,
)

# %% nbgrader={"grade": true, "grade_id": "ln-scale", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("ln-scale", ln_scale)

# %%
for eps in (1e-5, 0.0):
    gap = (F.layer_norm(10 * x, (n_embd,), eps=eps) - F.layer_norm(x, (n_embd,), eps=eps)).abs().max()
    print(f"eps {eps:g}: LN(10 x) and LN(x) differ by at most {gap:.1e}")

# %% [markdown]
# The first line is what epsilon does, the second is rounding. However long the sums make a token, attention and MLP read
# it at one scale.

# %% [markdown]
# ## Key points
#
# - Heads share the width: cut with `view` *and* `transpose`, scale by a head's size, join, and mix with a projection.
# - LayerNorm works on one token at a time and hides its scale; in training, BatchNorm mixes the whole batch.
# - A pre-norm block adds each part's result to the tokens themselves. Without these sums all tokens become one.
#
# ## Look back
#
# **Lesson 2.** One head's output lies between the values. Does the output of multi-head attention?
#
# <details><summary>Answer</summary>
#
# No. The output projection is a Linear layer with weights of both signs: it may carry a number past all values.
#
# </details>
#
# **Lesson 6.** Which of the block's parts (attention, MLP, norms, sums) let a token move the output of another?
#
# <details><summary>Answer</summary>
#
# Attention alone. MLP, LayerNorm and the sums work on each token by itself, so `mixes_tokens` says False for them.
#
# </details>
#
# ## Sources
#
# - Vaswani et al., 2017, *Attention Is All You Need* (heads; the norm after the sum)
# - Ba, Kiros and Hinton, 2016, *Layer Normalization*
# - Ioffe and Szegedy, 2015, *Batch Normalization: Accelerating Deep Network Training by Reducing Internal Covariate Shift*
# - He et al., 2016, *Deep Residual Learning for Image Recognition*
# - Xiong et al., 2020, *On Layer Normalization in the Transformer Architecture* (the norm before the part)
# - Dong, Cordonnier and Loukas, 2021, *Attention is Not All You Need: Pure Attention Loses Rank Doubly Exponentially with Depth*
# - Course notes on the MLP block, whose two formulas this lesson quotes
