"""The pages: each view reads with selectors, writes with actions, and answers."""
