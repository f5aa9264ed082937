"""Settings for stock nbgrader, for whoever grades with it: run `nbgrader ...` here, after `autograde build`,
with the environment activated (nbgrader looks for alembic on the PATH).

Its course lives in build/nbgrader: source/ is what `autograde build` made, the other folders and gradebook.db are
nbgrader's own. The settings of its release are those of autograde/authoring/release.py, so the two are the same.
"""

from pathlib import Path

from nbconvert.preprocessors import TagRemovePreprocessor
from nbgrader.converters import GenerateAssignment

c = get_config()  # noqa: F821  (whoever loads this file provides it)
c.CourseDirectory.root = str(Path(__file__).resolve().parent / "build" / "nbgrader")

# Author cells hold the answers: they go first, before anything is saved.
c.GenerateAssignment.preprocessors = [TagRemovePreprocessor, *GenerateAssignment.preprocessors.default()]
c.TagRemovePreprocessor.enabled = True
c.TagRemovePreprocessor.remove_cell_tags = {"exercise"}

# What stands beside a solution already says what to do.
c.ClearSolutions.code_stub = {"python": ""}
