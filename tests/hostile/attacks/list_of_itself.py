"""Returns a list, a tuple and a dict that contain themselves."""
# verdict: wrong
# points: none
# says: sandbox.unsendable


def concat_heads(heads):
    ring = []
    ring.append((ring, {"again": ring}))
    return ring
