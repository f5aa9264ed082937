# Tries: an object whose pickle runs code where it is read
# Aims at: kind-text
# Control: none: the grader reads no pickle at all; a test beside shows what reading one would do
import pickle


class Bomb(str):
    def __reduce__(self):
        return exec, ("__import__('pathlib').Path('@CANARY@/pickled').write_text('pwned')",)


kind_text = Bomb("max")
print("pickle:", pickle.dumps(kind_text).hex())
