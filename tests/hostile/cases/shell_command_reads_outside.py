# Tries: to read outside with a command of the shell
# Aims at: kind-text
# Control: in process
# Succeeds by: secret
import subprocess

command = "cat '@CANARY@/other.ipynb'; ls -la '@CANARY@' / /root"
kind_text = subprocess.run(command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
print(kind_text)
get_ipython().system(command)
