"""Ends the process with success while it is loaded."""
# verdict: crashed
# points: none
# says: sandbox.ended
import os

os._exit(0)
