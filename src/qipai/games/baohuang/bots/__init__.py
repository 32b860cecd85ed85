"""Players of baohuang: easy, steady, strong. Each is given a view and nothing else."""
