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

# %% nbgrader={"grade": false, "grade_id": "position-independence-lesson", "locked": true, "schema_version": 3, "solution": false, "task": false}
from autograde import check, dimensions, hint, lesson, progress, solution

lesson("position-independence")

# %% [markdown]
# # 6. Position independence
#
# Attention lets a token read other tokens. Then the feed-forward takes over.

# %% [markdown]
# ## Two copies of one word
#
# Our sentence holds one word twice. Run the cell to see where.

# %%
from collections.abc import Callable

import matplotlib.pyplot as plt
import torch
import torch.nn.functional as F
from matplotlib.colors import to_rgb
from torch import Tensor, nn

from explorables import COLOURS, use_style

use_style()
n_embd, batch_size = dimensions("n_embd", "batch_size")

torch.manual_seed(0)
sentence = ["the", "cat", "sat", "on", "the", "mat"]
words = list(dict.fromkeys(sentence))
table = nn.Embedding(len(words), n_embd)
x = table(torch.tensor([words.index(word) for word in sentence])).detach()  # (T, C), and no position table

feed_forward = nn.Sequential(nn.Linear(n_embd, 4 * n_embd), nn.ReLU(), nn.Linear(4 * n_embd, n_embd))

for place, word in enumerate(sentence):
    print(f"{place}  {word:4} {x[place, 0]:6.2f} {x[place, 1]:6.2f} ...")

# %% [markdown]
# "the" stands at places 0 and 4. No position was added, so rows 0 and 4 of `x` are one vector, twice.

# %% [markdown]
# ### Exercise: One word, two places
#
# All six rows go through `feed_forward` together. What do rows 0 and 4 of the result look like?
#
# - **a** They differ: each place has weights of its own.
# - **b** They differ: the two words have other neighbours.
# - **c** They are equal.
# - **d** They are equal before training, and differ after it.
#
# Type a letter, such as `"a"`.

# %% nbgrader={"grade": false, "grade_id": "pi-two-copies-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
pi_two_copies = ...  # a letter in quotes
### BEGIN SOLUTION
pi_two_copies = "c"
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.choice(
    "pi-two-copies",
    answer="c",
    options={
        "a": "There is one pair of weights for all places. Its size is set by n_embd alone, so it cannot know how many places there are.",
        "b": "The neighbours do differ. But follow row 0 through the two layers: at which step does another row come in?",
        "c": "Right. The same vector meets the same weights, so the same vector comes out.",
        "d": "Training moves the weights, and every place uses those same weights. Equal rows stay equal.",
    },
    passed="Right. The same vector meets the same weights, so the same vector comes out.",
    hints=[
        "A Linear layer works on the last axis. What does it do with the axis in front?",
        "Write down row 0 of the result. Then row 4. Which letters differ?",
    ],
    explain="Row t of the result is narrow(relu(widen(x[t]))). Rows 0 and 4 of x are equal, so these two are equal.",
    minutes=2,
    difficulty=1,
)

# %% nbgrader={"grade": true, "grade_id": "pi-two-copies", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("pi-two-copies", pi_two_copies)

# %% [markdown]
# So "two copies give equal rows" holds. Is it a good test? Try it on three other functions.
# One adds the mean of all tokens first. The others are attention, without and with a causal mask.


# %%
query, key, value = (nn.Linear(n_embd, n_embd) for _ in range(3))


def with_token_mean(x: Tensor) -> Tensor:
    """The feed-forward, after the mean of all tokens was added to each."""
    return feed_forward(x + x.mean(dim=-2, keepdim=True))


def attention(x: Tensor) -> Tensor:
    """One head in which every token reads every token."""
    return F.scaled_dot_product_attention(query(x), key(x), value(x))


def causal_attention(x: Tensor) -> Tensor:
    """One head in which a token reads itself and the tokens before it."""
    return F.scaled_dot_product_attention(query(x), key(x), value(x), is_causal=True)


layers = {
    "feed-forward": feed_forward,
    "feed-forward + token mean": with_token_mean,
    "attention": attention,
    "causal attention": causal_attention,
}
with torch.no_grad():
    for name, layer in layers.items():
        output = layer(x)
        print(f"{name:26} rows 0 and 4 differ by at most {(output[0] - output[4]).abs().max():.1e}")

# %% [markdown]
# The first three pass. Yet the second adds the mean of the sentence, and the third *is* attention.
#
# Equal rows in, equal rows out: a leak that treats both copies alike goes unseen. The test is weak.

# %% [markdown]
# ## Move one token, watch the others
#
# Ask the question itself. Move the vector of *one* token. Does the output of *another* token move?

# %% [markdown]
# ### Prediction: Who moves "sat"?
#
# "sat" is token 2. Where will its output move? Choose before you run on. A wrong guess costs nothing.
#
# - **a** in the feed-forward, when token 0 is moved
# - **b** in attention, when token 5 is moved
# - **c** in causal attention, when token 0 is moved
# - **d** in causal attention, when token 5 is moved
#
# Type a set of letters, such as `{"a", "d"}`.

# %% nbgrader={"grade": false, "grade_id": "pi-who-moves-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
pi_who_moves = ...  # a set of letters
### BEGIN SOLUTION
pi_who_moves = {"b", "c"}
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.choices(
    "pi-who-moves",
    answer={"b", "c"},
    options={
        "a": "Not a: the two layers work on one row at a time, and token 0 is another row.",
        "b": "b moves it: without a mask, token 5 has a weight in the average of token 2.",
        "c": "c moves it: a causal mask hides what comes later, and token 0 comes earlier.",
        "d": "Not d: token 5 comes later than token 2, and the mask hides it.",
    },
    passed="Right, all four. The Jacobian below measures how strongly.",
    hints=[
        "Row 2 of an attention output is a weighted average. Over which tokens?",
        "A causal mask lets row t see places 0 to t. Where is 5, where is 0?",
    ],
    explain="Attention reads every token, so token 5 counts. Causal attention reads tokens 0 to 2 for row 2: token 0 counts, token 5 does not. The feed-forward reads token 2 alone.",
    minutes=2,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "pi-who-moves", "locked": true, "points": 0, "schema_version": 3, "solution": false, "task": false}
check("pi-who-moves", pi_who_moves)

# %% [markdown]
# ### Exercise: A test that cannot be fooled
#
# Write `mixes_tokens(f)`. You get a function `f` that maps a tensor (B, T, C) to a tensor of the same shape,
# for any sizes. Choose the sizes and the numbers yourself.
#
# Return `True` if moving one token can move the output of another token of its sequence, else `False`.
#
# - `f` is a function or a module in eval mode. Call it; ask nothing else of it.
# - A leak may run from any token into any other, and in one direction only. It shows whenever T is 2 or more.
# - `f` may treat each place in its own way. That alone is no mixing.
# - Rounding is no mixing: a movement below 1e-5 does not count. Move a token by about 1,
#   and every leak here shows more than a hundred times that.
# - Sequences of a batch never mix here.
#
# Return one `True` or `False`. A tensor or a NumPy value that holds just one counts too.


# %% nbgrader={"grade": false, "grade_id": "pi-mixes-tokens-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def mixes_tokens(f: Callable[[Tensor], Tensor]) -> bool:
    """Whether moving one token of f's input, (B, T, C), moves the output of another token."""
    # your code here
    ### BEGIN SOLUTION
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(2, 5, 8, generator=generator)
    before = f(x)
    for t in range(5):
        moved = x.clone()
        moved[:, t] = torch.randn(2, 8, generator=generator)
        change = (f(moved) - before).abs().amax(dim=(0, 2))  # one number for each token
        change[t] = 0  # the moved token itself may move
        if change.max() > 1e-5:
            return True
    return False
    ### END SOLUTION


# %% tags=["exercise"]
from autograde import exercise

PLACE = "torch.arange(x.shape[1])[:, None]"
MEAN = "x.mean(1, keepdim=True)"
SCORES = "(x @ x.mT / x.shape[2]).tanh()"  # bounded, so that no input drowns a neighbour


def mixing_calls(draw):
    """Functions that mix tokens and functions that do not; the strength of a leak is drawn."""
    leak = draw.integer(3, 9) / 10
    functions = {
        "feed-forward": (
            "lambda x: F.relu(x + 0.5) - 2 * F.relu(x.roll(1, -1) - 0.25)",
            "A feed-forward that works on one token at a time does not mix tokens.",
        ),
        "identity": ("nn.Identity()", "A function that gives back its input does not mix tokens."),
        "positions": (
            f"lambda x: x + {PLACE}",
            "This function adds the place's number to each token. Places are treated differently, but no token reads another: that is no mixing.",
        ),
        "dropout": (
            "nn.Sequential(nn.Dropout(0.5), nn.ReLU()).eval()",
            "A module with dropout, in eval mode, works on each token alone.",
        ),
        "rounding": (
            f"lambda x: x * (2 + {MEAN}.tanh()) / (2 + {MEAN}.tanh())",
            "This function multiplies by a number and divides by it again. The neighbours change the last digit only: that is rounding, so compare with a tolerance.",
        ),
        "token mean": (f"lambda x: x + {leak} * {MEAN}", "A function that adds the mean of the tokens mixes them."),
        "normalised": (
            f"lambda x: (x - {MEAN}) / (1 + x.var(1, keepdim=True, correction=0)).sqrt()",
            "Normalising over the tokens mixes them: mean and variance are made from all.",
        ),
        "attention": (f"lambda x: ({SCORES}).softmax(-1) @ x", "Attention mixes tokens."),
        "causal attention": (
            f"lambda x: ({SCORES} + torch.full((x.shape[1], x.shape[1]), -torch.inf).triu(1)).softmax(-1) @ x",
            "Causal attention mixes tokens: a later one reads the earlier ones.",
        ),
        "last token": (f"lambda x: x + {leak} * x[:, -1:]", "Here only the last token leaks into the others. Move every token in turn."),
        "first into last": (
            f"lambda x: x + {leak} * x[:, :1] * ({PLACE} == x.shape[1] - 1)",
            "Here the first token leaks into the last, and nothing else does. Move every token in turn, and look at every other one.",
        ),
        "first into second": (
            f"lambda x: x + {leak} * x.roll(1, 1) * ({PLACE} == 1)",
            "Here the first token leaks into the second, and nothing else does. Move every token in turn, and look at every other one.",
        ),
        "second into first": (
            f"lambda x: x + {leak} * x.roll(-1, 1) * ({PLACE} == 0)",
            "Here the second token leaks into the first, and nothing else does. Move every token in turn, and look at every other one.",
        ),
        "small leak": (
            "lambda x: x + 0.01 * x.sum(1, keepdim=True)",
            "Here each token passes on a hundredth of its move. That is far more than rounding.",
        ),
        "reversed": ("lambda x: x.flip(1)", "A function that reverses the order hands each token's numbers to another place. Moving one token moves another output."),
        "one feature": (
            f"lambda x: x + {leak} * x.sum(1, keepdim=True) * (torch.arange(x.shape[2]) == x.shape[2] - 1)",
            "Here one number of each token leaks, the last one. Move a token's whole vector, and compare whole vectors.",
        ),
    }
    calls = [exercise.call(label, exercise.source(code), says=says) for label, (code, says) in functions.items()]
    # A stored list of answers must not pass: three more, whose truth is drawn.
    for number in (1, 2, 3):
        code, says = functions[draw.choice(list(functions))]
        calls.append(exercise.call(f"drawn {number}", exercise.source(code), says=says))
    return calls


SETUP = '''
import torch

def mixes_tokens(f):
    g = torch.Generator().manual_seed(1)
    x = torch.randn(2, 5, 8, generator=g)
    new = torch.randn(2, 5, 8, generator=g)
'''

exercise.function(
    "pi-mixes-tokens",
    calls=mixing_calls,
    equivalent={
        "generator = torch.Generator().manual_seed(1)": "Any other noise serves as well.",
        "if change.max() >= 1e-05:": "A change of exactly 1e-5 is as good as none or some: no module is made for it.",
        "if change.max() > 2e-05:": "The threshold has room: rounding stays far below it, a real change far above.",
    },
    wrong=[
        exercise.code(
            SETUP + "    return f(x).shape != x.shape",
            says="You say False for every f. Comparing shapes does that; so does moving x itself without clone(), a sequence of one token, or looking at the moved token alone.",
        ),
        exercise.code(
            SETUP + "    return not torch.allclose(f(x), f(new), atol=1e-5)",
            says="You say True for every f. The moved token's own output moves, of course: leave it out of the comparison. Do not move all tokens at once.",
        ),
        exercise.code(
            SETUP + "    x[:, 4] = x[:, 0]\n    y = f(x)\n    return not torch.allclose(y[:, 0], y[:, 4], atol=1e-5)",
            says="This is the two-copies test. Attention passes it, and so does the token mean; a position table fails it. Move one token and look at the others.",
        ),
        exercise.code(
            SETUP + "    return not torch.allclose(f(x).flip(1), f(x.flip(1)), atol=1e-5)",
            says="You shuffle the tokens and ask whether the output is shuffled alike. Attention passes that, and a position table fails it. Move one token instead.",
        ),
        exercise.edit(
            "for t in range(5):", "for t in [4]:",
            says="You move the last token only. A leak that starts anywhere else goes unseen, as in causal attention.",
        ),
        exercise.edit(
            "for t in range(5):", "for t in [0]:",
            says="You move the first token only. A leak that starts anywhere else goes unseen. If you do loop over the tokens: does `return False` stand inside the loop?",
        ),
        exercise.edit(
            "for t in range(5):", "for t in [2]:",
            says="You move one token in the middle only. A leak that starts anywhere else goes unseen. Move every token in turn.",
        ),
        exercise.edit(
            "change[t] = 0", "change[1:] = 0", "range(5)", "range(1, 5)",
            says="You look at the first token's output only. A leak into any other place goes unseen, as in causal attention.",
        ),
        exercise.edit(
            "change[t] = 0", "change[:-1] = 0", "range(5)", "range(4)",
            says="You look at the last token's output only. A leak into any other place goes unseen. Look at all of them.",
        ),
        exercise.code(
            SETUP + "    return not torch.allclose(f(x[:, :1]), f(x)[:, :1], atol=1e-5)",
            says="You compare the first token alone with the first token in company. In causal attention the first token reads nobody: the test sees no leak. Keep all tokens, and move each in turn.",
        ),
        exercise.code(
            SETUP + "    return not torch.equal(f(x[:, :1]), f(x)[:, :1])",
            says="You compare one token alone with the same token in company, bit for bit. Rounding differs there, and a leak into later tokens goes unseen. Move each token in turn, and allow 1e-5.",
        ),
        exercise.code(
            SETUP + "    y = f(x)\n    return any(not torch.allclose(f(x[:, t:t + 1]), y[:, t:t + 1], atol=1e-5) for t in range(5))",
            says="You cut each token out and compare. A token that is cut out stands at place 0 now, so a position table looks like mixing. Leave the tokens in their places, and move one.",
        ),
        exercise.edit(
            "change = (f(moved) - before).abs().amax(dim=(0, 2))", "change = (f(moved) != before).float().amax(dim=(0, 2))",
            says="You compare bit for bit. The last digit may move by rounding alone: allow 1e-5.",
        ),
        exercise.edit("> 1e-5", "> 0.2", says="Your tolerance is too wide: a leak of a hundredth slips through. Rounding stays below 1e-5."),
        exercise.edit(
            "moved[:, t] = torch.randn(2, 8, generator=generator)", "moved[:, t, 0] += 1",
            says="You move one number of a token only. Another number may be the one that leaks. Move the whole vector.",
        ),
        exercise.code(
            SETUP + "    y = f(x)\n    for t in range(5):\n        order = [i for i in range(5) if i != t]\n        moved = x.clone()\n"
            "        moved[:, order] = x[:, order[1:] + order[:1]]\n        if not torch.allclose(f(moved)[:, t], y[:, t], atol=1e-5):\n            return True\n    return False",
            says="You only shuffle the other tokens. A mean does not feel that, and attention does not either. Give them new numbers.",
        ),
        exercise.edit("return True", "return None", "return False", "return True", "return None", "return False", says="Your answers are the wrong way round: True means that tokens mix."),
        exercise.edit("    before = f(x)", "    f.eval()\n    before = f(x)", says="`f` need not be a module, so it may have no `eval`. It is in eval mode already: just call it."),
        exercise.edit("return True", "answer = True", "return False", "answer = False", says="Your function returns nothing. If you print the answer or keep it in a variable, `return` it instead."),
    ],
    right=[
        exercise.code('''
def mixes_tokens(f):
    x = torch.randn(1, 4, 16)
    y = f(x)
    for t in range(4):
        others = torch.randn(1, 4, 16)
        others[:, t] = x[:, t]
        if not torch.allclose(f(others)[:, t], y[:, t], atol=1e-5):
            return True
    return False
'''),
        exercise.code('''
def mixes_tokens(f):
    x = torch.randn(1, 3, 4)
    blocks = torch.autograd.functional.jacobian(f, x)[0, :, :, 0].abs().amax(dim=(1, 3))
    return bool((blocks - blocks.diag().diag()).max() > 1e-5)
'''),
        exercise.code('''
def mixes_tokens(f):
    with torch.no_grad():
        x = torch.zeros(3, 6, 2)
        base = f(x)
        for i in range(6):
            for j in range(6):
                if i == j:
                    continue
                y = x.clone()
                y[:, j] += 1.0
                if not torch.allclose(f(y)[:, i], base[:, i]):
                    return True
        return False
'''),
        exercise.code('''
def mixes_tokens(f):
    x = torch.randn(2, 5, 8)
    off = torch.zeros(5, 5)
    for t in range(5):
        y = x.clone()
        y[:, t] = torch.randn(2, 8)
        off[:, t] = (f(y) - f(x)).abs().amax(dim=(0, 2))
    return (off.fill_diagonal_(0) > 1e-5).any()
'''),
        exercise.code('''
import numpy as np

def mixes_tokens(f):
    x = torch.randn(1, 3, 4)
    old = f(x).detach().numpy()
    found = np.bool_(False)
    for t in range(3):
        y = x.clone()
        y[0, t] *= -2
        found |= np.abs(np.delete(f(y).detach().numpy() - old, t, axis=1)).max() > 1e-4
    return found
'''),
        exercise.code('''
def mixes_tokens(f):
    x = torch.rand(1, 2, 5)
    for t in (0, 1):
        y = x.clone()
        y[0, t] = -x[0, t] - 1
        try:
            torch.testing.assert_close(f(y)[0, 1 - t], f(x)[0, 1 - t])
        except AssertionError:
            return True
    return False
'''),
        exercise.code('''
def mixes_tokens(f):
    x = torch.randn(7, 1, 7, 3, dtype=torch.float64)
    steps = torch.eye(7, dtype=torch.float64)[:, None, :, None]
    moves = torch.stack([f(x[0] + step) - f(x[0]) for step in steps])[:, 0].norm(dim=-1)
    return moves.fill_diagonal_(0).max().item() > 1e-5
'''),
    ],
    passed="Right. Move every token in turn, look at every other one, and allow for rounding.",
    hints=[
        "Call f twice: on x, and on a clone in which one token has new numbers. Which rows of the two results may differ?",
        "Do that for every token t. Compare all rows but row t with `torch.allclose(..., atol=1e-5)`. One difference is enough for True.",
    ],
    explain="Draw x of shape (2, 5, 8). For each token t, clone x, give row t new random numbers, and compare f of both at every row except t. If one differs by more than 1e-5, return True. After the last token return False. New random numbers are better than the same number added to all: a layer that subtracts a token's mean would hide that.",
    minutes=12,
    difficulty=4,
)

# %% nbgrader={"grade": true, "grade_id": "pi-mixes-tokens", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("pi-mixes-tokens", mixes_tokens)

# %% [markdown]
# ## Measure who sees whom
#
# Your test says yes or no. The **Jacobian** says how strongly.
# It holds the derivative of every output number by every input number.
#
# Cut it into blocks. Block (t, s) belongs to output token t and input token s.
# Its norm is one number. Zero means that t does not see s.


# %%
def influence(f: Callable[[Tensor], Tensor], x: Tensor) -> Tensor:
    """Norms of the Jacobian's blocks: (T, T), output token by input token."""
    jacobian = torch.autograd.functional.jacobian(f, x)  # (T, C, T, C)
    return jacobian.pow(2).sum(dim=(1, 3)).sqrt()


norms = {name: influence(layer, x) for name, layer in layers.items()}

print('output token 2, "sat", by input tokens 0 to 5')
for name, norm in norms.items():
    print(f"{name:26}", " ".join(f"{number:5.2f}" for number in norm[2].tolist()))

# %% [markdown]
# The first line decides: one number is not zero, the token's own.
# The second line shows the leak that the two copies hid.
#
# Attention has no zero at all. In causal attention the zeros stand on the right.

# %%
shown = {"feed-forward": "feed_forward", "attention": "token", "causal attention": "token"}

figure, panels = plt.subplots(1, 3, figsize=(9.5, 3.6), sharey=True)
for panel, (name, colour) in zip(panels, shown.items(), strict=True):
    norm = norms[name]
    depth = (0.2 + 0.8 * norm / norm.max())[:, :, None]  # the stronger, the deeper the colour
    filled = 1 - depth * (1 - torch.tensor(to_rgb(COLOURS[colour])))
    panel.imshow(torch.cat([filled, (norm > 0)[:, :, None]], dim=2))  # a zero stays transparent
    for t, row in enumerate(norm.tolist()):
        for s, number in enumerate(row):
            label, ink = (f"{number:.1f}", "black") if number else ("0", COLOURS["neutral"])
            panel.text(s, t, label, ha="center", va="center", color=ink, fontsize=9)
    panel.set_title(name)
    panel.set_xticks(range(len(sentence)), sentence)
    panel.set_yticks(range(len(sentence)), sentence)
    panel.tick_params(length=0)
    panel.spines[:].set_visible(False)
panels[0].set_ylabel("output token")
panels[1].set_xlabel("input token")
plt.show()

print("Figure: three tables of block norms, one row for each output token, one column for each input token.")
for name in shown:
    norm = norms[name]
    own, below, above = norm.diagonal(), norm.tril(-1), norm.triu(1)
    print(
        f"  {name}: {int((norm == 0).sum())} of {norm.numel()} cells are zero;"
        f" {own.min():.1f} to {own.max():.1f} on the diagonal,"
        f" at most {below.max():.1f} below and {above.max():.1f} above it."
    )

# %% [markdown]
# ### Exercise: A mask for the feed-forward?
#
# A language model must not see the words that it has to predict, so its attention has a causal mask.
# Does the feed-forward need one too?
#
# - **a** No.
# - **b** Yes, like every layer that gets the whole sequence.
# - **c** Yes, but only in training, where all places run at once.
# - **d** No, as long as the attention before it had one; behind attention without a mask it would.
#
# Type a letter.

# %% nbgrader={"grade": false, "grade_id": "pi-mask-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
pi_mask = ...  # a letter in quotes
### BEGIN SOLUTION
pi_mask = "a"
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.choice(
    "pi-mask",
    answer="a",
    options={
        "a": "Right. Output t reads input t alone, so there is nothing to hide.",
        "b": "It gets the whole sequence, but it reads one row at a time. Look at the left table: what would the mask cover?",
        "c": "All places do run at once in training. But each reads its own row alone, so they could as well run one by one.",
        "d": "Without a mask in attention the model would cheat, that is true. But then the future is already inside the token's own row, and no mask in the feed-forward could take it out.",
    },
    passed="Right. Output t reads input t alone, so there is nothing to hide.",
    hints=[
        "A causal mask makes the entries right of the diagonal zero.",
        "Look at the left table of the figure: what stands right of its diagonal?",
    ],
    explain="A causal mask forbids output t to read inputs after t. The feed-forward's output t reads input t only, so it is causal as it stands.",
    minutes=2,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "pi-mask", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("pi-mask", pi_mask)

# %% [markdown]
# ## Shuffle the tokens
#
# Now change the order of the rows, and no number in them.

# %% [markdown]
# ### Exercise: Another order
#
# `order` is a permutation of 0 to 5. What is `feed_forward(x[order])`?
#
# - **a** the same as `feed_forward(x)`, in the old order
# - **b** new numbers: each place has its own weights
# - **c** the rows of `feed_forward(x)`, put back by the inverse permutation
# - **d** `feed_forward(x)[order]`: the rows, permuted alike
#
# Type a letter.

# %% nbgrader={"grade": false, "grade_id": "pi-permute-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
pi_permute = ...  # a letter in quotes
### BEGIN SOLUTION
pi_permute = "d"
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.choice(
    "pi-permute",
    answer="d",
    options={
        "a": "That would be *invariant*: blind to the order. Here each output row follows its input row, so the rows move. The word is equivariant.",
        "b": "All places share one pair of weights. A row gets the same numbers wherever it stands.",
        "c": "No step puts the rows back. Row i of the input is x[order[i]], and row i of the result is made from it.",
        "d": "Right. Each output row follows its input row: the function is permutation equivariant.",
    },
    passed="Right. Each output row follows its input row: the function is permutation equivariant.",
    hints=[
        "Row 0 of the new input is x[order[0]]. What is row 0 of the result?",
        "Write row i of both sides as a function of one row of x.",
    ],
    explain="Row i of feed_forward(x[order]) is the feed-forward of x[order[i]], which is row order[i] of feed_forward(x). That is feed_forward(x)[order].",
    minutes=2,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "pi-permute", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("pi-permute", pi_permute)

# %%
order = torch.tensor([5, 2, 0, 3, 1, 4])


def with_positions(x: Tensor) -> Tensor:
    """The feed-forward, after each place has added its own number."""
    return feed_forward(x + torch.arange(len(x))[:, None])


with torch.no_grad():
    for name, layer in (layers | {"feed-forward + positions": with_positions}).items():
        gap = (layer(x[order]) - layer(x)[order]).abs().max()
        off = influence(layer, x).fill_diagonal_(0).max()
        print(f"{name:26} shuffled first or after: {gap:.1e}   strongest look at a neighbour: {off:.2f}")

# %% [markdown]
# Two different things. **Equivariant**: the order does not matter (first column near zero).
# **Position-wise**: no token looks at another (second column zero).
#
# Attention is the first and not the second. The feed-forward with positions is the second and not the first.
# The plain feed-forward is both.

# %% [markdown]
# ## Alone or in company
#
# If a row reads nobody, it should not matter who else is in the batch. Should it?

# %% [markdown]
# ### Prediction: One row alone
#
# Feed one row to `feed_forward` alone. Feed it again as row 0 of a larger batch. Compare the two results, bit for bit.
# No points: machines differ, and yours will show its own table.
#
# - **a** equal bit for bit, on every machine and for every batch
# - **b** equal up to rounding; the bits depend on the machine and on the batch
# - **c** clearly different, because the other rows take part
#
# Type a letter.

# %% nbgrader={"grade": false, "grade_id": "pi-alone-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
pi_alone = ...  # a letter in quotes
### BEGIN SOLUTION
pi_alone = "b"
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.choice(
    "pi-alone",
    answer="b",
    options={
        "a": "Your machine may show exactly that, for some sizes or for all. But no one promises it: another batch size may use another routine, which adds in another order.",
        "b": "Right. Your machine may show equal bits in some rows of the table and not in others; both happen. As a function the two are equal.",
        "c": "As a function nothing else takes part. Your machine may show a difference, and it will be as small as rounding.",
    },
    passed="Right. Your machine may show equal bits in some rows of the table and not in others; both happen.",
    hints=[
        "Float addition rounds after each step. Does the order of the terms matter then?",
        "A library picks its multiplication routine by the sizes. Must two routines add in the same order?",
    ],
    explain="Each output is a sum of many products, rounded on the way. A library may add them in another order for another batch size, so the last bits may differ. Which sizes do is a matter of the machine.",
    minutes=2,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "pi-alone", "locked": true, "points": 0, "schema_version": 3, "solution": false, "task": false}
check("pi-alone", pi_alone)

# %%
company = torch.cat([x[2:3], torch.randn(batch_size - 1, n_embd)])

with torch.no_grad():
    alone = feed_forward(company[:1])[0]
    size = 1
    while size <= batch_size:
        row = feed_forward(company[:size])[0]
        same = "yes" if torch.equal(row, alone) else "no"
        print(f"batch of {size:2}   equal bit for bit: {same:3}   largest difference {(row - alone).abs().max():.1e}")
        size *= 2

    precise = feed_forward.double()(company[:1].double())[0]
    feed_forward.float()  # back, without loss: doubles hold every float
print(f"the row alone, against the same sum with twice as many bits: {(alone - precise).abs().max():.1e}")

# %% [markdown]
# This table is your machine's own. Another machine may print another one.
#
# Compare its differences with the last line. No batch is the right one: each result is rounded.
#
# The rule: **equal as a function, close in floats.** So a test needs a tolerance.

# %% [markdown]
# ## One layer, two names
#
# A convolution slides a window over the tokens. Let the window be one token wide.
# Then it sees one token at a time, with the same weights everywhere.

# %% [markdown]
# ### Exercise: The weight of a convolution
#
# What is the shape of `nn.Conv1d(128, 512, 1).weight`? Type a tuple, such as `(3, 7)`.

# %% nbgrader={"grade": false, "grade_id": "pi-conv-weight-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
pi_conv_weight = ...  # a tuple
### BEGIN SOLUTION
pi_conv_weight = (512, 128, 1)
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.shape(
    "pi-conv-weight",
    answer=(512, 128, 1),
    wrong={
        (128, 512, 1): "That is the order in which you write the arguments. Torch keeps the outputs first, as it does for a Linear layer.",
        (512, 128): "That is the weight of the Linear layer. A convolution has an axis for its window too, even if the window is one wide.",
        (128, 512): "Outputs come first, as in a Linear layer, and the window has an axis of its own.",
        (1, 128, 512): "Some libraries put the window first and the outputs last. Torch does the reverse.",
        (512, 1, 128): "The window's axis is the last one. In a convolution the features stand before the places.",
        (512, 1, 1): "One weight for each output would read one feature only. Each output reads all 128.",
        (1, 512, 128): "The window's axis is there, but at the wrong end: torch keeps it last.",
        (512,): "That is the shape of the bias.",
    },
    passed="Right. It is the weight of a Linear layer with one more axis: outputs, inputs, window.",
    hints=[
        "Which axes does the weight of `nn.Linear(128, 512)` have, and in which order?",
        "A convolution has such a matrix for each place in its window. Torch puts the window last.",
    ],
    explain="Outputs, inputs, window: (512, 128, 1).",
    minutes=2,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "pi-conv-weight", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("pi-conv-weight", pi_conv_weight)

# %% [markdown]
# ### Exercise (stretch): The feed-forward as convolutions
#
# Write the module `ConvFeedForward(n_embd, widen=4)`: two `nn.Conv1d` with kernel 1, ReLU between them, biases in both.
# It maps (B, T, n_embd) to (B, T, n_embd). No residual, no norm, no dropout.
#
# Mind the axes. `Conv1d` wants the features *before* the places: (B, C, T).
#
# The check judges what your module does: its outputs, its number of parameters, who depends on whom.
# Another layer that does the same passes too, but the convolution is the exercise.


# %% nbgrader={"grade": false, "grade_id": "pi-conv-ff-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
class ConvFeedForward(nn.Module):
    """The feed-forward as two convolutions with kernel 1: (B, T, n_embd) -> (B, T, n_embd)."""

    def __init__(self, n_embd: int, widen: int = 4) -> None:
        """Make the two convolutions; widen says how many times longer the vector is between them."""
        super().__init__()
        # your code here
        ### BEGIN SOLUTION
        self.widen = nn.Conv1d(n_embd, widen * n_embd, 1)
        self.narrow = nn.Conv1d(widen * n_embd, n_embd, 1)
        ### END SOLUTION

    def forward(self, x: Tensor) -> Tensor:
        """Apply them to x, (B, T, n_embd)."""
        # your code here
        ### BEGIN SOLUTION
        features_first = x.transpose(1, 2)
        hidden = torch.relu(self.widen(features_first))
        return self.narrow(hidden).transpose(1, 2)
        ### END SOLUTION


# %% tags=["exercise"]
from autograde import exercise


def conv_cases(draw):
    """Three widening factors; one input is square, T = C, where a forgotten transpose runs."""
    batch, tokens, width = draw.sizes(3, low=3)
    fills = [(0.2, 0.1), (-0.3, 0.2), (0.1, -0.4)]
    inputs = [draw.normal(batch, width, width), draw.normal(batch, tokens, width)]
    return [
        exercise.case("four times as wide", width, inputs=inputs, fills=fills, says="With the default widening, 4, the output is off."),
        exercise.case("twice as wide", width, widen=2, inputs=inputs, fills=fills, says="With widen=2 the output is off."),
        exercise.case("three times as wide", width, 3, inputs=inputs, fills=fills, drawn=True, says="With 3 as second argument the output is off."),
    ]


IN, OUT = "x.transpose(1, 2)", "self.narrow(hidden).transpose(1, 2)"
FIRST, SECOND = "nn.Conv1d(n_embd, widen * n_embd, 1)", "nn.Conv1d(widen * n_embd, n_embd, 1)"
RELU = "torch.relu(self.widen(features_first))"

exercise.module(
    "pi-conv-ff",
    cases=conv_cases,
    wrong=[
        exercise.edit(
            IN, "x", OUT, "self.narrow(hidden)",
            says="The transposes are missing, or they swap the wrong axes: the convolution took your tokens for features. Swap axes 1 and 2 before it, and back after it.",
        ),
        exercise.edit(OUT, "self.narrow(hidden)", says="You swap the axes on the way in and not on the way out: the result is (B, n_embd, T)."),
        exercise.edit(
            IN, "x", OUT, "self.narrow(hidden).transpose(1, 2)",
            says="You swap the axes on the way out and not on the way in. The convolution took your tokens for features.",
        ),
        exercise.edit(
            IN, "x.reshape(x.shape[0], x.shape[2], x.shape[1])", OUT, "self.narrow(hidden).reshape(x.shape)",
            says="`view` and `reshape` do not swap axes: they cut the same row of numbers elsewhere, and tokens mix. Use `transpose(1, 2)`.",
        ),
        exercise.edit(
            FIRST, "nn.Conv1d(n_embd, widen * n_embd, 3, padding=1)",
            says="The first convolution has a window of 3: a token sees its two neighbours. Use kernel 1, without padding.",
        ),
        exercise.edit(
            SECOND, "nn.Conv1d(widen * n_embd, n_embd, 3, padding=1)",
            says="The second convolution has a window of 3: a token sees its two neighbours. Use kernel 1, without padding.",
        ),
        exercise.edit(
            FIRST, "nn.Conv1d(n_embd, widen * n_embd, 3, padding=1)", SECOND, "nn.Conv1d(widen * n_embd, n_embd, 3, padding=1)",
            says="Both convolutions have a window of 3, so a token sees two neighbours on each side. Use kernel 1, without padding.",
        ),
        exercise.edit(
            FIRST, "nn.Conv1d(n_embd, widen * n_embd, 3)", SECOND, "nn.Conv1d(widen * n_embd, n_embd, 3)",
            says="The windows are 3 wide and there is no padding: the sequence gets shorter, and tokens mix. Use kernel 1.",
        ),
        exercise.edit(
            FIRST, "nn.Conv1d(n_embd, widen * n_embd, 1, padding=1)", SECOND, "nn.Conv1d(widen * n_embd, n_embd, 1, padding=1)",
            says="Padding belongs to wider windows. With kernel 1 it makes the sequence longer.",
        ),
        exercise.edit(
            f"        self.narrow = {SECOND}\n", "", FIRST, "nn.Conv1d(n_embd, n_embd, 1)", OUT, "hidden.transpose(1, 2)",
            says="There is one layer only, with ReLU after it. A feed-forward has two, and nothing after the second.",
        ),
        exercise.edit(
            f"        self.narrow = {SECOND}\n", "", FIRST, "nn.Conv1d(n_embd, n_embd, 1)", RELU, "self.widen(features_first)",
            OUT, "hidden.transpose(1, 2)",
            says="There is one convolution only. That is one Linear layer by another name; a feed-forward has two, with ReLU between.",
        ),
        exercise.edit(
            RELU, "self.widen(features_first)",
            says="There is no activation between the two layers, so they are one linear map.",
        ),
        exercise.edit(
            RELU, "self.widen(features_first)", OUT, "torch.relu(self.narrow(hidden)).transpose(1, 2)",
            says="ReLU stands after the second layer. It belongs between the two.",
        ),
        exercise.edit(OUT, "torch.relu(self.narrow(hidden)).transpose(1, 2)", says="There is a second ReLU after the last layer. Then no output could be negative."),
        exercise.edit(
            RELU, "self.widen(torch.relu(features_first))",
            says="ReLU stands before the first layer: it drops the negative half of the input. It belongs between the two layers.",
        ),
        exercise.edit(RELU, "F.gelu(self.widen(features_first))", says="This is GELU. This exercise asks for ReLU."),
        exercise.edit(
            FIRST, "nn.Conv1d(n_embd, widen * n_embd, 1, bias=False)", SECOND, "nn.Conv1d(widen * n_embd, n_embd, 1, bias=False)",
            says="Both convolutions lack their bias.",
        ),
        exercise.edit(FIRST, "nn.Conv1d(n_embd, widen * n_embd, 1, bias=False)", says="The first convolution lacks its bias."),
        exercise.edit(SECOND, "nn.Conv1d(widen * n_embd, n_embd, 1, bias=False)", says="The second convolution lacks its bias."),
        exercise.edit(
            FIRST, "nn.Conv1d(n_embd, 4 * n_embd, 1)", SECOND, "nn.Conv1d(4 * n_embd, n_embd, 1)",
            says="The middle is 4 * n_embd whatever `widen` says. Use the argument.",
        ),
        exercise.edit(
            FIRST, "nn.Conv1d(n_embd, widen * n_embd, 1, groups=n_embd)", SECOND, "nn.Conv1d(widen * n_embd, n_embd, 1, groups=n_embd)",
            says="With groups, each feature is worked on alone. Every feature of a token reads all features of that token: leave groups out.",
        ),
        exercise.edit(OUT, "x + self.narrow(hidden).transpose(1, 2)", says="You add x to the result. The residual belongs to the block around this part."),
        exercise.edit(
            f"self.widen = {FIRST}", f"self.layers = [{FIRST}, {SECOND}]", f"        self.narrow = {SECOND}\n", "",
            "self.widen(features_first)", "self.layers[0](features_first)", "self.narrow(hidden)", "self.layers[1](hidden)",
            says="The layers stand in a plain list, so torch does not find their parameters. Make each an attribute, or use nn.ModuleList.",
        ),
        exercise.edit("        return self.narrow", "        self.narrow", says="`forward` gives back nothing. Did you forget `return`?"),
        exercise.edit("        super().__init__()\n", "", says="`super().__init__()` is missing. nn.Module needs it before you give it layers."),
    ],
    right=[
        exercise.edit(IN, "x.movedim(-1, 1)", OUT, "self.narrow(hidden).movedim(1, -1)"),
        exercise.edit(IN, "x.mT", RELU, "self.widen(features_first).relu_()", OUT, "self.narrow(hidden).mT.contiguous()"),
        exercise.edit(
            f"self.widen = {FIRST}", f"self.layers = nn.Sequential({FIRST}, nn.ReLU(), {SECOND})", f"        self.narrow = {SECOND}\n", "",
            RELU, "self.layers(features_first)", OUT, "torch.einsum('bct->btc', hidden)",
        ),
        exercise.code('''
class ConvFeedForward(nn.Module):
    def __init__(self, n_embd, widen=4):
        super().__init__()
        self.down = nn.Conv2d(widen * n_embd, n_embd, kernel_size=1)
        self.up = nn.Conv2d(n_embd, widen * n_embd, kernel_size=(1, 1))

    def forward(self, x):
        image = x.permute(0, 2, 1).unsqueeze(-1)
        return self.down(F.relu(self.up(image))).squeeze(-1).permute(0, 2, 1)
'''),
        exercise.code('''
class ConvFeedForward(nn.Module):
    def __init__(self, size, widen=4):
        super().__init__()
        self.up = nn.Conv1d(size, widen * size, 1)
        self.down = nn.Conv1d(widen * size, size, 1)

    def forward(self, x):
        b, t, c = x.shape
        tokens = x.reshape(b * t, c, 1)
        return self.down(self.up(tokens).clamp(min=0)).reshape(b, t, c)
'''),
        exercise.code('''
class ConvFeedForward(nn.Module):
    def __init__(self, n_embd, widen=4):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(n_embd, widen * n_embd), nn.ReLU(), nn.Linear(widen * n_embd, n_embd))

    def forward(self, x):
        return self.layers(x)
'''),
    ],
    says={
        "parameters": "The number of parameters is off. Two convolutions with kernel 1, a weight and a bias each, with widen * n_embd numbers between them.",
        "unchanged": "Your module changes its input x. Work on a new tensor.",
        "repeatable": "The same input gave two different outputs in eval(). Is something random left on?",
        "tokens": "An output token moves when another token moves. With kernel 1 and the right axes each goes through alone.",
        "batch": "One sequence of the batch changes another. Each goes through alone.",
        "gradients": "Some parameter gets no gradient, so training could not move it.",
    },
    passed="Right. Swap the axes, convolve with kernel 1, ReLU, convolve, swap back: a feed-forward.",
    hints=[
        "Copy the feed-forward: `nn.Conv1d(inputs, outputs, 1)` takes its sizes in the same order as `nn.Linear`. Then see to the axes.",
        "In `forward`: `x.transpose(1, 2)` on the way in, the two convolutions with `torch.relu` between them, and `transpose(1, 2)` on the way out.",
    ],
    explain="Make nn.Conv1d(n_embd, widen * n_embd, 1) and nn.Conv1d(widen * n_embd, n_embd, 1) in `__init__`. In `forward` swap axes 1 and 2 of x, apply the first, torch.relu, the second, and swap the axes back.",
    minutes=8,
    difficulty=3,
    stretch=True,
)

# %% nbgrader={"grade": true, "grade_id": "pi-conv-ff", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
check("pi-conv-ff", ConvFeedForward)

# %% [markdown]
# People say that a 1x1 convolution *is* an MLP. Measure it.
#
# First give a convolution the weights of one `Linear`, and compare.
# Then look for the best single layer in the place of the whole feed-forward.


# %%
def best_single_layer_leaves(f: Callable[[Tensor], Tensor]) -> float:
    """The share of f's variance, on new tokens, that the best Linear layer cannot explain."""
    seen, new = torch.randn(2, 4096, n_embd, dtype=torch.float64)
    ones = torch.ones(len(seen), 1, dtype=torch.float64)
    with torch.no_grad():
        fitted = torch.linalg.lstsq(torch.cat([seen, ones], 1), f(seen.float()).double()).solution
        target = f(new.float()).double()
    rest = target - torch.cat([new, ones], 1) @ fitted
    return float(rest.var() / target.var())


linear, convolution = feed_forward[0], nn.Conv1d(n_embd, 4 * n_embd, 1)
convolution.load_state_dict({"weight": linear.weight[:, :, None], "bias": linear.bias})


def one_convolution(x: Tensor) -> Tensor:
    """The convolution, on tokens in rows: (T, C)."""
    return convolution(x.T).T


with torch.no_grad():
    gap = (one_convolution(x) - linear(x)).abs().max()
print(f"a 1x1 convolution and one Linear layer differ by at most {gap:.1e}")
print("What is left over by the best single layer, in the place of")
print(f"  one 1x1 convolution: {best_single_layer_leaves(one_convolution):.1e} of the variance")
print(f"  the feed-forward:    {best_single_layer_leaves(feed_forward):.2f} of the variance")

# %% [markdown]
# A 1x1 convolution is *one* layer at each place, up to rounding: the first two numbers say so.
# The last number is not rounding. No single layer is the feed-forward.
# A Transformer's MLP is *two* layers with an activation between them.
#
# So the saying is right where "MLP" means one layer for each place, and wrong for a Transformer's MLP.

# %% [markdown]
# ### Exercise (stretch): A wider window
#
# How many parameters does `nn.Conv1d(128, 512, 3)` have? Type a whole number, such as `1024` or `1_024` (not `1,024`).

# %% nbgrader={"grade": false, "grade_id": "pi-conv-count-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
pi_conv_count = ...  # a whole number
### BEGIN SOLUTION
pi_conv_count = 197_120
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.number(
    "pi-conv-count",
    answer=197_120,
    wrong={
        66_048: "That is kernel 1. A window of three places has a matrix for each of them.",
        65_536: "That is one matrix without a bias. A window of three places has three matrices, and each output has a bias.",
        196_608: "You counted the three matrices and left out the bias.",
        198_144: "You gave each of the three places in the window its own bias. There is one bias for each output.",
        196_736: "You gave each input a bias. There is one for each output.",
        196_611: "You counted a bias for each place in the window. There is one for each output.",
        196_609: "One bias is not enough: each output has its own.",
        2_048: "You let each output read one feature. It reads all 128, at three places.",
        393_728: "You counted a second layer too. The question is about one convolution.",
    },
    passed="Right: three matrices of 512 * 128, and one bias for each output.",
    hints=[
        "The weight has an axis for the window. How long is it now?",
        "512 * 128 * 3 weights. The bias is added once, after the sum over the window.",
    ],
    explain="512 * 128 * 3 = 196,608 weights and 512 biases: 197,120.",
    minutes=3,
    difficulty=2,
    stretch=True,
)

# %% nbgrader={"grade": true, "grade_id": "pi-conv-count", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("pi-conv-count", pi_conv_count)

# %%
window = nn.Conv1d(n_embd, n_embd, 3, padding=1)
seen = influence(lambda x: window(x.T).T, x)[2]
print("a window of three:", " ".join(f"{number:5.2f}" for number in seen.tolist()))

# %% [markdown]
# With a window of three, "sat" sees one neighbour on each side. That is a convolution that mixes tokens.

# %% [markdown]
# ## Key points
#
# - In the feed-forward a token does not see its neighbours: moving one row moves no other row.
# - Two equal rows, or a shuffle, test this badly. Move each token, watch all others, and allow for rounding.
# - A 1x1 convolution is one layer at each place; the feed-forward is two, with an activation between.
#
# ## Look back
#
# **Lesson 2.** You shuffle the tokens, with no positions and no mask. What happens to the outputs of attention, and why?
#
# <details><summary>Answer</summary>
#
# They are shuffled alike. Each row is a weighted average over a set of tokens, and a set has no order.
# The weight of a token goes with it, wherever it stands.
#
# </details>
#
# **Lesson 4.** Two 1x1 convolutions follow each other, and nothing stands between them. How many layers are they worth?
#
# <details><summary>Answer</summary>
#
# One. Two linear maps in a row are one linear map, and a 1x1 convolution is a linear map with a bias at each place.
#
# </details>
#
# ## Sources
#
# - Vaswani et al., 2017, *Attention Is All You Need* (section 3.3 calls the feed-forward two convolutions with kernel size 1)
# - Lin, Chen and Yan, 2014, *Network In Network* (convolutions with a window of one)
# - Zaheer et al., 2017, *Deep Sets* (equivariant and invariant)
# - Shen et al., 2021, *Efficient Attention: Attention with Linear Complexities*, and the discussion of its code, *why no activate function?*
# - A lesson page, *The Feed-Forward Part*, whose two-copies experiment this lesson puts to the test
