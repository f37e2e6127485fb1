"""Asks multiprocessing for a pool of two processes."""
# verdict: wrong
# points: none
# needs: seccomp
import multiprocessing
import signal


def work(number):
    signal.alarm(5)
    return number


def concat_heads(heads):
    process = multiprocessing.get_context("fork").Process(target=work, args=(1,), daemon=True)
    process.start()
    print("breach: multiprocessing made a process")
    process.join(3)
