"""The games as researchers' programs expect them: PettingZoo, Gymnasium, OpenSpiel (`pip install qipai[research]`)."""
