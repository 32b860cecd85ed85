"""The players of shengji: easy, steady and strong, each from a view alone."""
