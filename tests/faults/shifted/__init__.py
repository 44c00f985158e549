"""A server whose wall clock a test can set."""
