"""What two or more games share: packs of cards, climbing sets with hung jokers, scripts of conformance cases."""
