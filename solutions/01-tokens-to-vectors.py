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

# %% nbgrader={"grade": false, "grade_id": "tokens-to-vectors-lesson", "locked": true, "schema_version": 3, "solution": false, "task": false}
from autograde import check, dimensions, hint, lesson, progress, solution

lesson("tokens-to-vectors")

# %% [markdown]
# # 1. Tokens to vectors
#
# Our sentence is `the cat sat on the mat`. It goes with you through the whole course.
#
# A network computes with numbers, not with words. You follow the sentence until each of its tokens has three vectors: a
# query, a key and a value. Attention, which uses them, waits for lesson 2.

# %% [markdown]
# ## 1. From words to rows
#
# A model keeps a table with one row for each different token. How many rows does our sentence need? Count, then run the
# cell.

# %%
import math

import matplotlib.pyplot as plt
import torch
from matplotlib.colors import to_rgb
from torch import Tensor, nn
from torch.nn import functional as F

from explorables import COLOURS, use_style

use_style()
n_embd, n_head, block_size = dimensions("n_embd", "n_head", "block_size")

torch.manual_seed(0)
tokens = ["the", "cat", "sat", "on", "the", "mat"]
words = list(dict.fromkeys(tokens))  # each different word once
ids = torch.tensor([words.index(token) for token in tokens])
table = nn.Embedding(len(words), n_embd)
x = table(ids).detach()

print(f"{len(tokens)} tokens, {len(words)} rows in the table, {n_embd} numbers in a row")
for place, (token, number) in enumerate(zip(tokens, ids.tolist(), strict=True)):
    beginning = " ".join(f"{value:5.2f}" for value in x[place, :3].tolist())
    print(f"place {place}  {token:>3}  id {number}  its row: {beginning} ...")

# %% [markdown]
# A token becomes an **id**: the number of its row. The row is the token's **embedding**.
#
# The numbers are random, for nothing is learned yet. Training moves them as it moves any other weight.
#
# Here a token is a word. Real vocabularies are much larger and hold pieces of words too.

# %% [markdown]
# ## 2. Three axes
#
# One token is one row. A sentence is a matrix: its tokens' rows, one under the other.
#
# A network works on many sentences of equal length at once. They are stacked along a new axis, which stands first.

# %% [markdown]
# ### Exercise: A batch of sentences
# Four sentences of 8 tokens each are looked up together. A row of the table has 128 numbers. What is the shape of the
# result?
#
# Type a shape, such as `(3, 7)`.

# %% nbgrader={"grade": false, "grade_id": "tv-shape-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
tv_shape = ...  # a shape
### BEGIN SOLUTION
tv_shape = (4, 8, 128)
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.shape(
    "tv-shape",
    answer=(4, 8, 128),
    wrong={
        (4, 128, 8): "You let the numbers of a token run down and the tokens across. In torch's layers a token is a row: "
        "its numbers stand on the last axis.",
        (8, 128): "That is one sentence: 8 rows of 128 numbers. The axis that counts the four sentences is missing.",
        (4, 8): "That is the shape of the ids: one whole number a token. The table turns each id into a row of numbers.",
        (32, 128): "You put the four sentences into one long one. They keep an axis of their own, so that none reads "
        "another.",
        (8, 4, 128): "You let the tokens stand first. Some libraries do. Here the sentences are the first axis.",
        (128, 8, 4): "The order is turned around. From the outside in: sentences, tokens of a sentence, numbers of a "
        "token.",
        (8, 128, 4): "The new axis, which counts sentences, stands first and not last.",
        (4, 128): "That is one row a sentence. Nothing has been merged yet: each of the 8 tokens still has its own row.",
        (4, 1024): "You glued the 8 rows of a sentence together. Tokens keep an axis of their own.",
        (4, 8, 1): "One number a token would be its id. The table gives each token a whole row.",
        (4, 6, 128): "Our sentence has 6 tokens, but these four have 8 each.",
        (128, 4, 8): "The numbers of a token stand on the last axis, and the sentences on the first.",
        (8, 4): "Two things are off. The numbers of each token are missing, and the sentences are the first axis.",
        (4, 8, 5): "You gave each token one number for each row of the table. It gets the row itself.",
        (5, 128): "That is the table: one row for each different word of our sentence.",
        (4, 8, 32): "You have already shared out the numbers among heads. The table's row is whole, 128 long.",
    },
    passed="Right. From the outside in: sentences, tokens of a sentence, numbers of a token.",
    hints=[
        "Start with one sentence. It is a matrix: how many rows has it, and how long is each?",
        "Stack such matrices along a new axis in front. How many are there?",
    ],
    explain="One sentence is 8 rows of 128 numbers, (8, 128). Four of them, stacked along a new first axis, are (4, 8, "
    "128).",
    minutes=2,
    difficulty=1,
)

# %% nbgrader={"grade": true, "grade_id": "tv-shape", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("tv-shape", tv_shape)

# %%
four_sentences = torch.randint(len(words), (4, 8))
batch = table(four_sentences)
meanings = ["batch: sentences", "time: tokens", "channels: numbers"]
for letter, size, meaning in zip("BTC", batch.shape, meanings, strict=True):
    print(f"{letter} = {size:3d}  {meaning}")
print("shape:", tuple(batch.shape))

# %% [markdown]
# Every lesson uses these three letters. **B** counts the sentences of a batch, **T** the tokens of a sentence, **C** the
# numbers of a token.

# %% [markdown]
# ## 3. One vector, three parts to play
#
# When tokens meet, each of them plays three parts.
#
# - As a **query** it says what it looks for.
# - As a **key** it says what it can be found by.
# - As a **value** it says what it hands over when it is found.
#
# One vector cannot play three parts well. So each part gets a vector of its own, made from `x` by a Linear layer, a
# **projection**. There are three layers, each with its own weights and bias.
#
# All this happens in several **heads** side by side. They share out the width `n_embd` evenly among them.

# %% [markdown]
# ### Exercise: The size of a head
# `n_embd` is 128 and `n_head` is 4. How many numbers has the query of one token in one head?
#
# Type a whole number.

# %% nbgrader={"grade": false, "grade_id": "tv-head-size-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
tv_head_size = ...  # a whole number
### BEGIN SOLUTION
tv_head_size = 32
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.number(
    "tv-head-size",
    answer=32,
    wrong={
        128: "That is the whole width. A head gets an equal share of it, and there are several heads.",
        512: "You multiplied. More heads do not make the vector longer: they share out what there is.",
        4: "That is the number of heads. How long is the share of each?",
        96: "That is query, key and value of one head together. The question is about its query alone.",
        124: "You subtracted. The heads share the width out evenly: divide.",
        132: "You added the two sizes. The heads share the width out evenly: divide.",
        exercise.either(42.67, 128 / 3, 43, 42): "You divided by three, for query, key and value. These do not share the "
        "width: each has all of it, over all heads. The heads share it.",
        exercise.either(10.67, 128 / 12, 11): "You divided by the heads and then by three. Query, key and value do not "
        "share: each has all of a head's numbers.",
        384: "That is query, key and value over the whole width. The question is about one query in one head.",
        256: "You doubled the width. The heads share it out evenly: divide.",
        0.03125: "You divided the other way round. It is the width that is shared out.",
        33: "A bias adds to each number of the query; it makes no number more.",
        64: "You halved the width once too few. Or did you take the block size, the most tokens in a sentence?",
        16: "You halved the width once too often. Divide by the number of heads.",
        8: "That is the number of tokens in the last exercise. The size of a head does not depend on it.",
    },
    passed="Right. Four heads share out the width, and together they have it all again.",
    hints=[
        "The heads side by side have as many numbers together as one row of `x`.",
        "Each head gets an equal share. What is being shared out, and among how many?",
    ],
    explain="The heads share out n_embd evenly: 128 / 4 = 32. The same holds for keys and values.",
    minutes=2,
    difficulty=1,
)

# %% nbgrader={"grade": true, "grade_id": "tv-head-size", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("tv-head-size", tv_head_size)

# %%
head_size = n_embd // n_head
to_query, to_key, to_value = (nn.Linear(n_embd, head_size) for _ in range(3))
with torch.no_grad():
    q, k, v = to_query(x), to_key(x), to_value(x)
for name, vectors in {"query": q, "key": k, "value": v}.items():
    first = " ".join(f"{number:5.2f}" for number in vectors[1, :4].tolist())
    print(f"{name:5} of the tokens {tuple(vectors.shape)}, of cat: {first} ...")

# %% [markdown]
# Three vectors for `cat`, all made from one row of the table. These are the vectors of one head; the others have
# projections of their own.
#
# But `the` stands in our sentence twice.

# %% [markdown]
# ### Exercise: One token, two places
# Tokens 0 and 4 are both `the`. Nothing in `x` says where a token stands. Are the queries of tokens 0 and 4 equal?
#
# - **a** no: each place has projection weights of its own
# - **b** no: other words stand around the second one
# - **c** no: a fresh layer gives random numbers, so other ones each time
# - **d** yes
# - **e** in this head yes, in the other heads no
#
# Type a letter in quotes, such as `"a"`.

# %% nbgrader={"grade": false, "grade_id": "tv-same-token-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
tv_same_token = ...  # a letter
### BEGIN SOLUTION
tv_same_token = "d"
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.choice(
    "tv-same-token",
    answer="d",
    options={
        "a": "There is one `to_query`, and every token goes through it. Its size does not even depend on T.",
        "b": "The words around do differ. But a projection works on one row at a time: no other token comes in.",
        "c": "The weights were random once, when the layer was made. Since then they stand still: the same row in gives "
        "the same numbers out.",
        "d": "Right. The same row of the table goes through the same weights. Keys and values are equal too.",
        "e": "Another head has other weights, so it makes another query. But it makes the same one for both tokens.",
    },
    hints=[
        "Write down how the query of token 0 is made, step by step. Then do it for token 4.",
        "Both ids are the same number, so both rows are the same. What could make a difference after that?",
    ],
    explain="Both tokens have the same id, so they have the same row of the table. A projection turns equal rows into "
    "equal vectors. So query, key and value are all equal, in every head.",
    minutes=2,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "tv-same-token", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("tv-same-token", tv_same_token)

# %%
shown = {"token": x[:, :head_size], "query": q, "key": k, "value": v}

figure, panels = plt.subplots(1, len(shown), figsize=(9.5, 2.6), sharey=True)
for panel, (name, vectors) in zip(panels, shown.items(), strict=True):
    strength = vectors.abs() / vectors.abs().max()  # the stronger a number, the less transparent
    own, grey = (torch.tensor(to_rgb(COLOURS[colour])) for colour in (name, "neutral"))
    colours = torch.where(vectors[:, :, None] > 0, own, grey)
    panel.imshow(torch.cat([colours, strength[:, :, None]], dim=2), aspect="auto")
    panel.set_title("row of the table" if name == "token" else name, color=COLOURS[name])
    panel.set_xticks([head_size / 2], [f"first {head_size} numbers" if name == "token" else f"{head_size} numbers"])
    panel.set_yticks(range(len(tokens)), tokens)
    panel.tick_params(length=0)
    panel.spines[:].set_visible(False)
plt.show()

print("Figure: six tokens as stripes in four panels. A coloured cell is a positive number, a grey one")
print("negative; the stronger, the larger. The largest differences:")
for name, vectors in shown.items():
    twice, other = ((vectors[0] - vectors[place]).abs().max() for place in (4, 1))
    print(f'  {name:5}: {twice:.2f} between "the" and "the", {other:.2f} between "the" and "cat"')

# %% [markdown]
# Find the two equal stripes in each panel. Whatever is made of them, the two `the` stay one and the same.

# %% [markdown]
# ## 4. Where a token stands
#
# A second table helps: one row for each *place*. Each token gets the sum of two rows, its own and that of its place.
# Both tables are fresh, drawn at random in the same way.
#
# Compare two vectors by their **cosine**. It is 1 for the same direction and about 0 for two that have nothing in
# common.

# %% [markdown]
# ### Prediction: How alike are they now?
# Each token's vector is now word plus place. Compare the queries of the two `the`. What will the run find?
#
# - **a** cosine about 1: it is still the same word
# - **b** cosine about 0: like two different words
# - **c** in between
# - **d** cosine about -1: the places push them apart
#
# Type a letter in quotes. A prediction costs no points.

# %% nbgrader={"grade": false, "grade_id": "tv-predict-place-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
tv_predict_place = ...  # a letter
### BEGIN SOLUTION
tv_predict_place = "c"
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.choice(
    "tv-predict-place",
    answer="c",
    options={
        "a": "The word's part is still the same. But the place's part, as large as the other, is not. Run the cell.",
        "b": "The place's part has nothing in common. But the word's part is still in both. Run the cell.",
        "c": "Right. One part of each vector is shared, the word's, and the other is not, the place's. Run the cell.",
        "d": "Rows drawn at random are not opposite to each other, they only have nothing in common. And the word's part "
        "is shared. Run the cell.",
    },
    hints=[
        "Each of the two vectors is a sum of two rows. Which of the four rows are the same?",
        "Neither part is larger than the other. What does sharing one of two parts do to the direction?",
    ],
    explain="Token 0 is the row of `the` plus the row of place 0, token 4 the row of `the` plus the row of place 4. Half "
    "of each sum is shared. So the two are more alike than two different words, and no longer equal.",
    minutes=1,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "tv-predict-place", "locked": true, "points": 0, "schema_version": 3, "solution": false, "task": false}
check("tv-predict-place", tv_predict_place)


# %%
def cosines(vectors: Tensor) -> Tensor:
    """The cosine of each row with each row: (T, C) -> (T, T)."""
    return F.cosine_similarity(vectors[:, None], vectors[None], dim=-1)


torch.manual_seed(1)
places = torch.arange(len(tokens))
place_table = nn.Embedding(block_size, n_embd)
with torch.no_grad():
    compared = {"word alone": cosines(q), "word + place": cosines(to_query(x + place_table(places)))}

others = torch.ones(len(tokens), len(tokens)).triu(1).bool()
others[0, 4] = False  # every pair but the two equal words
same, different = [], []
for seed in range(20):  # 20 fresh sets of tables and projections
    torch.manual_seed(seed)
    with torch.no_grad():
        drawn = nn.Embedding(len(words), n_embd)(ids) + nn.Embedding(block_size, n_embd)(places)
        alike = cosines(nn.Linear(n_embd, head_size)(drawn))
    same.append(alike[0, 4].item())
    different += alike[others].tolist()
for name, cosine in compared.items():
    print(f'{name:12}: the cosine of "the" and "the" is {cosine[0, 4]:.2f}')
print(f"word + place, {len(same)} other draws:")
for name, drawn in {'"the" and "the"': same, "all other pairs": different}.items():
    print(f"  {name}: mean {sum(drawn) / len(drawn):4.2f}, from {min(drawn):5.2f} to {max(drawn):4.2f}")

# %%
figure, panels = plt.subplots(1, 2, figsize=(8.4, 3.9), sharey=True)
for panel, (name, cosine) in zip(panels, compared.items(), strict=True):
    depth = cosine.clamp(0, 1)[:, :, None]
    panel.imshow(1 - depth * (1 - torch.tensor(to_rgb(COLOURS["query"]))))
    for row in range(len(tokens)):
        for column in range(len(tokens)):
            ink = "white" if depth[row, column] > 0.5 else "black"
            panel.text(column, row, f"{cosine[row, column]:z.1f}", ha="center", va="center", color=ink, fontsize=9)
    panel.set_title(f"queries from {name}")
    panel.set_xticks(range(len(tokens)), tokens)
    panel.set_yticks(range(len(tokens)), tokens)
    panel.tick_params(length=0)
    panel.spines[:].set_visible(False)
plt.show()

print("Figure: two tables of cosines, each query against each; the deeper the blue, the more alike.")
for name, cosine in compared.items():
    twice, most = cosine[0, 4], cosine[others].max()
    print(f'  {name}: {twice:.1f} between "the" and "the", at most {most:.1f} in any other pair')

# %% [markdown]
# Single draws scatter, so look at the means. The word still shows: the two `the` are more alike than other pairs. And
# the place shows, for they are equal no more.
#
# Now a projection can see both *what* a token is and *where* it stands.

# %% [markdown]
# ## 5. From scores to shares
#
# In lesson 2 a query meets keys, and each meeting gives a **score**: any number, negative ones too. Scores must become
# shares, none negative, which add up to 1.
#
# **Softmax** does it in two steps: take exp of each score, then divide each by the sum of them all.

# %% [markdown]
# ### Exercise: Softmax by hand
# What is softmax of the two scores `[0, ln 3]`? A pencil is enough.
#
# Type a list of two numbers with up to two decimals, such as `[0.2, 0.8]`.

# %% nbgrader={"grade": false, "grade_id": "tv-softmax-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
tv_softmax = ...  # a list of two numbers
### BEGIN SOLUTION
tv_softmax = [0.25, 0.75]
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.numbers(
    "tv-softmax",
    answer=[0.25, 0.75],
    places=2,
    wrong=[
        (
            [0, 1],
            "You divided by the sum without exp, or gave all to the larger one. With exp first, a 0 keeps a share too.",
        ),
        ([1, 3], "These are the two exponentials. They are not shares yet: divide each by their sum."),
        ([0.75, 0.25], "Right shares, wrong order. The larger score gets the larger share."),
        ([0.5, 0.5], "Equal shares come from equal scores. These two differ."),
        ([0.33, 1], "You divided by the larger exponential. Divide by the sum of both: shares add up to 1."),
        ([1, 1], "You divided each exponential by itself. Divide each by the sum of both."),
        (
            [0.5, 0.75],
            "You took a sigmoid of each score alone. Softmax divides by the sum of all, so that the shares add up to 1.",
        ),
        ([0.33, 0.67], "You divided the first exponential by the second. Divide each by the sum of both."),
        ([25, 75], "In per cent, yes. Shares are parts of one whole: type them as such."),
        ([0, 3], "exp(0) is 1, not 0. And these are exponentials: divide each by their sum."),
        ([1, 2.72], "You took 1 for the second score. It is ln 3. And divide the exponentials by their sum."),
        ([0.2, 0.8], "That is the example of the prompt. Work out the two exponentials."),
        ([0, 0.75], "exp(0) is 1, not 0. So the first score has a share too."),
        ([0.05, 0.95], "You took 3 for the second score. It is ln 3, and exp undoes ln."),
        ([0.1, 0.9], "You squared the exponentials. Only their sum is needed: 1 and exp(ln 3)."),
        ([0.32, 0.68], "You took powers of 2. exp takes powers of e, and so it undoes ln."),
        ([0.38, 0.62], "You read ln as the logarithm to base 10. It is the natural one, which exp undoes."),
        ([-1.39, -0.29], "These are the logarithms of the shares. Stop one step earlier."),
        ([0, 1.1], "These are the scores themselves. Take exp of each, then divide by the sum."),
        ([0.27, 0.73], "You took softmax of [0, 1]: divided the scores by their sum, and then took softmax of that."),
    ],
    passed="Right. The exponentials are 1 and 3. Their sum is 4.",
    hints=[
        "What is exp(0)? What is exp(ln 3)? Both are whole numbers.",
        "Add the two exponentials, and divide each of them by that sum.",
    ],
    explain="exp(0) = 1 and exp(ln 3) = 3. Their sum is 4, so the shares are 1/4 and 3/4.",
    minutes=4,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "tv-softmax", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("tv-softmax", tv_softmax)

# %%
def listed(numbers: Tensor) -> str:
    """The numbers in columns, and their sum."""
    return " ".join(f"{number:6.2f}" for number in numbers.tolist()) + f"   sum {numbers.sum():6.2f}"


for scores in ([0.0, math.log(3)], [-3.0, -1.0], [2.0, -4.0, 0.0, 2.0]):
    print("scores", listed(torch.tensor(scores)))
    print("exp   ", listed(torch.tensor(scores).exp()))
    print("shares", listed(torch.softmax(torch.tensor(scores), dim=-1)), "\n")

# %% [markdown]
# A score may be negative; its share is not. A larger score gets a larger share, equal scores get equal ones.

# %% [markdown]
# ## Key points
#
# - A token is looked up in a table, and its place in another. The sum of the two rows is its vector `x`.
# - Three projections make query, key and value of `x`, each token on its own. The heads share out the width.
# - B counts sentences, T tokens, C numbers of a token. Softmax turns scores into shares that add up to 1.
#
# Every token now has a query. In lesson 2 it meets the keys.

# %% [markdown]
# ## Look back
#
# The projections have learned nothing. What did training do to the table so far, and what will it do?
#
# <details><summary>Answer</summary>
#
# Nothing so far: the table is random too. Its numbers are weights like those of the projections, so training will move
# them all together.
#
# </details>

# %% [markdown]
# `cat` and `mat` change places, and the place table is in use. Which of the six queries are new?
#
# <details><summary>Answer</summary>
#
# Those of `cat` and `mat`: each word now gets another place's row added. The other four stay, because a projection
# looks at one token at a time.
#
# </details>

# %% [markdown]
# ## Sources
#
# - Bridle, 1990, *Training Stochastic Model Recognition Algorithms as Networks Can Lead to Maximum Mutual Information Estimation of Parameters* (where softmax got its name)
# - Bengio, Ducharme, Vincent and Jauvin, 2003, *A Neural Probabilistic Language Model* (a learned table of word vectors)
# - Gehring and others, 2017, *Convolutional Sequence to Sequence Learning* (a learned table of places, added)
# - Vaswani and others, 2017, *Attention Is All You Need* (queries, keys and values in several heads)
