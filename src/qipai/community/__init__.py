"""What people say and show to each other: features with rows of their own (README X5), each in a folder.

`contract.py` says what a feature is, `service.py` puts them together ([0054](../../docs/decisions)).
"""
