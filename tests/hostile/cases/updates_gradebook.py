# Tries: to give itself full points in the store
# Aims at: kind-text
# Control: in process
# Succeeds by: written
import sqlite3

try:
    with sqlite3.connect("@CANARY@/store.sqlite") as store:
        store.execute("update rows set score = 100 where student = 'mallory'")
except sqlite3.Error as fault:
    print(fault)
kind_text = "max"
