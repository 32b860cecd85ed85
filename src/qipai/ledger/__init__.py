"""The ledger: scores, grades, credibility, coins, passes, ratings, as sums and folds of facts."""

from qipai.ledger.ending import price, settle, times
from qipai.ledger.grades import grade, grade_name
from qipai.ledger.model import TRUST, Left, Paid, Purse, Stakes, trusted

__all__ = ["TRUST", "Left", "Paid", "Purse", "Stakes", "grade", "grade_name", "price", "settle", "times", "trusted"]
