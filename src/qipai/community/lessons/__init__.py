"""How far people have come in the first lessons 第一课 (platform P-73): the steps they have done."""
