"""Looking through a finished game together: one leads, others follow and talk; other lines beside the record (P-90)."""
