"""Tables, seats, clocks, the umpire, the log and its replay."""
