# Tries: to find another's submission in the memory that it was born with
# Aims at: kind-text
# Control: in process
# Succeeds by: secret
import gc

wanted = "cana" + "ry-"
for item in gc.get_objects():
    if isinstance(item, (list, dict)) and len(item) < 50:
        for text in item.values() if isinstance(item, dict) else item:
            if isinstance(text, str) and "answer = '" + wanted in text:
                print(text)
kind_text = "max"
