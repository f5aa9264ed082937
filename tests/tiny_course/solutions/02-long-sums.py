# %% nbgrader={"grade": false, "grade_id": "long-sums-lesson", "locked": true, "schema_version": 3, "solution": false, "task": false}
from autograde import check, dimensions, hint, lesson, progress, solution

lesson("long-sums")

# %% [markdown]
# # 2. Long sums
#
# A lesson without torch.

# %%
print("one and two are", 1 + 2)

# %% [markdown]
# ### Exercise: To a hundred
#
# What do the numbers from 1 to 100 add up to? Type a whole number.

# %% nbgrader={"grade": false, "grade_id": "sum-hundred-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
sum_hundred = ...  # a whole number
### BEGIN SOLUTION
sum_hundred = 5_050
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.number(
    "sum-hundred",
    answer=5_050,
    wrong={
        4_950: "You stopped at 99.",
        5_151: "You went on to 101.",
    },
    passed="Right: fifty pairs of 101.",
    hints=["Pair the first with the last.", "How many pairs are there?"],
    explain="50 * 101.",
    minutes=2,
    difficulty=1,
)

# %% nbgrader={"grade": true, "grade_id": "sum-hundred", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
check("sum-hundred", sum_hundred)

# %%
print("the sum:", sum(range(101)))

# %% [markdown]
# ### Exercise: Squares
#
# What do their squares add up to? Type a whole number.

# %% nbgrader={"grade": false, "grade_id": "sum-squares-answer", "locked": false, "schema_version": 3, "solution": true, "task": false}
sum_squares = ...  # a whole number
### BEGIN SOLUTION
sum_squares = 338_350
### END SOLUTION

# %% tags=["exercise"]
from autograde import exercise

exercise.number(
    "sum-squares",
    answer=338_350,
    wrong={
        25_502_500: "You squared the sum. Square each number first.",
        328_350: "You stopped at 99.",
    },
    passed="Right.",
    hints=["There is a formula.", "n (n + 1) (2 n + 1) / 6."],
    explain="100 * 101 * 201 / 6.",
    minutes=3,
    difficulty=2,
)

# %% nbgrader={"grade": true, "grade_id": "sum-squares", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
check("sum-squares", sum_squares)
