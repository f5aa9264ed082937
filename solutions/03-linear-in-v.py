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

# %% nbgrader={"grade": false, "grade_id": "linear-in-v-lesson", "locked": true, "schema_version": 3, "solution": false, "task": false}
from autograde import check, dimensions, hint, lesson, progress, solution

lesson("linear-in-v")

# %% [markdown]
# # 3. Linear in V
#
# Two sayings about attention contradict each other. *Attention cannot learn non-linear relationships*, so a Transformer
# needs an MLP. And: *attention is already non-linear*, because of its softmax.
#
# You find out how much of each is true. First by adding inputs up, then by training.

# %% [markdown]
# ## 1. Does it add up?
#
# A map f is **linear** if f(X + Y) = f(X) + f(Y) and f(cX) = c f(X), for all inputs X and Y and all numbers c. A linear
# map plus a constant is called **affine**.

# %% [markdown]
# ### Exercise: Which maps are linear?
# All letters stand for matrices. X holds one token in each row; W and b are fixed, and b is not zero.
#
# - **a** V → softmax(Q Kᵀ) V, with Q and K held still
# - **b** X → attention of X with itself: Q, K and V are all made from X, by layers without bias
# - **c** X → the mean over the tokens of X
# - **d** X → X W + b
# - **e** X → ReLU(X W)
#
# Type the set of letters of all linear maps, such as `{"b", "e"}`.

# %% nbgrader={"grade": false, "grade_id": "lv-linear-in-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
lv_linear_in = ...  # a set of letters
### BEGIN SOLUTION
lv_linear_in = {"a", "c"}
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.choices(
    "lv-linear-in",
    answer={"a", "c"},
    options={
        "a": "a is linear: with Q and K held still the weights are fixed numbers, and each output is the same weighted "
        "sum of whatever V holds.",
        "b": "Not b: X makes the weights too, through Q and K. Add another input, and the weights are no longer the "
        "same.",
        "c": "c is linear: the mean is a sum with fixed shares. The mean of X + Y is the mean of X plus that of Y.",
        "d": "Not d: f(X + Y) holds b once, f(X) + f(Y) holds it twice. Linear plus a constant is affine.",
        "e": "Not e: ReLU(1) + ReLU(-1) is 1, but ReLU(1 - 1) is 0.",
    },
    passed="Right, all five. The next cell adds up.",
    hints=[
        "Write f(X + Y) for each map, and try to pull it apart. Which parts stay fixed while the input changes?",
        "A sum with fixed weights can be pulled apart. Is each map such a sum, and of nothing else?",
    ],
    explain="a and c are weighted sums whose weights do not depend on the input: linear. In b the weights are made from "
    "the input. d is affine, its constant spoils the sum. In e ReLU decides by the input what it keeps.",
    minutes=4,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "lv-linear-in", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("lv-linear-in", lv_linear_in)

# %%
from collections.abc import Callable

import matplotlib.pyplot as plt
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from explorables import COLOURS, use_style

use_style()
torch.set_num_threads(1)  # networks as small as these run fastest on one
n_embd, n_head = dimensions("n_embd", "n_head")
head_size = n_embd // n_head

torch.manual_seed(0)
tokens = ["the", "cat", "sat", "on", "the", "mat"]
words = list(dict.fromkeys(tokens))
table = nn.Embedding(len(words), n_embd)
x = table(torch.tensor([words.index(token) for token in tokens])).detach()
y = x[[3, 4, 5, 2, 0, 1]]  # on the mat sat the cat
query, key, value = (nn.Linear(n_embd, head_size, bias=False) for _ in range(3))
affine = nn.Linear(n_embd, head_size)


def attend(x: Tensor) -> Tensor:
    """One head of attention of x with itself: (T, C) -> (T, head size)."""
    return F.scaled_dot_product_attention(query(x), key(x), value(x))


def held_still(v: Tensor) -> Tensor:
    """The same head with the weights that our sentence gave it; only v is free."""
    return F.scaled_dot_product_attention(query(x), key(x), v)


def gaps(f: Callable[[Tensor], Tensor], x: Tensor, y: Tensor) -> str:
    """How far f is from adding up, and from letting a factor through."""
    with torch.no_grad():
        sums = (f(x + y) - f(x) - f(y)).abs().max()
        multiples = (f(-2 * x) + 2 * f(x)).abs().max()
    return f"f(X+Y) - f(X) - f(Y): {sums:.1e}   f(-2X) + 2 f(X): {multiples:.1e}"


print("a  V, weights held still ", gaps(held_still, value(x), value(y)))
print("b  X, attention          ", gaps(attend, x, y))
print("c  X, mean over tokens   ", gaps(lambda x: x.mean(dim=0), x, y))
print("d  X, X W + b            ", gaps(affine, x, y))
print("e  X, ReLU(X W)          ", gaps(lambda x: value(x).relu(), x, y))

# %% [markdown]
# Two lines are zero up to rounding. So attention is linear **in V**, for fixed weights. It is not linear in X.
#
# Each saying has a point, then. But real attention never holds its weights still. Does the first one say anything about
# what a network can *learn*?

# %% [markdown]
# ## 2. A token alone
#
# Take everything away that a token could look at.

# %% [markdown]
# ### Exercise: A sentence of one token
# The sentence has one token. Its query meets one key, its own, and the scaled score is 3.7. What weight does the token
# get?
#
# Type a number with up to two decimals.

# %% nbgrader={"grade": false, "grade_id": "lv-single-token-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
lv_single_token = ...  # a number
### BEGIN SOLUTION
lv_single_token = 1
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.number(
    "lv-single-token",
    answer=1,
    places=2,
    wrong={
        0: "Then the output would be nothing at all. A token may look at itself, and here there is nobody else.",
        3.7: "That is the score. Softmax turns scores into shares of one whole.",
        40.45: "That is exp of the score. Softmax divides it by the sum of all exponentials. Which are there?",
        0.98: "You compared the score with a second one, of 0. There is no second key here.",
        exercise.either(0.03, 0.01): "You shared out among the numbers of a vector, one over their count. The whole is "
        "shared out among the keys.",
        exercise.either(0.65, 0.33): "You scaled the score once more, and forgot softmax. The score is scaled already.",
        0.17: "You shared out among six tokens. This sentence has one.",
        0.5: "You shared out between two. The token's own key is the only one.",
        100: "In per cent, yes. Weights are parts of one whole: type them as such.",
        0.27: "You divided one by the score. Softmax divides exp of it by the sum of all exponentials.",
    },
    passed="Right, and whatever the score: one key gets the whole.",
    hints=[
        "Softmax divides by the sum of all exponentials. How many stand in this sum?",
        "Weights add up to one whole. Among how many keys is it shared out here?",
    ],
    explain="exp(3.7) / exp(3.7) = 1. Softmax of a single score is 1, whatever the score. So query and key have no say, "
    "and the output is the token's own value.",
    minutes=2,
    difficulty=1,
)

# %% nbgrader={"grade": true, "grade_id": "lv-single-token", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("lv-single-token", lv_single_token)

# %%
for length in (6, 3, 2, 1):
    print(f"attention, T = {length}  ", gaps(attend, x[:length], y[:length]))


def with_biases(x: Tensor) -> Tensor:
    """One head whose projections have biases, less what it makes of zeros."""
    heads = [F.scaled_dot_product_attention(affine(z), affine(z), affine(z)) for z in (x, 0 * x)]
    return heads[0] - heads[1]


print("with biases, T = 1", gaps(with_biases, x[:1], y[:1]))

# %% [markdown]
# With one token the gap closes. The weight is fixed, and what is left is the value projection: a linear map. With biases
# it is affine, as the last line shows: take its constant f(0) away, and it adds up.
#
# For one token alone the first saying is exactly true.

# %% [markdown]
# ## 3. What failure would look like
#
# Two tasks no affine map can do. The first: answer |x|, for one number x. The second: answer **XOR** of two features,
# which is 1 if exactly one of them is 1.
#
# What is the best that an affine map reaches? That is the bar. By symmetry, the best one for |x| is a constant.

# %% [markdown]
# ### Exercise: The best constant for |x|
# x is drawn evenly from -1 to 1. You answer the same number c every time, and choose c as well as you can. What is the
# mean of (c - |x|)²?
#
# Type a fraction, such as `2 / 7`, or four decimals.

# %% nbgrader={"grade": false, "grade_id": "lv-constant-mse-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
lv_constant_mse = ...  # a number
### BEGIN SOLUTION
lv_constant_mse = 1 / 12
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.number(
    "lv-constant-mse",
    answer=1 / 12,
    places=4,
    wrong={
        1 / 4: "That is the mean absolute error of the best constant. Square each error before you average.",
        exercise.either(1 / 3, 0.333, 0.33): "That is the error of the constant 0, and of the constant 1. One between them does better.",
        1 / 2: "That is the best constant itself. The question is how far it is off, squared, on average.",
        exercise.either(1 / 6, 0.167, 0.17): "You integrated over x from -1 to 1 and did not divide by the length of that stretch, 2.",
        1 / 24: "You took half of the squared error, as some loss functions do. Here it is the whole square.",
        exercise.either(0.2887, 0.289, 0.29): "That is the root of the mean squared error. Do not take the root.",
        1: "That is the largest squared error that the constants 0 and 1 make. Average, and choose a better constant.",
        0: "No constant equals |x| everywhere, so some error remains.",
        exercise.either(0.083, 0.08): "Good, but give four decimals, or the fraction.",
        4 / 45: "That is the error for x², not for |x|.",
        1 / 16: "That is the square of the mean absolute error. Square first, then average.",
    },
    passed="Right. |x| is spread evenly over 0 to 1, and 1/12 is the variance of that.",
    hints=[
        "|x| is spread evenly from 0 to 1. Which constant is best under a squared error?",
        "The best constant is the mean. What is left is the variance: integrate (t - mean)² for t from 0 to 1.",
    ],
    explain="|x| is uniform on 0 to 1, the best constant is its mean, 1/2. The integral of (t - 1/2)² from 0 to 1 is "
    "1/12, about 0.0833.",
    minutes=4,
    difficulty=3,
)

# %% nbgrader={"grade": true, "grade_id": "lv-constant-mse", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("lv-constant-mse", lv_constant_mse)

# %% [markdown]
# ### Exercise: The best plane for XOR
# Two features, each 0 or 1, give four points, all equally likely. The targets are 0, 1, 1, 0: one if exactly one feature
# is 1. Take the best affine map, a plane over the two features. What is its mean squared error?
#
# Type a number with up to two decimals.

# %% nbgrader={"grade": false, "grade_id": "lv-xor-mse-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
lv_xor_mse = ...  # a number
### BEGIN SOLUTION
lv_xor_mse = 0.25
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.number(
    "lv-xor-mse",
    answer=0.25,
    places=2,
    shown="0.25 stands in lessons 1 and 2 as a softmax weight; it says nothing about XOR",
    wrong={
        0.5: "0.5 is the mean absolute error, and the root of the mean square too: square it. Or you answered always 0, "
        "or always 1: a level between them does better.",
        0: "No plane goes through all four points. It would have to rise with one feature and fall again with both.",
        1: "You summed the four squares, or laid the plane through three points and missed the fourth. Average, and let "
        "the plane miss a little everywhere.",
        0.3: "Good, but give two decimals.",
        0.2: "You cut off too much: give two decimals.",
        0.06: "You squared once too often.",
        2: "That is the sum of four absolute errors. Square each, then average.",
        0.19: "You counted one target of 1 among the four, as AND has. XOR has two.",
        0.13: "You took half of the squared error, as some loss functions do. Here it is the whole square.",
        0.75: "That is three of the four points missed by 1. Even a constant does better.",
        0.08: "That was the bar of |x|. Here the targets are only 0 and 1.",
        0.33: "You divided by three. There are four points.",
    },
    passed="Right. The best plane is level at a half, so every answer is off by a half.",
    hints=[
        "Call the plane's slopes a and b. By symmetry they are equal. Does it help to raise them above 0?",
        "Opposite corners have equal targets, and a plane has the same mean on both pairs of opposite corners.",
    ],
    explain="A plane has the same mean over (0,0) and (1,1) as over (0,1) and (1,0). The targets' means there are 0 and "
    "1, so the best is 1/2 for both, with slopes 0. Each error is 1/2, its square 1/4.",
    minutes=3,
    difficulty=3,
)

# %% nbgrader={"grade": true, "grade_id": "lv-xor-mse", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("lv-xor-mse", lv_xor_mse)

# %% [markdown]
# Now train a small network that has attention and nothing else: no MLP, no activation. It runs from four starts, to show
# how sure the result is.


# %%
class AttentionOnly(nn.Module):
    """Linear, attention, Linear; no MLP and no residual: (B, T, features) -> (B, T)."""

    def __init__(self, features: int, norm: bool = False, sink: bool = False) -> None:
        """With a LayerNorm before attention, or with a learned token beside the others, if asked for."""
        super().__init__()
        self.embed = nn.Linear(features, 16)
        self.norm = nn.LayerNorm(16) if norm else nn.Identity()
        self.attention = nn.MultiheadAttention(16, n_head, batch_first=True, add_bias_kv=sink)
        self.answer = nn.Linear(16, 1)

    def forward(self, x: Tensor) -> Tensor:
        """Return one number for each token."""
        x = self.norm(self.embed(x))
        x, _ = self.attention(x, x, x, need_weights=False)
        return self.answer(x).squeeze(-1)


def abs_task(sentences: int, length: int) -> tuple[Tensor, Tensor]:
    """Tokens of one number each, and the absolute value of it."""
    x = 2 * torch.rand(sentences, length, 1) - 1
    return x, x.abs().squeeze(-1)


def xor_task(sentences: int, length: int) -> tuple[Tensor, Tensor]:
    """Tokens of two features each, and their XOR."""
    x = torch.randint(2, (sentences, length, 2)).float()
    return x, (x[..., 0] != x[..., 1]).float()


def train(task: Callable[[int, int], tuple[Tensor, Tensor]], length: int = 1, **parts: bool) -> list[nn.Module]:
    """Train from four starts, print the mean squared errors on new sentences, return the networks."""
    networks, errors = [], []
    for seed in range(4):
        torch.manual_seed(seed)
        network = AttentionOnly(features=2 if task is xor_task else 1, **parts)
        optimizer = torch.optim.Adam(network.parameters(), fused=True)
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.05, total_steps=300)
        for _ in range(300):
            inputs, targets = task(64, length)
            loss = F.mse_loss(network(inputs), targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
        with torch.no_grad():
            inputs, targets = task(20_000, length)
            errors.append(F.mse_loss(network(inputs), targets).item())
        networks.append(network)
    name = "XOR" if task is xor_task else "|x|"
    print(f"T = {length}, {name}: " + "  ".join(f"{error:.1e}" for error in errors))
    return networks


alone = train(abs_task)
train(xor_task)
print(f"bars:  |x| {1 / 12:.1e}, XOR {1 / 4:.1e}")

# %% [markdown]
# All starts end at the bar. No training could do better: as section 2 has shown, the network is affine.

# %% [markdown]
# ## 4. Eight tokens
#
# Same network, same XOR, still no MLP. But now eight tokens stand in a sentence.

# %% [markdown]
# ### Exercise: Does it fail again?
# Each of the eight tokens has two random features of its own and has to answer *their* XOR. The others' features say
# nothing about it. Does the error stay at the bar?
#
# - **a** yes: without an MLP there is nothing non-linear to learn with
# - **b** yes: the output is a weighted average of values, and each value is affine in its token
# - **c** yes: the other tokens say nothing about this token's XOR, so they cannot help
# - **d** no: it falls far below the bar
# - **e** no, but just a little: eight tokens are a larger sample
#
# Type a letter in quotes, such as `"a"`.

# %% nbgrader={"grade": false, "grade_id": "lv-slogan-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
lv_slogan = ...  # a letter
### BEGIN SOLUTION
lv_slogan = "d"
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.choice(
    "lv-slogan",
    answer="d",
    options={
        "a": "That is the first saying, word for word. But the weights are made from the input, by products and exp, and "
        "with eight tokens they are free to move. Run the cell.",
        "b": "Each value is affine, that is true. The weights that multiply it are not: they depend on the same token. "
        "Run the cell.",
        "c": "They need not say anything. It is enough that they are there, as something to weigh this token against. "
        "Run the cell.",
        "d": "Right. With somebody else to look at, the weights depend on the token's own features, and a product of "
        "weight and value is not affine. Run the cell.",
        "e": "A larger sample does not make an affine map less affine. If the error falls, the map has become another "
        "kind. Run the cell.",
    },
    hints=[
        "Look at your first two exercises again. What was it that closed the gap at T = 1?",
        "With eight tokens, which part of softmax(Q Kᵀ) V depends on a token's own features: V, the weights, or both?",
    ],
    explain="At T = 1 the weight was fixed. With eight tokens a token's own features decide how much it looks at others, "
    "and weight times value is a product of two things made from the input. That is enough for XOR.",
    minutes=2,
    difficulty=3,
)

# %% nbgrader={"grade": true, "grade_id": "lv-slogan", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("lv-slogan", lv_slogan)

# %%
train(xor_task, length=8)
print(f"bar:   XOR {1 / 4:.1e}")

# %% [markdown]
# So the first saying is false as soon as a token has company. Some error remains. Is it because the company is another
# one in each sentence?

# %% [markdown]
# ## 5. A sink
#
# Then company that never changes should do better. Add one token that is the same in every sentence. It is called a
# **sink**: a query that finds nothing else puts its weight there.

# %% [markdown]
# ### Exercise: One token and a sink
# A head of size one. The sink has score 0 and value 0. The token has score 2 and value 2. What does the token's query put
# out? In torch's words: `softmax([0, 2]) @ [0, 2]`.
#
# Type a number with four decimals.

# %% nbgrader={"grade": false, "grade_id": "lv-sink-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
lv_sink = ...  # a number
### BEGIN SOLUTION
lv_sink = 1.7616
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.number(
    "lv-sink",
    answer=1.7616,
    places=4,
    wrong={
        2: "You gave the token the whole weight. The sink's score is 0, and exp(0) is 1: it keeps a share.",
        1: "You gave both the same weight. The token's score is larger.",
        exercise.either(1.4621, 1.462, 1.46): "You halved the score. A head of size one needs no scaling.",
        exercise.either(1.6089, 1.609, 1.61): "You divided the score by the root of 2, the number of tokens. Scaling takes the head's size, and that "
        "is one.",
        exercise.either(0.8808, 0.881, 0.88): "That is the token's weight. Multiply it by the token's value.",
        exercise.either(0.1192, 0.119, 0.12): "That is the sink's weight. The output is the token's weight times its value.",
        exercise.either(0.2384, 0.238, 0.24): "You gave the token's value the sink's weight. The larger score belongs to the token.",
        4: "You multiplied score and value. The score first becomes a weight, by softmax.",
        exercise.either(14.7781, 14.778, 14.78): "You multiplied the value by exp of the score. Divide by the sum of both exponentials.",
        1.6: "You took powers of 2. Softmax takes powers of e.",
        1.964: "You took 4, score times value, for the score. The score is 2, and the value comes in after softmax.",
        exercise.either(3.5232, 3.523, 3.52): "You multiplied by the value twice, or by score and value. The score's work is done once there is a "
        "weight.",
        0: "That is the sink's value alone. The token has the larger score, so most of the weight.",
        1.7615: "Good, but round to four decimals, do not cut off.",
        exercise.either(1.762, 1.76, 1.8): "Good, but give four decimals.",
    },
    passed="Right: nearly 2, but the sink keeps a share.",
    hints=[
        "The two exponentials are 1 and exp(2). What share of their sum belongs to the token?",
        "The sink's value is 0, so only the token's share counts. Multiply that share by the token's value.",
    ],
    explain="The token's weight is exp(2) / (1 + exp(2)) = 0.8808. Times its value 2, plus the sink's weight times 0: "
    "1.7616.",
    minutes=3,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "lv-sink", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("lv-sink", lv_sink)

# %% [markdown]
# Let the token's number run along a line, and let score and value both be that number. Once the weight is **live**,
# once it is **frozen** at what it was for 2.

# %%
line = torch.linspace(-6, 6, 241)
pair = torch.stack([torch.zeros_like(line), line], dim=-1)  # the sink and the token
live = (torch.softmax(pair, dim=-1) * pair).sum(dim=-1)
frozen = torch.softmax(torch.tensor([0.0, 2.0]), dim=-1)[1] * line
print(f"softmax([0, 2]) @ [0, 2] = {live[160]:.4f}")
print(f"live, against torch's SiLU: largest difference {(live - F.silu(line)).abs().max():.1e}")

figure, axes = plt.subplots(figsize=(6.4, 3.8))
axes.plot(line, frozen, color=COLOURS["neutral"])
axes.plot(line, live, color=COLOURS["value"], linewidth=3)
axes.plot(2, live[160], "o", color=COLOURS["value"])
axes.text(-3.6, -3.9, "frozen weight", color=COLOURS["neutral"])
axes.text(-5.9, 0.25, "live weight", color=COLOURS["value"])
axes.annotate("here they are equal", (2, float(live[160])), (2.5, 0.9), color=COLOURS["value"])
axes.set_xlabel("the token's number: its score and its value")
axes.set_ylabel("output")
plt.show()

print("Figure: with the weight frozen the output is a straight line through 0, with the weight live it is bent.")
for place in (40, 80, 160, 200):
    print(f"  at {line[place]:4.1f}: frozen {frozen[place]:5.2f}, live {live[place]:5.2f}")

# %% [markdown]
# The live curve is an activation function, **SiLU**: not something like it, but the same function. Softmax over a token
# and a sink makes it.
#
# Now train one token with a sink that is learned, as always from four starts.

# %%
train(xor_task, sink=True)
with_sink = train(abs_task, sink=True)

# %% [markdown]
# With company that never changes, what remained of XOR's error is gone. And |x| is learned too.

# %% [markdown]
# ## 6. A norm in front
#
# In a Transformer something else stands before attention: a **LayerNorm**. It subtracts from a token's numbers their
# mean, and divides them by their standard deviation. Then it scales and shifts each by learned weights.

# %% [markdown]
# ### Prediction: Does the norm help?
# One token again, no sink and no MLP, but a LayerNorm before attention. Can this network learn XOR?
#
# - **a** no: attention with one token is affine, whatever stands before it
# - **b** no: a LayerNorm shifts and scales, so it is affine too
# - **c** yes
# - **d** half: the error falls to about half of the bar
#
# Type a letter in quotes. A prediction costs no points.

# %% nbgrader={"grade": false, "grade_id": "lv-predict-norm-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
lv_predict_norm = ...  # a letter
### BEGIN SOLUTION
lv_predict_norm = "c"
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.choice(
    "lv-predict-norm",
    answer="c",
    options={
        "a": "Attention is affine there, but in what the norm hands to it. If the norm is not affine, the whole is not. "
        "Run the cell.",
        "b": "It shifts and scales by numbers that it takes from the token itself. A division by them is not affine. Run "
        "the cell.",
        "c": "Right. It divides by a number that is made from the token, and that is not affine. Run the cell.",
        "d": "There is no such half-way house: the norm either bends the map or does not. Run the cell.",
    },
    hints=[
        "Double all numbers of a token. What becomes of the norm's result?",
        "A linear map lets a factor through. Does a LayerNorm?",
    ],
    explain="A linear map doubles when its input doubles. A LayerNorm does not: the standard deviation doubles too, and "
    "the division takes it out again. So the map before attention is bent, and that is enough for XOR.",
    minutes=1,
    difficulty=3,
)

# %% nbgrader={"grade": true, "grade_id": "lv-predict-norm", "locked": true, "points": 0, "schema_version": 3, "solution": false, "task": false}
check("lv-predict-norm", lv_predict_norm)

# %%
train(xor_task, norm=True)
with_norm = train(abs_task, norm=True)

grid = torch.linspace(-1, 1, 201)
learned = {"attention alone": alone, "a norm in front": with_norm, "a learned sink": with_sink}
figure, panels = plt.subplots(1, 3, figsize=(9.5, 3), sharey=True)
print("Figure: |x| in three panels, and in each what four starts have learned. Their answers:")
for panel, (name, networks) in zip(panels, learned.items(), strict=True):
    with torch.no_grad():
        curves = torch.stack([network(grid[:, None, None]).flatten() for network in networks])
    panel.plot(grid, grid.abs(), color=COLOURS["neutral"], linewidth=5, alpha=0.4)
    for curve in curves:
        panel.plot(grid, curve, color=COLOURS["token"], linewidth=1.3)
    panel.set_title(f"one token, {name}")
    panel.set_xlabel("x")
    low, high = curves[:, [0, 100, 200]].aminmax(dim=0)
    answers = [f"{a:5.2f} to {b:4.2f} at {i:2d}" for a, b, i in zip(low, high, (-1, 0, 1), strict=True)]
    print(f"  {name:15}: " + ", ".join(answers))
panels[0].text(-0.3, 0.12, "|x|", color=COLOURS["neutral"], ha="right")
panels[0].text(0, 0.62, "learned from\nfour starts", color=COLOURS["token"], ha="center")
plt.show()

# %% [markdown]
# The norm lets one token learn XOR, and |x| nearly. But look at all four starts: one may get stuck at or near the bar.
# That does not prove that it cannot be learned. Section 2 is another matter: it holds for every start.
#
# So both sayings are half right. Attention is linear in V, and for one bare token that is all there is. With company, be
# it a sink, the weights move with the input, and the map bends. A norm in front bends it too.

# %% [markdown]
# ## 7. Build the bend yourself

# %% [markdown]
# ### Exercise (stretch): |x| from two sinks
# Write `absolute(x, sharpness)`. `x` is (N,): N sentences of one number each. Return (N,).
#
# - Two heads of size one. Each has a sink with score 0 and value 0 beside the token. Their outputs are added.
# - In head 1 the token has the score `sharpness * x` and the value `x`.
# - In head 2 its score and its value are the same again, up to their signs. Find the signs that make the sum come near
#   |x|.
# - Then choose `SHARPNESS`, the default: on 201 evenly spaced points from -1 to 1 the mean squared error must be below
#   1e-4.
#
# Any spelling that gives the numbers of these two heads counts. `x` stays as it was. Scores of 1000, of both signs, occur
# in one call: torch's softmax bears them, an `exp` of your own may not. One call has sharpness 1, where two heads are
# still far from |x|.

# %% nbgrader={"grade": false, "grade_id": "lv-abs-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
SHARPNESS = ...  # a number
### BEGIN SOLUTION
SHARPNESS = 100.0
### END SOLUTION


def absolute(x: Tensor, sharpness: float = SHARPNESS) -> Tensor:
    """Add up two heads that have a sink each, to come near |x|: (N,) -> (N,)."""
    # your code here
    ### BEGIN SOLUTION
    sink = torch.zeros_like(x)
    output = torch.zeros_like(x)
    for sign in (1, -1):
        scores = torch.stack([sink, sign * sharpness * x], dim=-1)
        values = torch.stack([sink, sign * x], dim=-1)
        output = output + (torch.softmax(scores, dim=-1) * values).sum(dim=-1)
    return output
    ### END SOLUTION


# %% tags=["exercise"]
from autograde import exercise

TOKEN_SCORE, TOKEN_VALUE = "[sink, sign * sharpness * x]", "[sink, sign * x]"
WEIGHTS = "torch.softmax(scores, dim=-1)"
CHOSEN = "SHARPNESS = 100.0"


def sink_calls(draw):
    """Draw the calls of lv-abs; two heads of sharpness s give x tanh(s x / 2), whose error falls as s grows."""
    one, other, many = draw.sizes(3, low=4, high=9)
    near = draw.uniform(1, 3, one)  # from 1 on any large sharpness gives |x| itself, so that it is told apart from 1
    near[::2] *= -1
    far = draw.uniform(-20, 20, many)
    far[0], far[1] = 25.0, -25.0
    return [
        exercise.call(
            "sharpness 1",
            near,
            1.0,
            says="With sharpness 1 the numbers are not those of two heads with a sink each. Take one x, and work out "
            "both heads on paper.",
        ),
        exercise.call(
            "another sharpness",
            draw.normal(other),
            draw.integer(6, 19) / 2,
            says="With sharpness 1 it is right, with another one it is not. The score is sharpness times x, the value "
            "is not.",
        ),
        exercise.call(
            "scores of 1000",
            far,
            40.0,
            says="With scores of 1000 it breaks. exp of them overflows: let torch.softmax or torch.sigmoid do it.",
        ),
        # The tolerance is where the error on these points passes 1e-4: from sharpness 18.5 on it is below.
        exercise.call(
            "your SHARPNESS",
            torch.linspace(-1, 1, 201),
            tolerance=0.028,
            says="The two heads are right, but with your SHARPNESS the mean squared error is not below 1e-4. Print it "
            "for some values.",
        ),
    ]


exercise.function(
    "lv-abs",
    calls=sink_calls,
    equivalent={"SHARPNESS = 200.0": "The exercise leaves the choice: every sharpness from about 18.5 on will do."},
    wrong=[
        # The default. These stand first: where only the default's call is off, they tell of it.
        exercise.either(
            exercise.edit(CHOSEN, "SHARPNESS = 17.0"),
            exercise.edit(CHOSEN, "SHARPNESS = 10.0"),
            says="The two heads are right. Your SHARPNESS is a little too small: around 0 the curve is still too round, "
            "and the error is above 1e-4.",
        ),
        exercise.either(
            exercise.edit(CHOSEN, "SHARPNESS = 5.0"),
            exercise.edit(CHOSEN, "SHARPNESS = 2.5"),
            exercise.edit(CHOSEN, "SHARPNESS = 1.0"),
            says="The two heads are right, but your SHARPNESS is far too small: the curve is hardly bent. Print the error "
            "for larger ones.",
        ),
        exercise.edit(
            CHOSEN,
            "SHARPNESS = 0.0",
            says="The two heads are right. But with a SHARPNESS of 0 each token weighs as much as its sink, and the heads "
            "cancel.",
        ),
        exercise.edit(
            CHOSEN,
            "SHARPNESS = -100.0",
            says="The two heads are right, but a negative SHARPNESS turns both scores around, and you get -|x|.",
        ),
        exercise.edit(
            "sharpness: float = SHARPNESS",
            "sharpness: float",
            says="`absolute(x)` must work too: give `sharpness` its default again, `sharpness=SHARPNESS`.",
        ),
        exercise.edit(
            ", sharpness: float = SHARPNESS",
            "",
            "sign * sharpness",
            "sign * SHARPNESS",
            says="Your function takes x alone. It is called with a second argument too, the sharpness.",
        ),
        # The heads.
        exercise.edit(
            "(1, -1)",
            "(1,)",
            says="That is head 1 alone. It answers x where x is positive and next to nothing where it is negative. Add "
            "head 2, which looks the other way.",
        ),
        exercise.edit(
            "(1, -1)",
            "(-1,)",
            says="That is one head alone, the one for negative x. Add the other.",
        ),
        exercise.edit(
            TOKEN_VALUE,
            "[sink, x]",
            says="You get x back. Head 2 wakes up where x is negative, as it should, but it hands over x, or you "
            "subtract it. Turn its value around.",
        ),
        exercise.edit(
            TOKEN_SCORE,
            "[sink, sharpness * x]",
            says="You get 0 everywhere: the heads cancel. Either both have the same score, so turn that of head 2 around; "
            "or the sink has no effect, because it is missing or its value is x and not 0.",
        ),
        exercise.edit(
            TOKEN_VALUE,
            "[sink, -sign * x]",
            says="You get -|x|, upside down. In each head either the score or the value has the wrong sign.",
        ),
        exercise.edit(
            TOKEN_SCORE,
            "[sink, sign * x]",
            says="The sharpness has no effect. The token's score is sharpness times x.",
        ),
        exercise.edit(
            TOKEN_VALUE,
            "[sink, sign * sharpness * x]",
            says="The sharpness went into the values too, so the output is that many times too large. It belongs to the "
            "scores alone.",
        ),
        exercise.edit(
            "sign * sharpness * x",
            "sign * x / sharpness",
            says="You divide by the sharpness. A larger one is to make the scores larger: multiply.",
        ),
        exercise.edit(
            "return output",
            "return output / 2",
            says="You averaged the two heads, so everything is half as large. Add them.",
        ),
        exercise.edit(
            WEIGHTS,
            "torch.softmax(scores, dim=0)",
            says="Softmax runs over the N sentences. Each sentence has its own two scores, sink and token: run it over "
            "these.",
        ),
        exercise.edit(
            WEIGHTS,
            "torch.softmax(scores / 2**0.5, dim=-1)",
            says="You divide the scores by the root of 2. Scaling takes the head's size, and that is one: leave the "
            "scores as they are.",
        ),
        exercise.edit(
            "scores = torch.stack([sink,",
            "scores = torch.stack([sink + 1,",
            says="Your sink has score 1. It has score 0 and value 0.",
        ),
        exercise.edit(
            WEIGHTS,
            "scores.exp() / scores.exp().sum(dim=-1, keepdim=True)",
            says="Your softmax is right for small scores, but exp of 1000 is infinite, and infinity divided by itself is "
            "nan. Use torch.softmax, or subtract the larger score first.",
        ),
        exercise.code(
            '''
SHARPNESS = 100.0

def absolute(x, sharpness=SHARPNESS):
    return x * torch.exp(sharpness * x) / (1 + torch.exp(sharpness * x)) - x / (1 + torch.exp(sharpness * x))
''',
            says="It is right for small scores, but exp of 1000 is infinite, and infinity divided by itself is nan. Use "
            "torch.sigmoid or torch.softmax.",
        ),
        exercise.code(
            '''
SHARPNESS = 100.0

def absolute(x, sharpness=SHARPNESS):
    return x.abs()
''',
            says="With sharpness 1 you give |x| itself; two heads only come near it there. Is it abs, ReLU, argmax or a "
            "comparison? Use softmax. Or do you use SHARPNESS where the argument `sharpness` belongs?",
        ),
        exercise.code(
            '''
SHARPNESS = 100.0

def absolute(x, sharpness=SHARPNESS):
    scores = torch.stack([0 * x, sharpness * x, -sharpness * x], dim=-1)
    values = torch.stack([0 * x, x, -x], dim=-1)
    return (torch.softmax(scores, dim=-1) * values).sum(dim=-1)
''',
            says="You put all three into one softmax: one head with one sink. Two heads have a softmax each, and a sink "
            "each.",
        ),
        exercise.code(
            '''
SHARPNESS = 100.0

def absolute(x, sharpness=SHARPNESS):
    scores = torch.stack([sharpness * x, -sharpness * x], dim=-1)
    values = torch.stack([x, -x], dim=-1)
    return (torch.softmax(scores, dim=-1) * values).sum(dim=-1)
''',
            says="It comes near |x|, but twice as sharp as two sinks make it. Either x and -x stand against each other "
            "in one head without a sink, a nice find; or a half is missing in a tanh. Here two heads have a sink each.",
        ),
        exercise.either(
            exercise.edit(CHOSEN, "SHARPNESS = ..."),
            exercise.edit(CHOSEN, "SHARPNESS = ...", "sign * sharpness * x", "sign * (x * sharpness)"),
            says="The two heads are right. SHARPNESS is still `...`: put a number there.",
        ),
        exercise.code(
            '''
SHARPNESS = 100.0

def absolute(x, sharpness=SHARPNESS):
    if x > 0:
        return x * torch.sigmoid(sharpness * x)
    return -x * torch.sigmoid(-sharpness * x)
''',
            says="`if` wants one truth value, and x holds many numbers. No `if` is needed: where the other head is not "
            "wanted, its weight is near 0.",
        ),
        exercise.edit(
            "sign * sharpness * x",
            "sign * x.mul_(sharpness)",
            says="You change the caller's x: names that end in `_` and `x *= ...` work in place. Make a new tensor.",
        ),
        exercise.edit(
            ".sum(dim=-1)",
            ".sum(dim=-1, keepdim=True)",
            "zeros_like(x)\n    for",
            "zeros_like(x)[:, None]\n    for",
            says="The numbers are right, but the shape is (N, 1). Return (N,): sum without keepdim.",
        ),
        exercise.code(
            '''
SHARPNESS = 100.0

def absolute(x, sharpness=SHARPNESS):
    return torch.maximum(x * torch.sigmoid(sharpness * x), -x * torch.sigmoid(-sharpness * x))
''',
            says="You keep the larger of the two outputs. Heads do not choose: add them.",
        ),
        exercise.code(
            '''
SHARPNESS = 100.0

def absolute(x, sharpness=SHARPNESS):
    return torch.stack([x * torch.sigmoid(sharpness * x), -x * torch.sigmoid(-sharpness * x)])
''',
            says="Both heads are right, and you return them side by side. Add them.",
        ),
        exercise.code(
            '''
SHARPNESS = 100.0

def absolute(x, sharpness=SHARPNESS):
    return torch.sigmoid(sharpness * x) - torch.sigmoid(-sharpness * x)
''',
            says="That is one weight minus the other. Each weight still has to be multiplied by its head's value.",
        ),
        exercise.either(
            *(
                exercise.code(
                    f'''
SHARPNESS = 100.0

def absolute(x, sharpness=SHARPNESS):
    return torch.softmax(torch.stack([{zero}, sharpness * x]), dim=0)[1] * x
'''
                )
                for zero in ("0", "0.0")
            ),
            says="torch.stack wants tensors of one shape, and the 0 is a plain number. Make the sink a tensor as well: "
            "torch.zeros_like(x).",
        ),
        exercise.code(
            '''
SHARPNESS = 100.0

def absolute(x, sharpness=SHARPNESS):
    return torch.softmax(torch.tensor([0.0, sharpness * x]), dim=0)[1] * x
''',
            says="torch.tensor wants plain numbers, and x holds many. Put sink and token together with torch.stack.",
        ),
        exercise.edit(
            "return output",
            "return output, scores",
            says="You return a pair. Return the sum of the two heads alone.",
        ),
        exercise.edit(
            "return output",
            "output",
            says="Your function returns nothing (None). Did you forget `return`?",
        ),
    ],
    right=[
        exercise.edit(CHOSEN, "SHARPNESS = 20"),
        exercise.edit(CHOSEN, "SHARPNESS = 1e4"),
        exercise.edit(
            "output = output + (torch.softmax(scores, dim=-1) * values).sum(dim=-1)",
            "output += F.scaled_dot_product_attention(torch.ones(len(x), 1, 1), scores[..., None], values[..., None]).flatten()",
        ),
        exercise.code(
            '''
SHARPNESS = 64.0

def absolute(x, sharpness=SHARPNESS):
    return x * torch.sigmoid(sharpness * x) - x * torch.sigmoid(-sharpness * x)
'''
        ),
        exercise.code(
            '''
SHARPNESS = 30

def absolute(numbers, s=SHARPNESS):
    return (F.silu(s * numbers) + F.silu(-s * numbers)) / s
'''
        ),
        exercise.code(
            '''
SHARPNESS = 50.0

def absolute(x, sharpness=SHARPNESS):
    answers = []
    for number in x:
        total = 0
        for token in (number, -number):
            pair = torch.tensor([0.0, token])
            total = total + torch.softmax(sharpness * pair, dim=0) @ pair
        answers.append(total)
    return torch.stack(answers)
'''
        ),
        exercise.code(
            '''
SHARPNESS = 100.0

def absolute(x, sharpness=SHARPNESS):
    head = torch.softmax(torch.stack([torch.zeros_like(x), sharpness * x]), dim=0)[1] * x
    return 2 * head - x
'''
        ),
        exercise.code(
            '''
SHARPNESS = 25

def absolute(x, sharpness=SHARPNESS):
    return x * (sharpness * x / 2).tanh()
'''
        ),
    ],
    says={
        "unchanged": "The output is right, but x was changed on the way. Work on new tensors.",
        "repeatable": "Two equal calls gave different outputs. Is there a source of chance, or something kept between "
        "calls?",
    },
    passed="Right: two softmaxes, two sinks, and the line has a bend.",
    hints=[
        "Head 1 hands over x where x is positive, and next to nothing elsewhere. What should head 2 hand over, and where?",
        "For the default, print the error on `torch.linspace(-1, 1, 201)` for some values: about 20 or more is needed.",
    ],
    explain="Head 2 is to be awake where x is negative, so its score is -sharpness * x. There it shall hand over -x, so "
    "its value is -x. Each head is a softmax over its sink's score 0 and its token's score, times the values. From a "
    "sharpness of about 20 on, the error is below 1e-4.",
    minutes=9,
    difficulty=4,
    stretch=True,
)

# %% nbgrader={"grade": true, "grade_id": "lv-abs", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("lv-abs", absolute)

# %%
figure, panels = plt.subplots(1, 3, figsize=(9.5, 3), sharey=True)
print("Figure: |x|, two heads with a sink each, and their sum, in three panels.")
for panel, sharpness in zip(panels, (1, 5, 25), strict=True):
    heads = [F.silu(sign * sharpness * grid) / sharpness for sign in (1, -1)]  # torch's own form of a sink head
    panel.plot(grid, grid.abs(), color=COLOURS["neutral"], linewidth=5, alpha=0.4)
    for head in heads:
        panel.plot(grid, head, color=COLOURS["value"], linewidth=1, linestyle="--")
    panel.plot(grid, sum(heads), color=COLOURS["token"])
    panel.set_title(f"sharpness {sharpness}")
    panel.set_xlabel("x")
    print(f"  sharpness {sharpness:2d}: mean squared error {F.mse_loss(sum(heads), grid.abs()):.1e}")
panels[0].set_ylim(-0.5, 1.05)
for name, place in {"head 1": (-1, -0.42), "head 2": (0.55, -0.42)}.items():
    panels[0].text(*place, name, color=COLOURS["value"])
panels[0].text(-1, -0.04, "their sum", color=COLOURS["token"])
panels[0].text(0, 0.6, "|x|", color=COLOURS["neutral"], ha="center")
plt.show()

# %% [markdown]
# An MLP bends the same line with two ReLUs and needs no sink. Lesson 4 takes it apart.

# %% [markdown]
# ## Key points
#
# - For fixed weights attention is linear in V. It is not linear in X, because X makes the weights.
# - With one token, no norm and no MLP it is exactly affine: |x| and XOR stay at the bar.
# - A neighbour, a sink or a LayerNorm is enough to bend it. Softmax over a token and a sink is SiLU.

# %% [markdown]
# ## Look back
#
# **Lesson 2.** The head with score 2 and value 2 put out less than 2. Which rule said so before you calculated?
#
# <details><summary>Answer</summary>
#
# One head's output lies between its values, here 0 and 2, and softmax leaves both of them a share.
#
# </details>

# %% [markdown]
# **Lesson 1.** A sentence has one token. Which of its query, key and value can change the output of attention?
#
# <details><summary>Answer</summary>
#
# The value alone. The weight is 1 whatever query and key say. They get their say as soon as there is a second key, and
# be it a sink.
#
# </details>

# %% [markdown]
# ## Sources
#
# - Course notes on the MLP block, which say that attention cannot learn non-linear relationships
# - A discussion of an efficient-attention module's code, *why no activate function?*, where attention counts as non-linear
# - Minsky and Papert, 1969, *Perceptrons* (XOR, which no plane can do)
# - Vaswani and others, 2017, *Attention Is All You Need*
# - Elfwing, Uchibe and Doya, 2018, *Sigmoid-Weighted Linear Units for Neural Network Function Approximation in Reinforcement Learning* (SiLU)
# - Huben and Morris, 2023, *Attention-Only Transformers and Implementing MLPs with Attention Heads* (SiLU from softmax)
# - Xiao and others, 2024, *Efficient Streaming Language Models with Attention Sinks*
