"""A Redis layer that loses, doubles and delays messages."""
