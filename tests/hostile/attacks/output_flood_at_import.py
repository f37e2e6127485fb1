"""Prints without end while it is loaded."""
# verdict: output_limit
# points: none
# says: sandbox.output_limit
while True:
    print("loading ..." * 1000)
