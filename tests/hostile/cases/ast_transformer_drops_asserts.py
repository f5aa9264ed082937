# Tries: to drop every assert before it is compiled
# Aims at: kind-function
# Control: in process
# Plain: stopped
import ast


class Dropper(ast.NodeTransformer):
    def visit_Assert(self, node):
        return ast.Pass()


get_ipython().ast_transformers.append(Dropper())


def double_shifted(x, shift=0.0):
    return x
