"""Who solves what: one module a game, beside its rules. Pure; no clock, no randomness."""
