"""The ledger: scores, grades, credibility, coins, passes, ratings, as sums and folds of facts."""

from qipai.ledger.ending import price, settle, times
from qipai.ledger.grades import grade, grade_name
from qipai.ledger.model import TRUST, Holdings, Left, Paid, Stakes, trusted

__all__ = ["TRUST", "Holdings", "Left", "Paid", "Stakes", "grade", "grade_name", "price", "settle", "times", "trusted"]
