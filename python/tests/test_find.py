"""Questions over positions, and puzzles."""

from pathlib import Path

import pytest

import tabia


def test_positions_are_found_one_by_one(tmp_path: Path) -> None:
    game = tabia.game("draughts")
    game.build_tables(tmp_path / "ends", pieces=2)
    found = list(game.find("value == 'win' && distance > 8", tables=tmp_path / "ends", sort="distance", descending=True, limit=5))
    assert len(found) == 5
    distances = [one["distance"] for one in found]
    assert distances == sorted(distances, reverse=True) and distances[-1] > 8
    for one in found:
        assert game.position(one["position"]).solve(tables=tmp_path / "ends").distance == one["distance"]


def test_a_file_and_an_enumeration(tmp_path: Path) -> None:
    game = tabia.game("chess")
    mates = list(game.find("moves == 0", source="enumerate", depth=4))
    assert len(mates) == 4 and {mate["ply"] for mate in mates} == {4}
    path = tmp_path / "positions.txt"
    path.write_text("\n".join(mate["position"] for mate in mates) + "\n")
    assert [one["line"] for one in game.find("over", source=str(path))] == [1, 2, 3, 4]


def test_bad_questions_are_told_with_their_place() -> None:
    with pytest.raises(tabia.TabiaError) as caught:
        next(iter(tabia.game("chess").find("moves > twenty", source="enumerate")))
    assert caught.value.offset == 8
    with pytest.raises(FileNotFoundError):
        next(iter(tabia.game("chess").find("moves > 1", source="nowhere.txt")))


def test_fields_and_puzzles() -> None:
    game = tabia.game("five-visible")
    assert {"value", "ply", "games"} <= {field["name"] for field in game.find_fields()}
    puzzle = game.puzzles()[0]
    position = game.position(puzzle["position"])
    assert puzzle["move"] in position.moves().texts
