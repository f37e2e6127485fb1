"""Never loads: sleeps again and again, using no processor time that a CPU limit could count."""
# verdict: time_limit
# points: none
import time

while True:
    time.sleep(3600)
