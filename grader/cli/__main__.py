"""`python -m grader.cli` is the command `grade`."""

from grader.cli.main import main

main()
