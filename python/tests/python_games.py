"""Games as an inventor would write them, for the tests."""


class TicTacToe:
    """Three in a row win."""

    id = "python-tic-tac-toe"
    sides = ("x", "o")
    lines = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

    def start(self):
        return "." * 9

    def side(self, board):
        return (9 - board.count(".")) % 2

    def moves(self, board):
        return [cell for cell in range(9) if board[cell] == "."]

    def play(self, board, cell):
        return board[:cell] + "xo"[self.side(board)] + board[cell + 1 :]

    def outcome(self, board):
        for a, b, c in self.lines:
            if board[a] == board[b] == board[c] != ".":
                return "xo".index(board[a])
        return None if "." in board else "draw"

    def pack(self, board):
        return board.encode()

    def unpack(self, code):
        board = code.decode("ascii")
        if len(board) != 9 or set(board) - set("xo."):
            raise ValueError("nine cells, each x, o or .")
        return board

    def text(self, board):
        return "/".join((board[:3], board[3:6], board[6:]))

    def parse(self, text):
        return self.unpack(text.replace("/", "").encode())

    def symmetries(self):
        turned = (2, 5, 8, 1, 4, 7, 0, 3, 6)
        mirrored = (2, 1, 0, 5, 4, 3, 8, 7, 6)
        return [turned, mirrored]

    def map_state(self, board, places):
        return "".join(board[places.index(cell)] for cell in range(9))

    def map_move(self, cell, places):
        return places[cell]

    def cells(self, board):
        return [board[:3], board[3:6], board[6:]]


class Nim:
    """Take any number from one heap; who takes the last one wins."""

    def __init__(self, *heaps):
        self.heaps = heaps

    def start(self):
        return 0, *self.heaps

    def side(self, position):
        return position[0]

    def moves(self, position):
        return [(heap, left) for heap, size in enumerate(position[1:], 1) for left in range(size)]

    def play(self, position, move):
        heap, left = move
        return 1 - position[0], *position[1:heap], left, *position[heap + 1 :]

    def outcome(self, position):
        return None if any(position[1:]) else 1 - position[0]

    def pack(self, position):
        return bytes(position)

    def symmetries(self):
        """The players are places 0 and 1, the heaps come after them: all of them may change places."""
        count = len(self.heaps) + 2
        exchanged = [(1, 0, *range(2, count))]
        for heap in range(2, count - 1):
            exchanged.append((*range(heap), heap + 1, heap, *range(heap + 2, count)))
        return exchanged

    def swaps(self, places):
        return places[0] == 1

    def map_state(self, position, places):
        heaps = sorted(zip(places[2:], position[1:]))
        return places[position[0]], *(size for _, size in heaps)

    def map_move(self, move, places):
        heap, left = move
        return places[heap + 1] - 1, left


class Hex:
    """Connect your two edges: player 0 left and right, player 1 top and bottom."""

    sides = ("red", "blue")

    def __init__(self, size):
        self.size, self.cells_of_board = size, range(size * size)

    def start(self):
        return "." * self.size**2

    def side(self, board):
        return (self.size**2 - board.count(".")) % 2

    def moves(self, board):
        return [cell for cell in self.cells_of_board if board[cell] == "."]

    def play(self, board, cell):
        return board[:cell] + "rb"[self.side(board)] + board[cell + 1 :]

    def outcome(self, board):
        last = 1 - self.side(board)
        return last if self.connected(board, last) else None

    def connected(self, board, side):
        n, stone = self.size, "rb"[side]
        along = (lambda cell: cell % n) if side == 0 else (lambda cell: cell // n)
        reached = [cell for cell in self.cells_of_board if board[cell] == stone and along(cell) == 0]
        seen = set(reached)
        while reached:
            cell = reached.pop()
            if along(cell) == n - 1:
                return True
            x, y = cell % n, cell // n
            for a, b in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1), (x + 1, y - 1), (x - 1, y + 1)):
                near = b * n + a
                if 0 <= a < n and 0 <= b < n and near not in seen and board[near] == stone:
                    seen.add(near)
                    reached.append(near)
        return False

    def pack(self, board):
        return board.encode()

    def unpack(self, code):
        return code.decode("ascii")

    def symmetries(self):
        return [tuple(reversed(self.cells_of_board))]

    def map_state(self, board, places):
        return "".join(board[places.index(cell)] for cell in self.cells_of_board)

    def map_move(self, cell, places):
        return places[cell]

    def cells(self, board):
        rows = [board[at : at + self.size] for at in range(0, self.size**2, self.size)]
        return [[{"r": "red", "b": "blue"}.get(cell, ".") for cell in row] for row in rows]


class Boxes:
    """Dots and Boxes: who draws the fourth side of a box owns it and draws again; more boxes win.

    A position is the set of lines, the boxes of each player, and who draws. Lines and boxes are cells of a grid.
    """

    def __init__(self, columns, rows):
        self.width, self.height = 2 * columns + 1, 2 * rows + 1
        cells = [(x, y) for y in range(self.height) for x in range(self.width)]
        self.lines = [x + y * self.width for x, y in cells if (x + y) % 2]
        self.boxes = {
            at: {at - 1, at + 1, at - self.width, at + self.width}
            for x, y in cells
            if x % 2 and y % 2
            for at in [x + y * self.width]
        }

    def start(self):
        return frozenset(), 0, 0, 0

    def side(self, position):
        return position[3]

    def moves(self, position):
        return [line for line in self.lines if line not in position[0]]

    def play(self, position, line):
        drawn, side = position[0] | {line}, position[3]
        closed = sum(line in around and around <= drawn for around in self.boxes.values())
        own = [position[1], position[2]]
        own[side] += closed
        return drawn, *own, side if closed else 1 - side

    def outcome(self, position):
        drawn, first, second, _ = position
        if len(drawn) < len(self.lines):
            return None
        return "draw" if first == second else int(second > first)

    def pack(self, position):
        drawn, first, second, _ = position
        bits = sum(1 << n for n, line in enumerate(self.lines) if line in drawn)
        return bits.to_bytes(8, "little") + bytes((first, second))
