"""Xiangqi once more, slow and obvious: what the kernel is held against. A board maps (file, rank) to a letter.

Written from the text of docs/spec/xiangqi.md alone, with no table, no incremental state and none of the kernel's names.
"""

from __future__ import annotations

from collections.abc import Iterator

Square = tuple[int, int]
Board = dict[Square, str]
Move = tuple[Square, Square]

FILES = "abcdefghi"


def board_of(fen: str) -> tuple[Board, int]:
    rows, side = fen.split()[:2]
    board: Board = {}
    for number, row in enumerate(rows.split("/")):
        file = 0
        for sign in row:
            if sign.isdigit():
                file += int(sign)
            else:
                board[file, 9 - number] = sign
                file += 1
    return board, 1 if side == "b" else 0


def name(move: Move) -> str:
    (f1, r1), (f2, r2) = move
    return f"{FILES[f1]}{r1}{FILES[f2]}{r2}"


def square(text: str) -> Square:
    return FILES.index(text[0]), int(text[1])


def color(piece: str) -> int:
    return 0 if piece.isupper() else 1


def inside(spot: Square) -> bool:
    return 0 <= spot[0] <= 8 and 0 <= spot[1] <= 9


def in_palace(spot: Square, side: int) -> bool:
    return 3 <= spot[0] <= 5 and (0 <= spot[1] <= 2 if side == 0 else 7 <= spot[1] <= 9)


def at_home(spot: Square, side: int) -> bool:
    """On the side's own half."""
    return spot[1] <= 4 if side == 0 else spot[1] >= 5


def steps(board: Board, spot: Square) -> Iterator[Square]:
    """Where the man on a square may step by section 5, safety aside; enemy men on the way end it, own are no target."""
    for target in attacks(board, spot) if board[spot] not in "Cc" else cannon_steps(board, spot):
        if target not in board or color(board[target]) != color(board[spot]):
            yield target


def cannon_steps(board: Board, spot: Square) -> Iterator[Square]:
    for df, dr in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        file, rank = spot[0] + df, spot[1] + dr
        while inside((file, rank)) and (file, rank) not in board:
            yield file, rank
            file, rank = file + df, rank + dr
    yield from (target for target in attacks(board, spot) if target in board)


def attacks(board: Board, spot: Square) -> Iterator[Square]:
    """The squares a man attacks by his capture move, whoever stands there."""
    piece = board[spot]
    side, kind = color(piece), piece.upper()
    file, rank = spot
    ahead = 1 if side == 0 else -1
    if kind in "RC":
        screens = 0 if kind == "R" else 1
        for df, dr in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            seen = 0
            for far in range(1, 10):
                target = (file + df * far, rank + dr * far)
                if not inside(target):
                    break
                if seen == screens:
                    yield target
                if target in board:
                    seen += 1
    elif kind == "N":
        for df, dr in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            if (file + df, rank + dr) in board:
                continue
            for turn in (1, -1):
                target = (file + 2 * df, rank + turn) if df else (file + turn, rank + 2 * dr)
                if inside(target):
                    yield target
    elif kind == "B":
        for df in (1, -1):
            for dr in (1, -1):
                target = (file + 2 * df, rank + 2 * dr)
                if inside(target) and at_home(target, side) and (file + df, rank + dr) not in board:
                    yield target
    elif kind == "A":
        for df in (1, -1):
            for dr in (1, -1):
                if in_palace((file + df, rank + dr), side):
                    yield file + df, rank + dr
    elif kind == "K":
        for target in ((file + 1, rank), (file - 1, rank), (file, rank + 1), (file, rank - 1)):
            if in_palace(target, side):
                yield target
    else:
        if inside((file, rank + ahead)):
            yield file, rank + ahead
        if not at_home(spot, side):
            for target in ((file + 1, rank), (file - 1, rank)):
                if inside(target):
                    yield target


def after(board: Board, move: Move) -> Board:
    new = dict(board)
    new[move[1]] = new.pop(move[0])
    return new


def general(board: Board, side: int) -> Square:
    return next(spot for spot, piece in board.items() if piece == "Kk"[side])


def facing(board: Board) -> bool:
    (f1, r1), (f2, r2) = general(board, 0), general(board, 1)
    return f1 == f2 and not any((f1, rank) in board for rank in range(min(r1, r2) + 1, max(r1, r2)))


def attackers(board: Board, side: int) -> set[Square]:
    """The enemy men that attack a side's general; the enemy general is one when the generals face."""
    throne = general(board, side)
    found = {
        spot
        for spot, piece in board.items()
        if color(piece) != side and piece not in "Kk" and throne in attacks(board, spot)
    }
    return found | {general(board, 1 - side)} if facing(board) else found


def legal(board: Board, side: int) -> set[Move]:
    moves = {(spot, to) for spot, piece in board.items() if color(piece) == side for to in steps(board, spot)}
    return {move for move in moves if not attackers(after(board, move), side)}


def perft(board: Board, side: int, depth: int) -> int:
    moves = legal(board, side)
    return len(moves) if depth == 1 else sum(perft(after(board, move), 1 - side, depth - 1) for move in moves)


def mates(board: Board, side: int) -> bool:
    """Whether the side has a legal move that checkmates at once."""
    for move in legal(board, side):
        then = after(board, move)
        if attackers(then, 1 - side) and not legal(then, 1 - side):
            return True
    return False


# The repetition code, 6.3


def safe(board: Board, hunter: Square, prey: Square) -> bool:
    """Rule 1: after the capture nobody attacks the hunter's general who did not before."""
    side = color(board[hunter])
    return attackers(after(board, (hunter, prey)), side) <= attackers(board, side)


def rooted(board: Board, hunter: Square, prey: Square) -> bool:
    """Rule 2: somebody can take back with his general left unattacked."""
    side = color(board[prey])
    checking = attackers(board, side)
    taken = after(board, (hunter, prey))
    for spot, piece in taken.items():
        if color(piece) == side and prey in attacks(taken, spot):
            threats = attackers(after(taken, (spot, prey)), side)
            if not (threats if piece in "Kk" else threats - checking):
                return True
    return False


def chased(board: Board, side: int, soldiers: bool = False) -> set[Square]:
    hunters = "RNCAB" + ("P" if soldiers else "")
    found = set()
    for prey, victim in board.items():
        if color(victim) == side or victim in "Kk" or (victim in "Pp" and at_home(prey, 1 - side)):
            continue
        for hunter, piece in board.items():
            if color(piece) != side or piece.upper() not in hunters:
                continue
            if prey not in attacks(board, hunter) or not safe(board, hunter, prey):
                continue
            great = (piece.upper() in "NC" and victim in "Rr") or (piece.upper() in "AB" and victim in "RrNnCc")
            if not great:
                if rooted(board, hunter, prey):
                    continue
                alike = piece.upper() == victim.upper()
                if alike and hunter in attacks(board, prey) and safe(board, prey, hunter):
                    continue
            found.add(prey)
    return found


def levels(board: Board, side: int, moves: list[Move], rule: str) -> tuple[int, int]:
    """The levels of both sides over a span that starts with this board."""
    positions = [board]
    for move in moves:
        positions.append(after(positions[-1], move))

    def moved(spots: set[Square], move: Move) -> set[Square]:
        return {move[1] if spot == move[0] else spot for spot in spots}

    def new_chases(i: int, soldiers: bool) -> set[Square]:
        mover = side ^ (i & 1)
        return chased(positions[i + 1], mover, soldiers) - moved(chased(positions[i], mover, soldiers), moves[i])

    def checks(i: int) -> bool:
        return bool(attackers(positions[i + 1], 1 - (side ^ (i & 1))))

    def kills(i: int) -> bool:
        mover = side ^ (i & 1)
        return mates(positions[i + 1], mover) and not mates(positions[i], mover)

    def attacks_always(seat: int, soldiers: bool) -> bool:
        return all(checks(i) or new_chases(i, soldiers) or kills(i) for i in range((seat ^ side), len(moves), 2))

    def same_victim(seat: int) -> bool:
        """Follow each man of the other side by where he stands when the span begins."""
        for start in board:
            if color(board[start]) == seat:
                continue
            spot, always = start, True
            for i, move in enumerate(moves):
                if spot == move[0]:
                    spot = move[1]
                if side ^ (i & 1) == seat and spot not in new_chases(i, False):
                    always = False
            if always:
                return True
        return False

    found = []
    for seat in (0, 1):
        if all(checks(i) for i in range((seat ^ side), len(moves), 2)):
            found.append(2)
        elif rule == "asian":
            found.append(int(same_victim(seat)))
        elif rule == "cxa":
            found.append(int(attacks_always(seat, False)))
        else:
            found.append(0)
    if rule == "cxa" and sorted(found) == [0, 1]:
        weak = found.index(0)
        found[weak] = int(attacks_always(weak, True))
    return found[0], found[1]
