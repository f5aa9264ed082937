# Tries: to replace the grader's own class in its process
# Aims at: kind-text
# Control: none: stock nbgrader has no such class
import autograde.grading.child as child

child.Child._evidence = lambda self, exercise, plan: {"answer": True, "raised": None, "ran": True, "result": None}
child.Child._test = lambda self, source: {"raised": None, "ran": True, "result": None}
kind_text = "max"
