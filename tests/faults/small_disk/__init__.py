"""SQLite on a disk that a test can let run full."""
