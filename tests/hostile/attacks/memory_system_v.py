"""Takes a System V shared memory segment, which would outlive its process."""
# verdict: wrong
# points: none
# needs: seccomp
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def concat_heads(heads):
    segment = libc.shmget(0, 2**20, 0o1600)  # IPC_PRIVATE, IPC_CREAT
    if segment >= 0:
        libc.shmctl(segment, 0, None)  # IPC_RMID
        print("breach: a shared memory segment was made")
