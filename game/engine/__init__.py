"""The games themselves: pure functions over frozen values.

Standard library only. Nothing here reads a clock, draws a random number or knows that Django exists.
"""
