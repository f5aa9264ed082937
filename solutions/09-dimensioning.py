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

# %% nbgrader={"grade": false, "grade_id": "dimensioning-lesson", "locked": true, "schema_version": 3, "solution": false, "task": false}
from autograde import check, dimensions, hint, lesson, progress, solution

lesson("dimensioning")

# %% [markdown]
# # 9. Dimensioning
#
# Send `the cat sat on the mat` through a network. What does it cost? There are three bills: numbers to learn,
# arithmetic to do, bytes to keep.
#
# You work each of them out with a pencil. Then torch's own counters say whether you were right, to the last digit.

# %% [markdown]
# ## 1. The network
#
# Here is the whole network, made of torch's own parts. `nn.TransformerEncoderLayer`, with its norms in front, is the
# block of lesson 7. Run the cell and read the class once: each part in it will be counted.

# %%
import matplotlib.pyplot as plt
import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils.flop_counter import FlopCounterMode

from explorables import COLOURS, use_style

use_style()
batch_size, block_size, n_embd = dimensions("batch_size", "block_size", "n_embd")
n_head, n_layer = dimensions("n_head", "n_layer")
sentence = ["the", "cat", "sat", "on", "the", "mat"]


def blocks(n_embd: int, n_head: int, n_layer: int, widen: int = 4) -> nn.ModuleList:
    """Return n_layer of torch's own Transformer blocks."""
    layer = nn.TransformerEncoderLayer
    options = {"dropout": 0.0, "batch_first": True, "norm_first": True}
    return nn.ModuleList(layer(n_embd, n_head, widen * n_embd, **options) for _ in range(n_layer))


class GPT(nn.Module):
    """Tokens (B, T) -> a score for each word of the vocabulary, (B, T, vocab_size)."""

    def __init__(self, vocab_size, block_size, n_embd, n_head, n_layer, widen=4, tied=False):
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, n_embd)
        self.positions = nn.Embedding(block_size, n_embd)
        self.blocks = blocks(n_embd, n_head, n_layer, widen)
        self.norm = nn.LayerNorm(n_embd)
        self.head = nn.Linear(n_embd, vocab_size, bias=not tied)
        if tied:
            self.head.weight = self.tokens.weight
        self.register_buffer("mask", torch.full((block_size, block_size), -torch.inf).triu(1))

    def forward(self, tokens: Tensor) -> Tensor:
        length = tokens.size(1)
        x = self.tokens(tokens) + self.positions.weight[:length]
        for block in self.blocks:
            x = block(x, src_mask=self.mask[:length, :length])
        return self.head(self.norm(x))


tiny = {"vocab_size": 65, "block_size": block_size, "n_embd": n_embd, "n_head": n_head, "n_layer": n_layer}
torch.manual_seed(0)
gpt = GPT(**tiny)
print(", ".join(f"{name} {size}" for name, size in tiny.items()))

# %% [markdown]
# ### Exercise: One block
# One block of width 128: multi-head attention with 4 heads, a feed-forward that widens by 4, and a LayerNorm in front
# of each. Every Linear layer has a bias. A LayerNorm has a scale and a shift for each feature.
#
# How many parameters? Type a whole number, such as `1024` or `1_024` (not `1,024`).

# %% nbgrader={"grade": false, "grade_id": "dm-block-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
dm_block = ...  # a whole number
### BEGIN SOLUTION
dm_block = 198_272
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.number(
    "dm-block",
    answer=198_272,
    wrong={
        197_760: "512 are missing. Two slips lead here: both norms left out, or the four projections without their "
        "biases. Each is worth 512.",
        198_016: "256 are missing. Two slips lead here: one norm left out, or both counted with a scale and no shift.",
        198_528: "You counted three norms. The third, after the last block, belongs to the whole network.",
        197_888: "The query, key and value projections have biases too, 128 each.",
        198_144: "One bias of 128 is missing. The output projection and the feed-forward's second layer end with one "
        "each.",
        197_632: "The feed-forward's two biases are missing: 512 in the middle and 128 at the end.",
        197_120: "You left out the bias of every Linear layer. All six have one.",
        196_608: "These are the weight matrices alone. Add the biases of six Linear layers and two norms.",
        66_560: "You left out the feed-forward, the largest part of the block.",
        66_048: "That is the attention alone. The feed-forward and two norms are missing.",
        131_712: "That is the feed-forward alone. Attention and two norms are missing.",
        132_224: "You left out attention: three projections into it, and one out of it.",
        181_760: "The output projection is missing. After the heads are joined, one more Linear mixes them.",
        165_248: "You counted one projection into the heads. There are three: query, key and value.",
        180_224: "These are matrices alone, and one is missing: the output projection. Six biases and two norms are missing "
        "too.",
        346_880: "You counted query, key and value once for each head. The four heads share the width: 32 features each.",
        330_368: "You counted query, key and value once for each head, and no output projection. The four heads share the "
        "width: 32 features each.",
        396_416: "You counted all of attention once for each head. The four heads share the width: 32 features each.",
        396_032: "You gave each head full-width projections. The four heads share the width: 32 features each.",
        793_088: "That is all four blocks. The question is about one.",
    },
    passed="Right: 66,048 for attention, 131,712 for the feed-forward, 256 for each norm.",
    hints=[
        "Four parts: attention, feed-forward, two norms. Lessons 4 and 7 counted each of them.",
        "Attention is four Linear layers from 128 to 128. The number of heads does not show in their sizes.",
    ],
    explain="Four projections of 128 * 128 + 128 = 16,512 make 66,048. The feed-forward has 131,712. Two norms have "
    "2 * 128 each, together 512. The sum is 198,272.",
    minutes=4,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "dm-block", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("dm-block", dm_block)

# %%
def count(*parts: nn.Module | nn.Parameter) -> int:
    """Return how many numbers training can move in these parts."""
    return sum(p.numel() for part in parts for p in ([part] if isinstance(part, Tensor) else part.parameters()))


block = gpt.blocks[0]
attention = block.self_attn
in_block = {
    "query, key, value": count(attention.in_proj_weight, attention.in_proj_bias),
    "output projection": count(attention.out_proj),
    "feed-forward": count(block.linear1, block.linear2),
    "two norms": count(block.norm1, block.norm2),
}
for name, number in in_block.items():
    print(f"{name:18} {number:>8,}  {number / count(block):6.1%}")
print(f"{'the block':18} {count(block):>8,}")

# %% [markdown]
# Torch keeps query, key and value in one matrix, three times as high. That changes no count.
#
# Two thirds of a block is feed-forward. Now add what stands around the blocks.

# %% [markdown]
# ### Exercise: The whole network
# A vocabulary of 65. Positions are learned, one row for each of 64 places. Then four such blocks, a last LayerNorm, and
# a head: a Linear layer from 128 to 65, with a bias and with weights of its own.
#
# The causal masks, 64 by 64, are kept as buffers. How many parameters has the network? Type a whole number.

# %% nbgrader={"grade": false, "grade_id": "dm-total-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
dm_total = ...  # a whole number
### BEGIN SOLUTION
dm_total = 818_241
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.number(
    "dm-total",
    answer=818_241,
    wrong={
        883_777: "You counted a mask for each of the sixteen heads. A mask is a buffer: it is kept, and training never "
        "moves it.",
        834_625: "You counted a mask for each block. A mask is a buffer: it is kept, and training never moves it.",
        822_337: "You counted the mask. It is a buffer: it is kept, and training never moves it.",
        809_921: "8,320 are missing, which is 65 * 128. Two slips lead here: the token table left out, or the head "
        "tied to it. Here both have their own.",
        809_856: "You counted no head, or tied it to the token table. This head has weights and a bias of its own.",
        818_176: "The head's bias is missing: one number for each of the 65 words.",
        810_049: "You left out the positions: 64 rows of 128.",
        801_729: "You left out both tables, tokens and positions. Their rows are learned too.",
        816_705: "The query, key and value projections of each block have biases too.",
        816_193: "2,048 are missing, 512 a block. Two slips lead here: the blocks' norms left out, or the four "
        "projections without biases.",
        817_985: "The last norm is missing, between the last block and the head.",
        818_113: "Your last norm has a scale and no shift. It has both, as the others have.",
        813_568: "You left out the bias of every Linear layer, in the blocks and in the head.",
        223_425: "You counted one block. There are four, and they share nothing.",
        793_088: "These are the four blocks alone. Two tables, a norm and a head stand around them.",
        793_344: "These are the blocks and the last norm. Two tables and a head are missing.",
        809_600: "These are the tables and the blocks. The last norm and the head are missing.",
        814_209: "Your position table has rows of 65. A position has 128 numbers, as a token has: the two are added.",
        291_393: "You left out the feed-forward in all four blocks.",
    },
    passed="Right: two tables, four blocks, one norm and a head. Buffers are no parameters.",
    hints=[
        "Follow a token: table, position, four blocks, norm, head. Write down a number for each.",
        "A table has a row for each entry, and no bias. The head has 128 * 65 weights and a bias of 65.",
    ],
    explain="Tokens 65 * 128 = 8,320, positions 64 * 128 = 8,192, blocks 4 * 198,272 = 793,088, last norm 256, head "
    "128 * 65 + 65 = 8,385. Together 818,241. A buffer is stored with the network, but no gradient moves it.",
    minutes=5,
    difficulty=3,
)

# %% nbgrader={"grade": true, "grade_id": "dm-total", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("dm-total", dm_total)

# %%
for name, part in gpt.named_children():
    print(f"{name:10} {count(part):>8,}")
print(f"{'together':10} {count(gpt):>8,}")
print(f"{'buffers':10} {sum(buffer.numel() for buffer in gpt.buffers()):>8,}, one mask for all: not counted")

# %% [markdown]
# ### Exercise: Twice the heads
# `n_embd` stays 128. Take 8 heads in each block instead of 4. By how much does the network's number of parameters
# change?
#
# Type a whole number: `-100` for a hundred fewer, `100` for a hundred more.

# %% nbgrader={"grade": false, "grade_id": "dm-heads-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
dm_heads = ...  # a whole number
### BEGIN SOLUTION
dm_heads = 0
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.number(
    "dm-heads",
    answer=0,
    wrong={
        263_680: "You kept the size of a head and doubled their number, in all four blocks. The width is fixed: twice "
        "as many heads are half as large.",
        65_920: "You kept heads of 32 in one block. The width is fixed: twice as many heads are half as large.",
        198_144: "You doubled query, key and value in four blocks. Eight heads share the same 128 features: 16 each.",
        49_536: "You doubled query, key and value in one block. Eight heads share the same 128 features: 16 each.",
        264_192: "You doubled attention in four blocks. Eight heads share the same 128 features: 16 each.",
        66_048: "You doubled attention in one block. Eight heads share the same 128 features: 16 each.",
        65_536: "These are masks for the new heads: four blocks, four heads, 64 by 64. Masks are buffers.",
        99_072: "That is query, key and value of one block, doubled. Eight heads share the same 128 features: 16 each.",
        4: "Four more heads, but a head is no parameter. Count the numbers in the projections, before and after.",
        -99_072: "You halved the heads and kept their number. There are twice as many, and that makes up for it.",
        818_241: "That is the network's number, before and after. The question is about the difference.",
    },
    passed="Right. Heads divide the width among them; they do not add to it.",
    hints=[
        "How large is one head when 8 of them share 128 features?",
        "Put the query projections of all heads side by side. How wide is the whole, with 4 heads and with 8?",
    ],
    explain="With 4 heads each has 32 features, with 8 each has 16. Side by side they are 128 wide both times, so the "
    "projections stay 128 by 128. Nothing changes.",
    minutes=2,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "dm-heads", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("dm-heads", dm_heads)

# %%
for heads in (1, 2, 4, 8, 16):
    number = count(GPT(**tiny | {"n_head": heads}))
    print(f"{heads:2} x {n_embd // heads:3} features: {number:,} parameters")

# %% [markdown]
# ## 2. Any size
#
# Now make it a function. It should know every network of this kind, large or small.

# %% [markdown]
# ### Exercise: Count any of them
# Write `count_parameters(config)`. `config` is a dict with seven keys: `vocab_size`, `block_size`, `n_embd`, `n_head`,
# `n_layer`, `widen` and `tied`. Return a whole number.
#
# - Learned tables for tokens and positions. `n_layer` blocks as above, each with a feed-forward that widens by `widen`.
#   A last norm. Then the head.
# - Every Linear layer has a bias, and every norm a scale and a shift.
# - `tied` is True or False. A tied head uses the token table for its weights and has no bias: it adds nothing.
# - One call has no block at all. One has GPT-2's sizes.
# - `config` stays as it was.
# - Do the sums yourself. A network that is built and asked for `numel()` is refused: that is what the next cell does.

# %% nbgrader={"grade": false, "grade_id": "dm-count-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
def count_parameters(config: dict[str, int]) -> int:
    """Return the number of parameters of the network with these sizes."""
    # your code here
    ### BEGIN SOLUTION
    width = config["n_embd"]
    inner = config["widen"] * width
    attention = 4 * (width * width + width)
    feed_forward = width * inner + inner + inner * width + width
    norms = 2 * 2 * width
    tables = (config["vocab_size"] + config["block_size"]) * width
    last_norm = 2 * width
    head = 0 if config["tied"] else width * config["vocab_size"] + config["vocab_size"]
    return tables + config["n_layer"] * (attention + feed_forward + norms) + last_norm + head
    ### END SOLUTION


# %% tags=["exercise"]
from autograde import exercise


def count_calls(draw):
    """Draw the calls of dm-count: no block twice, so that tables, last norm and head are seen alone; then blocks."""

    def config(n_layer, tied, widen=4):
        n_head = draw.choice([2, 3, 5])
        return {
            "vocab_size": draw.integer(60, 99),  # the ranges do not meet: a mistaken size must show
            "block_size": draw.integer(40, 59),
            "n_embd": n_head * draw.choice([4, 6, 7]),
            "n_head": n_head,
            "n_layer": n_layer,
            "widen": widen,
            "tied": tied,
        }

    gpt2 = {"vocab_size": 50257, "block_size": 1024, "n_embd": 768, "n_head": 12, "n_layer": 12, "widen": 4, "tied": True}
    return [
        exercise.call(
            "no block",
            config(0, tied=False),
            says="With no block at all the count is off. What is left are two tables, the last norm, and the head.",
        ),
        exercise.call(
            "no block, tied head",
            config(0, tied=True),
            says="With a tied head the count is off. It uses the token table, which is counted already, and has no "
            "bias.",
        ),
        exercise.call(
            "one block",
            config(1, tied=False),
            says="Tables, last norm and head are right, and one block is off. Count six Linear layers and two norms.",
        ),
        exercise.call(
            "several blocks, another widening",
            config(draw.integer(3, 6), tied=True, widen=draw.choice([2, 3, 5])),
            says="One block that widens by 4 is right; with several blocks, or another widening, the count is off.",
        ),
        exercise.call(
            "GPT-2's sizes", gpt2, says="Small networks come out right, and GPT-2's sizes do not."
        ),
    ]


BLOCK = "attention + feed_forward + norms"

exercise.function(
    "dm-count",
    calls=count_calls,
    forbid={
        "numel": "Torch did the sums for you: `numel()` was called. It is the right tool to check an answer with, and "
        "the next cell uses it. Here, do the sums yourself."
    },
    wrong=[
        # around the blocks
        exercise.edit(
            '(config["vocab_size"] + config["block_size"])', 'config["vocab_size"]',
            says="You forgot the positions: a learned table with a row for each of block_size places.",
        ),
        exercise.edit(
            '(config["vocab_size"] + config["block_size"])', 'config["block_size"]',
            says="You forgot the token table: a row of n_embd numbers for each word.",
        ),
        exercise.edit(
            'config["block_size"]', '2 * config["block_size"]',
            says="You counted the positions twice. One table serves all blocks.",
        ),
        exercise.edit(
            "return tables + config[\"n_layer\"] * (attention", "return config[\"n_layer\"] * (tables + attention",
            says="You counted the tables once for each block. They stand before the first block, and only there.",
        ),
        exercise.edit(
            " + last_norm", "",
            says="You forgot the last norm, between the last block and the head.",
        ),
        exercise.edit(
            "last_norm = 2 * width", "last_norm = width",
            says="Your last norm has a scale and no shift. It has both.",
        ),
        exercise.edit(
            "norms = 2 * 2 * width", "norms = 2 * width", "last_norm = 2 * width", "last_norm = width",
            says="Your norms have a scale and no shift. Each has both: 2 * n_embd numbers.",
        ),
        exercise.edit(
            'head = 0 if config["tied"] else width', "head = width",
            says="You count the head whether it is tied or not. A tied head adds nothing.",
        ),
        exercise.edit(
            "head = 0 if", 'head = config["vocab_size"] if',
            says="Your tied head keeps a bias. Here a tied head adds nothing at all.",
        ),
        exercise.edit(
            "head = 0 if", 'head = -width * config["vocab_size"] if',
            says="With a tied head you take the token table away. It is still there once: only the head adds nothing.",
        ),
        exercise.edit(
            'head = 0 if config["tied"] else', 'head = 0 if not config["tied"] else',
            says="You have `tied` the wrong way round: the head adds nothing when it is tied.",
        ),
        exercise.edit(
            ' else width * config["vocab_size"] + config["vocab_size"]', ' else width * config["vocab_size"]',
            says="Your head has no bias. One that is not tied has: one number for each word.",
        ),
        exercise.edit(
            "last_norm + head", "last_norm",
            says="You forgot the head. When it is not tied it has weights and a bias.",
        ),
        exercise.edit(
            "last_norm + head", 'last_norm + head + config["block_size"] ** 2',
            says="You counted the causal mask. It is a buffer: training never moves it.",
        ),
        exercise.edit(
            BLOCK, BLOCK + ' + config["n_head"] * config["block_size"] ** 2',
            says="You counted a causal mask for each head. Masks are buffers: training never moves them.",
        ),
        # the blocks
        exercise.edit(
            'config["n_layer"] * (', "(",
            says="You counted one block, however many there are. Multiply it by n_layer.",
        ),
        exercise.edit(
            "attention = 4 * (width * width + width)",
            'attention = config["n_head"] * 3 * (width * width + width) + config["n_head"] * width * width + width',
            says="You gave every head projections of full width. The heads share the width, so their number does not "
            "show in the count.",
        ),
        exercise.edit(
            "attention = 4 * (width * width + width)",
            'attention = config["n_head"] * 4 * (width * width + width)',
            says="You multiplied attention by the number of heads. The heads share the width, so their number does not "
            "show in the count.",
        ),
        exercise.edit(
            "attention = 4 * (width * width + width)",
            'attention = 3 * (width + 1) * (width // config["n_head"]) + width * width + width',
            says="You counted query, key and value of one head. All heads together have the full width.",
        ),
        exercise.edit(
            "attention = 4 * (width * width + width)", "attention = 3 * (width * width + width)",
            says="You forgot the output projection. After query, key and value a fourth Linear mixes the heads.",
        ),
        exercise.edit(
            "attention = 4 * (width * width + width)", "attention = 2 * (width * width + width)",
            says="You counted one projection into the heads. There are three: query, key and value.",
        ),
        exercise.edit(
            "attention = 4 * (width * width + width)", "attention = 4 * width * width + width",
            says="Your query, key and value projections have no biases. They have, as the output projection does.",
        ),
        exercise.edit(
            " + norms", "",
            says="A block lacks 4 * n_embd. Two slips lead here: both norms forgotten, or the four projections without "
            "biases.",
        ),
        exercise.edit(
            "norms = 2 * 2 * width", "norms = 2 * width",
            says="A block lacks 2 * n_embd. Two slips lead here: one norm only, or two with a scale and no shift.",
        ),
        exercise.edit(
            "norms = 2 * 2 * width", "norms = 3 * 2 * width", " + last_norm", "",
            says="You counted three norms in each block and none after the last. Each block has two, and one more "
            "stands before the head.",
        ),
        exercise.edit(
            BLOCK, "attention + norms",
            says="You forgot the feed-forward, the largest part of a block.",
        ),
        exercise.edit(
            BLOCK, "feed_forward + norms",
            says="You forgot attention: query, key, value and output projection.",
        ),
        exercise.edit(
            "width * inner + inner + inner * width + width", "2 * width * inner",
            says="The feed-forward's biases are missing: one of the inner width and one of n_embd.",
        ),
        exercise.edit(
            "width * inner + inner + inner * width + width", "2 * (width * inner + inner)",
            says="Both biases of your feed-forward have the inner width. The second layer ends at n_embd.",
        ),
        exercise.edit(
            "width * inner + inner + inner * width + width", "width * inner + inner",
            says="You counted one layer of the feed-forward. It widens and then narrows: two layers.",
        ),
        exercise.edit(
            'config["widen"] * width', "4 * width",
            says="You widen by 4 whatever `widen` says.",
        ),
        exercise.edit(
            'config["widen"] * width', 'config["widen"]',
            says="`widen` is a factor. The inner width is widen * n_embd.",
        ),
        exercise.edit(
            "attention = 4 * (width * width + width)", "attention = 4 * width * width",
            "width * inner + inner + inner * width + width", "2 * width * inner",
            ' else width * config["vocab_size"] + config["vocab_size"]', ' else width * config["vocab_size"]',
            says="You left out the bias of every Linear layer. All of them have one, a tied head excepted.",
        ),
        exercise.edit(
            "attention = 4 * (width * width + width)", "attention = 4 * width * width",
            "width * inner + inner + inner * width + width", "2 * width * inner",
            "norms = 2 * 2 * width", "norms = 0", "last_norm = 2 * width", "last_norm = 0",
            ' else width * config["vocab_size"] + config["vocab_size"]', ' else width * config["vocab_size"]',
            says="You counted matrices alone, the rule 12 * n_embd ** 2 for a block. Add the biases and the norms.",
        ),
        # what is asked and what is given back
        exercise.code(
            "def count_parameters(config):\n    return 818_241\n",
            says="You return the tiny network's number, whatever the sizes. Use those of `config`.",
        ),
        exercise.edit(
            'config["widen"] * width', 'config.pop("widen") * width',
            says="Your function changes `config`: `pop` takes an entry out. Read it with `config[...]`.",
        ),
        exercise.either(
            exercise.edit('config["n_embd"]', "config.n_embd"),
            exercise.edit("width = config", 'vocabulary = config.vocab_size\n    width = config'),
            exercise.code(
                "def count_parameters(vocab_size, block_size, n_embd, n_head, n_layer, widen=4, tied=False):\n    return 0\n",
            ),
            says="The sizes come as one dict: `config[\"n_embd\"]`, not `config.n_embd`, and not as seven arguments.",
        ),
        exercise.edit(
            "last_norm + head", 'last_norm + head\n    return f"{total:,}"', "return tables", "total = tables",
            says="You return a text. Return the number itself, and let `print` put the commas in.",
        ),
        exercise.edit(
            "return tables", "print(tables", "last_norm + head", "last_norm + head)",
            says="Your function prints the number and returns nothing. Use `return`.",
        ),
        exercise.edit(
            "return tables", "class Anything:\n        def __eq__(self, other):\n            return True\n\n    return "
            "Anything()\n    tables",
            says="You return an object of a class of your own. It is read as a number, not asked for its opinion: "
            "return a whole number.",
        ),
        exercise.code(
            '''
def count_parameters(config):
    with torch.device("meta"):
        return sum(parameter.numel() for parameter in GPT(**config).parameters())
''',
            says="Torch did the sums for you: `numel()` was called. It is the right tool to check an answer with, and "
            "the next cell uses it. Here, do the sums yourself.",
        ),
    ],
    right=[
        exercise.code(
            '''
def count_parameters(config):
    v, t, c, _, n, w, tied = config.values()
    return n * ((4 + 2 * w) * c * c + (9 + w) * c) + (v + t + 2) * c + (not tied) * (c + 1) * v
'''
        ),
        exercise.code(
            '''
def count_parameters(config):
    def linear(inputs, outputs):
        return (inputs + 1) * outputs

    def block(n_embd, widen):
        parts = [linear(n_embd, 3 * n_embd), linear(n_embd, n_embd)]
        parts += [linear(n_embd, widen * n_embd), linear(widen * n_embd, n_embd), 2 * n_embd, 2 * n_embd]
        return sum(parts)

    total = config["n_embd"] * (config["vocab_size"] + config["block_size"])
    for _ in range(config["n_layer"]):
        total += block(config["n_embd"], config["widen"])
    total += 2 * config["n_embd"]
    if not config["tied"]:
        total += linear(config["n_embd"], config["vocab_size"])
    return total
'''
        ),
        exercise.code(
            '''
def count_parameters(config):
    size = config["n_embd"] // config["n_head"]
    shapes = [(config["vocab_size"], config["n_embd"]), (config["block_size"], config["n_embd"])]
    for _ in range(config["n_layer"]):
        for _ in range(config["n_head"]):
            shapes += [(config["n_embd"], size), (size,)] * 3
        shapes += [(config["n_embd"], config["n_embd"]), (config["n_embd"],)]
        inner = config["widen"] * config["n_embd"]
        shapes += [(config["n_embd"], inner), (inner,), (inner, config["n_embd"]), (config["n_embd"],)]
        shapes += [(config["n_embd"],)] * 4
    shapes += [(config["n_embd"],)] * 2
    if not config["tied"]:
        shapes += [(config["n_embd"], config["vocab_size"]), (config["vocab_size"],)]
    total = 0
    for shape in shapes:
        product = 1
        for side in shape:
            product *= side
        total += product
    return total
'''
        ),
        exercise.edit("return tables", "return 1.0 * tables"),
        exercise.edit("return tables", "return torch.tensor(tables", "last_norm + head", "last_norm + head)"),
    ],
    says={
        "unchanged": "Your function changes `config`. Whoever called it still needs its sizes.",
        "repeatable": "Two equal calls gave different numbers. Is something kept between calls?",
    },
    passed="Right: without a block, with one, with many, and at GPT-2's sizes.",
    hints=[
        "Write dm-total's sum with names in the place of numbers. Only one part of it is multiplied by n_layer.",
        "A Linear layer has (inputs + 1) * outputs, and a block has six of them. `n_head` is not needed.",
    ],
    explain="Tables: (vocab_size + block_size) * n_embd. A block: 4 * (n_embd ** 2 + n_embd) for attention, n_embd * "
    "inner + inner + inner * n_embd + n_embd for the feed-forward, 4 * n_embd for two norms. Multiply by n_layer. Add 2 * "
    "n_embd for the last norm and, unless the head is tied, (n_embd + 1) * vocab_size.",
    minutes=14,
    difficulty=3,
)

# %% nbgrader={"grade": true, "grade_id": "dm-count", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
check("dm-count", count_parameters)

# %% [markdown]
# Two well-known networks, built by the same functions. They are large, so they are built on torch's `meta` device: it
# keeps shapes and no numbers.
#
# ViT-B/16 is a Transformer for images, whose tokens are patches of 16 by 16 pixels. Lesson 12 comes back to it.


# %%
class ViT(nn.Module):
    """Images (B, 3, 224, 224) -> a score for each of 1000 classes."""

    def __init__(self, n_embd: int, n_head: int, n_layer: int) -> None:
        super().__init__()
        self.patches = nn.Conv2d(3, n_embd, 16, stride=16)
        self.class_token = nn.Parameter(torch.zeros(1, 1, n_embd))
        self.positions = nn.Parameter(torch.zeros(self.read(torch.zeros(1, 3, 224, 224)).shape))
        self.blocks = blocks(n_embd, n_head, n_layer)
        self.norm = nn.LayerNorm(n_embd)
        self.head = nn.Linear(n_embd, 1000)

    def read(self, images: Tensor) -> Tensor:
        """Return the class token and the patches as one sentence."""
        patches = self.patches(images).flatten(2).mT
        return torch.cat([self.class_token.expand(len(images), -1, -1), patches], dim=1)

    def forward(self, images: Tensor) -> Tensor:
        x = self.read(images) + self.positions
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x[:, 0]))


with torch.device("meta"):
    networks = {
        "tiny GPT": GPT(**tiny),
        "GPT-2": GPT(vocab_size=50257, block_size=1024, n_embd=768, n_head=12, n_layer=12, tied=True),
        "ViT-B/16": ViT(n_embd=768, n_head=12, n_layer=12),
    }
for name, network in networks.items():
    edges = count(network) - count(network.blocks)
    print(f"{name:9} blocks {count(network.blocks):>10,} + edges {edges:>10,} = {count(network):>11,} parameters")

# %% [markdown]
# Call your `count_parameters` with GPT-2's sizes, `widen` 4 and a tied head: it should say the same.
#
# Look at the blocks of GPT-2 and ViT-B/16. One reads text, the other images. Between the edges both have blocks of the
# same sizes.

# %% [markdown]
# ## 3. Bytes
#
# Training keeps more than the weights. Each weight gets a gradient. The optimiser Adam keeps two running means, of the
# gradient and of its square: its moments. And the forward pass keeps the numbers that the backward pass will need.

# %% [markdown]
# ### Prediction: What fills the memory?
# Train the tiny network with a batch of 32 sentences of 64 tokens. What takes the most bytes?
#
# - **a** the weights
# - **b** the gradients
# - **c** Adam's moments
# - **d** what the forward pass keeps for the backward pass
#
# Type a letter in quotes, such as `"a"`. A prediction costs no points.

# %% nbgrader={"grade": false, "grade_id": "dm-memory-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
dm_memory = ...  # a letter
### BEGIN SOLUTION
dm_memory = "d"
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.choice(
    "dm-memory",
    answer="d",
    options={
        "a": "The weights are there once, and two of the others are as large or larger. The next run measures all four.",
        "b": "There is one gradient for each weight, so these two are equally large. Something else is larger.",
        "c": "Two moments are twice the weights. But the largest of the four grows with the batch, and moments do not.",
        "d": "Right: it grows with every token of the batch, and the other three do not. The next run measures all four.",
    },
    hints=[
        "Which of the four depend on how many tokens are in the batch?",
        "Each token leaves a few thousand numbers behind in each block. How many tokens are there?",
    ],
    explain="Weights, gradients and moments have the size of the network. What is kept for the backward pass has the "
    "size of the batch: for each of 2,048 tokens, the inputs of every layer in every block.",
    minutes=1,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "dm-memory", "locked": true, "points": 0, "schema_version": 3, "solution": false, "task": false}
check("dm-memory", dm_memory)

# %% [markdown]
# ### Exercise: Bytes of training
# How many bytes do the weights, the gradients and Adam's two moments take together, for the tiny network? Every number
# is a 32-bit float.
#
# Leave out what the forward pass keeps. Leave out Adam's step counters too: there is one for each tensor. Type a whole
# number.

# %% nbgrader={"grade": false, "grade_id": "dm-training-bytes-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
dm_training_bytes = ...  # a whole number
### BEGIN SOLUTION
dm_training_bytes = 13_091_856
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.number(
    "dm-training-bytes",
    answer=13_091_856,
    wrong={
        3_272_964: "Two slips lead here: the bytes of the weights alone, or a count of all four kinds of numbers that "
        "was not turned into bytes.",
        9_818_892: "Three numbers for each weight. Either the gradient is missing or one of the two moments.",
        6_545_928: "Two slips lead here: Adam's moments forgotten, or 16 bits taken for a number. 32 bits are 4 bytes.",
        818_241: "That is how many weights there are. Each brings four numbers, and each number has its bytes.",
        104_734_848: "These are bits. Eight bits are one byte.",
        26_183_712: "You took 8 bytes for a number, a 64-bit float. 32 bits are 4 bytes.",
        52_367_424: "You multiplied by the bytes of a number twice.",
        16_364_820: "You counted five numbers for each weight. There are four: itself, its gradient and two moments.",
        14_140_432: "You counted the masks as weights. Buffers get no gradient and no moments.",
        13_092_072: "You counted Adam's step counters. They are left out here.",
        3_172_352: "That is one block. The network has four, and tables, a norm and a head around them.",
        12_689_408: "These are the four blocks alone. Tables, the last norm and the head are trained too.",
        13.091856: "The number is right in megabytes. Type bytes.",
        13091.856: "The number is right in kilobytes. Type bytes.",
        12_958_736: "You tied the head to the token table. This network has both.",
    },
    passed="Right: four numbers for each weight, four bytes for each number.",
    hints=[
        "How many numbers does training keep for one weight, the weight itself included?",
        "32 bits are how many bytes? Multiply: weights, times numbers for each, times bytes.",
    ],
    explain="Each of the 818,241 weights brings a gradient and two moments: four numbers. At 4 bytes each that is 16 bytes "
    "a weight, together 13,091,856.",
    minutes=3,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "dm-training-bytes", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("dm-training-bytes", dm_training_bytes)

# %% [markdown]
# Take one step of training, with our sentence alone and with a whole batch, and look at what is there.


# %%
def bytes_of(tensors) -> int:
    """Return the bytes of these tensors."""
    return sum(tensor.numel() * tensor.element_size() for tensor in tensors)


def train_once(tokens: Tensor) -> dict[str, int]:
    """Take one step, each token to be found again from itself; return the bytes of what it needs."""
    network = GPT(**tiny)
    adam = torch.optim.AdamW(network.parameters())
    own = {weight.untyped_storage().data_ptr() for weight in network.parameters()}
    kept = {}

    def keep(tensor: Tensor) -> Tensor:
        memory = tensor.untyped_storage()
        if memory.data_ptr() not in own:
            kept[memory.data_ptr()] = memory.nbytes()  # two views of one memory count once
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        loss = F.cross_entropy(network(tokens).flatten(0, 1), tokens.flatten())
    loss.backward()
    adam.step()
    states = list(adam.state.values())
    return {
        "weights": bytes_of(network.parameters()),
        "gradients": bytes_of(weight.grad for weight in network.parameters()),
        "moments": bytes_of(state[name] for state in states for name in ("exp_avg", "exp_avg_sq")),
        "step counters": bytes_of(state["step"] for state in states),
        "kept for the way back": sum(kept.values()),
    }


alone = train_once(torch.randint(tiny["vocab_size"], (1, len(sentence))))
batch = train_once(torch.randint(tiny["vocab_size"], (batch_size, block_size)))
print(f"{'':22} {f'1 x {len(sentence)} tokens':>14} {f'{batch_size} x {block_size} tokens':>16}")
for name, number in alone.items():
    print(f"{name:22} {number:14,} {batch[name]:16,}")
print("weights, gradients, moments:", f"{sum(batch[name] for name in ('weights', 'gradients', 'moments')):,}")

# %% [markdown]
# Only the last row of the table grows with the batch. When memory runs out in training, a smaller batch helps: not
# because of the weights.

# %% [markdown]
# ## 4. Arithmetic
#
# Torch counts floating point operations, FLOPs, while a network runs. What does it count? Our six tokens go through
# one small layer of each kind.


# %%
def flops(layer, *inputs: Tensor) -> int:
    """Return the FLOPs of one forward pass, as torch counts them."""
    with FlopCounterMode(display=False) as counter:
        layer(*inputs)
    return counter.get_total_flops()


x = torch.randn(len(sentence), n_embd)
small = {
    "Linear(128, 32)": nn.Linear(n_embd, 32),
    "... without bias": nn.Linear(n_embd, 32, bias=False),
    "LayerNorm(128)": nn.LayerNorm(n_embd),
    "ReLU": nn.ReLU(),
    "softmax": nn.Softmax(dim=-1),
}
for name, layer in small.items():
    print(f"{name:17} {flops(layer, x):>7,} FLOPs")
print(f"{'2 * 6 * 128 * 32':17} {2 * 6 * 128 * 32:>7,}")

# %% [markdown]
# It counts matrix products, and nothing else. An (n, k) matrix times a (k, m) matrix costs 2nkm: each multiplication
# and each addition is one operation.
#
# Others count a multiplication and its addition as one. Their numbers are half as large. Ask which is meant.

# %% [markdown]
# ### Exercise: The feed-forward's FLOPs
# A batch of 32 sentences of 64 tokens passes through the feed-forward of *one* block: from 128 to 512, and back. How
# many FLOPs, counted as torch counts them?
#
# Type a whole number. `2 * 6 * 128 * 32`, unmultiplied, is a whole number too.

# %% nbgrader={"grade": false, "grade_id": "dm-ff-flops-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
dm_ff_flops = ...  # a whole number
### BEGIN SOLUTION
dm_ff_flops = 536_870_912
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.number(
    "dm-ff-flops",
    answer=536_870_912,
    wrong={
        268_435_456: "Half of it. Two slips lead here: a multiplication and its addition counted as one, or one of the "
        "two layers left out.",
        134_217_728: "A quarter of it. You counted one layer of the two, and a multiplication with its addition as one.",
        16_777_216: "That is one sentence of 64 tokens. The batch has 32 of them.",
        8_388_608: "Two slips lead here: 32 tokens instead of 32 sentences of 64, or one sentence whose "
        "multiplications and additions count as one.",
        262_144: "That is one token. The batch has 32 times 64.",
        131_072: "That is one token, and a multiplication and its addition counted as one.",
        538_181_632: "You counted the biases. Torch counts matrix products only.",
        537_919_488: "You counted ReLU. Torch counts matrix products only.",
        539_230_208: "You counted the biases and ReLU. Torch counts matrix products only.",
        539_492_352: "You took twice the parameters for each token. The biases are among them, and they are no matrix "
        "product.",
        269_746_176: "You took one operation for each parameter and token. A weight multiplies and adds, and biases do not "
        "count.",
        1_073_741_824: "Twice too many. The factor 2 of 2nkm holds the addition already.",
        536.870912: "The number is right in millions. Type all of it.",
        2_147_483_648: "That is the feed-forward of all four blocks. The question is about one.",
        1_610_612_736: "That is forward and backward. The question is about the forward pass.",
    },
    passed="Right: 2,048 tokens, two matrices of 65,536 weights, two operations for each.",
    hints=[
        "How many tokens pass? For each of them, two products: (1, 128) by (128, 512), and (1, 512) by (512, 128).",
        "2nkm for each layer. n is the number of all tokens in the batch.",
    ],
    explain="32 * 64 = 2,048 tokens. Each layer costs 2 * 2,048 * 128 * 512 = 268,435,456, and there are two: "
    "536,870,912.",
    minutes=4,
    difficulty=3,
)

# %% nbgrader={"grade": true, "grade_id": "dm-ff-flops", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("dm-ff-flops", dm_ff_flops)

# %%
with torch.device("meta"):  # shapes are enough to count
    feed_forward = nn.Sequential(nn.Linear(n_embd, 4 * n_embd), nn.ReLU(), nn.Linear(4 * n_embd, n_embd))
    for sentences, length in ((1, len(sentence)), (batch_size, block_size)):
        cost = flops(feed_forward, torch.zeros(sentences, length, n_embd))
        print(f"{sentences:2} x {length:2} tokens: {cost:>11,} FLOPs")

# %% [markdown]
# For each token the feed-forward costs the same, however long the sentence. Attention does not: each token meets every
# other. In a sentence that is long enough, attention costs more. How long is that?

# %% [markdown]
# ### Exercise: Attention overtakes (stretch)
# One block of width 128 reads one sentence of T tokens. At which T does attention cost exactly as many FLOPs as the
# feed-forward?
#
# - Attention is all of it: query, key and value projections, the scores, the average of the values, the output
#   projection.
# - The whole T x T table is computed. The mask saves nothing.
# - The feed-forward widens by 4. Count as torch does.
#
# Type a whole number.

# %% nbgrader={"grade": false, "grade_id": "dm-crossover-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
dm_crossover = ...  # a whole number
### BEGIN SOLUTION
dm_crossover = 256
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.number(
    "dm-crossover",
    answer=256,
    wrong={
        512: "Three slips lead here: the four projections left out; one of the two T x T products left out; or half of "
        "the table saved by the mask.",
        320: "You left out the output projection. Attention has four projections.",
        448: "You counted one projection. Attention has four: query, key, value and output.",
        384: "You counted two projections. Attention has four: query, key, value and output.",
        640: "You left out the output projection and one of the two T x T products.",
        1024: "Two slips lead here: the T x T products of one head of 32 features only, or no projections and half of "
        "the T x T part.",
        128: "There the scores cost as much as one single projection. Compare all of attention with all of the "
        "feed-forward.",
        768: "There the T x T products cost as much as all the rest of the block. The projections belong to attention.",
        64: "That is the length of our sentences. Attention costs less than the feed-forward there.",
        0: "You compared the projections with one layer of the feed-forward. It has two layers.",
    },
    passed="Right, twice the width. Our sentences have at most 64 tokens, so here the feed-forward costs more.",
    hints=[
        "Write all costs for T tokens and width C. A projection costs 2 T C C. What do the scores cost, and the average?",
        "With widening 4 the feed-forward costs as much as eight projections. Attention has four. What must close the gap?",
    ],
    explain="Four projections cost 8 T C C. The scores cost 2 T T C, the average of the values as much again. The "
    "feed-forward costs 16 T C C. From 8 C C + 4 T C = 16 C C follows T = 2 C = 256.",
    minutes=6,
    difficulty=4,
    stretch=True,
    shown="256 stands before it as the parameters of a norm, which say nothing of a length.",
)

# %% nbgrader={"grade": true, "grade_id": "dm-crossover", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("dm-crossover", dm_crossover)

# %%
def block_flops(length: int, width: int, widen: int = 4) -> tuple[int, int]:
    """Return the FLOPs of one block's attention and of its feed-forward, for one sentence."""
    projections, table = 4 * 2 * length * width**2, 2 * 2 * length**2 * width
    return projections + table, 2 * 2 * length * width * widen * width


lengths = [len(sentence), 64, 128, 256, 512, 1024]
for length in lengths:
    attention_cost, feed_forward_cost = block_flops(length, n_embd)
    print(f"T = {length:4}: attention costs {attention_cost / feed_forward_cost:.3f} times the feed-forward")

# %%
curve = 2 ** torch.linspace(2, 11, 100)
rising, flat = (cost / curve / 1000 for cost in block_flops(curve, n_embd))
height, highest, meeting = float(flat[0]), float(rising[-1]), 2 * n_embd

figure, axes = plt.subplots(figsize=(7, 3.6))
axes.plot(curve, rising, color=COLOURS["token"])
axes.plot(curve, flat, color=COLOURS["feed_forward"])
axes.plot([meeting], [height], "o", color=COLOURS["neutral"])
axes.annotate(f"T = {meeting}", (meeting, height), (-6, 10), textcoords="offset points", ha="right")
axes.text(2048, height - 15, "feed-forward", color=COLOURS["feed_forward"], ha="right", va="top")
axes.text(1900, highest, "attention", color=COLOURS["token"], ha="right", va="top")
for length, label in ((len(sentence), "our sentence"), (block_size, "block size")):
    axes.axvline(length, color=COLOURS["neutral"], linewidth=1, linestyle=":")
    axes.text(length * 1.06, 0, f"{label}, {length}", va="bottom", fontsize=9)
axes.set_xscale("log", base=2)
axes.set_xticks([4, 16, 64, 256, 1024], ["4", "16", "64", "256", "1024"])
axes.set_ylim(0)
axes.set_xlabel("T, tokens in the sentence")
axes.set_ylabel("thousand FLOPs for each token")
axes.set_title(f"What one block costs, at width {n_embd}")
plt.show()

print(f"Figure: for each token the feed-forward costs {height:.0f} thousand FLOPs at every T. Attention rises")
print(f"from {rising[0]:.0f} to {highest:.0f} thousand, and the two meet at T = {meeting}.")

# %% [markdown]
# ## 5. Where does it all go?
#
# Last, all three networks. A formula stands against torch's counter.


# %%
def network_flops(network: nn.Module, length: int) -> dict[str, int]:
    """Return the FLOPs of a forward pass over one sentence, or one image, by part."""
    attention, feed_forward = block_flops(length, network.norm.weight.numel())
    if isinstance(network, GPT):
        rest = 2 * length * network.head.weight.numel()  # a table is looked up, without arithmetic
    else:
        rest = 2 * (length - 1) * network.patches.weight.numel() + 2 * network.head.weight.numel()
    n_layer = len(network.blocks)
    return {"attention": n_layer * attention, "feed-forward": n_layer * feed_forward, "the rest": rest}


costs = {}
with torch.device("meta"):
    for name, network in networks.items():
        if isinstance(network, GPT):
            length = network.positions.num_embeddings
            given = torch.zeros(1, length, dtype=torch.long)
        else:
            length, given = network.positions.size(1), torch.zeros(1, 3, 224, 224)
        costs[name] = network_flops(network, length)
        counted, by_formula = flops(network, given), sum(costs[name].values())
        whole_step = flops(lambda given, network=network: network(given).sum().backward(), given)
        print(f"{name:9} torch counts {counted:>15,}, formula {by_formula:>15,}, off by {counted - by_formula}")
        print(f"{'':9}   for each token {counted / length / count(network):.2f} times the parameters")
        print(f"{'':9}   forward and backward cost {whole_step / counted:.1f} times forward")

# %% [markdown]
# To the last digit. Two rules of thumb can be read off. A forward pass costs about two operations for each parameter
# and token: one multiplication, one addition. Training costs about three forward passes.

# %%
shares = {}
for name, network in networks.items():
    parts = {
        "attention": sum(count(block.self_attn) for block in network.blocks),
        "feed-forward": sum(count(block.linear1, block.linear2) for block in network.blocks),
    }
    parts["the rest"] = count(network) - sum(parts.values())
    for label, numbers in ((f"{name}: parameters", parts), (f"{name}: FLOPs", costs[name])):
        shares[label] = {part: number / sum(numbers.values()) for part, number in numbers.items()}

colours = dict(zip(parts, (COLOURS["token"], COLOURS["feed_forward"], COLOURS["neutral"]), strict=True))
places = [0, 1, 2.4, 3.4, 4.8, 5.8]
figure, axes = plt.subplots(figsize=(7.6, 3.9))
for place, parts in zip(places, shares.values(), strict=True):
    left = 0.0
    for part, share in parts.items():
        axes.barh(place, share, 0.8, left=left, color=colours[part])
        if share > 0.04:
            axes.text(left + share / 2, place, f"{share:.0%}", ha="center", va="center", color="black")
        left += share
for part, middle in {"attention": 0.16, "feed-forward": 0.6, "the rest": 0.94}.items():
    axes.text(middle, -0.7, part, ha="center", color=colours[part])
axes.set_yticks(places, list(shares))
axes.set_xticks([0, 0.5, 1], ["0%", "50%", "100%"])
axes.invert_yaxis()
axes.set_xlim(0, 1)
axes.spines[:].set_visible(False)
axes.tick_params(length=0)
plt.show()

print("Figure: six bars, split into attention, feed-forward and the rest.")
for label, parts in shares.items():
    print(f"  {label:20}", ", ".join(f"{part} {share:.0%}" for part, share in parts.items()))
print("The rest is tables, patches, head and norms.")

# %% [markdown]
# In every bar the feed-forward is the largest part. GPT-2's large vocabulary makes the rest heavy in both
# counts: its token table is counted once and works twice, as table and as head.

# %% [markdown]
# ## Key points
#
# - Two thirds of a block's parameters are feed-forward. Heads share the width, so their number changes no count.
# - Training keeps four numbers for each weight; what the forward pass keeps grows with the batch.
# - A product of (n, k) by (k, m) costs 2nkm. Attention overtakes the feed-forward when T passes twice the width.

# %% [markdown]
# ## Look back
#
# **Lesson 2.** One part of attention's cost grows with the square of T. Which shape in lesson 2 says so?
#
# <details><summary>Answer</summary>
#
# The shape of the weights, (B, T, T): one number for each query and key. Scores and average each touch all of them.
#
# </details>
#
# **Lesson 4.** Without ReLU, the feed-forward's two layers collapse into one. What would that save here?
#
# <details><summary>Answer</summary>
#
# One matrix of width by width replaces two that are four times as large: an eighth of the parameters and of the FLOPs,
# biases aside. What is bought with the rest is the bend.
#
# </details>
#
# ## Sources
#
# - *Dimensioning Transformers*, parts 1 and 2, notes whose sums this lesson measures again
# - Vaswani et al., 2017, *Attention Is All You Need*
# - Radford et al., 2019, *Language Models are Unsupervised Multitask Learners* (GPT-2)
# - Dosovitskiy et al., 2020, *An Image is Worth 16x16 Words: Transformers for Image Recognition at Scale*
# - Kingma and Ba, 2015, *Adam: A Method for Stochastic Optimization*
# - Kaplan et al., 2020, *Scaling Laws for Neural Language Models* (two operations for each parameter and token)
# - Korthikanti et al., 2022, *Reducing Activation Recomputation in Large Transformer Models* (what the forward pass keeps)
