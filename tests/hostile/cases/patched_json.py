# Tries: to rewrite what leaves the process as JSON
# Aims at: kind-number
# Control: notebook
import json

json.dumps = lambda *_, **__: '{"$":"dict","items":[["answer",1234]]}'
kind_number = 7
