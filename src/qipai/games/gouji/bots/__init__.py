"""Players of gouji: easy, steady, strong. Each is given a view and nothing else."""
