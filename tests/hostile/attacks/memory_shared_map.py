"""Takes memory in shared maps, which a limit on the heap would not see."""
# verdict: memory_limit | crashed
# points: none
import mmap


def concat_heads(heads):
    held = []
    for _ in range(32):  # 2 GiB at most
        held.append(mmap.mmap(-1, 64 * 2**20))
        held[-1].write(b"x" * 64 * 2**20)
    print("breach: two gibibytes of shared maps")
