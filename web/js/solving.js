// Exact answers for the position on the board: tables and puzzles are asked by themselves, searches on demand.

import { get, listen, post } from "./api.js";
import { absolute, LEVELS } from "./values.js";

export function solving(store) {
  const keep = (node, game, answer, solved) => {
    node.solved = solved;
    if (solved.value in LEVELS) store.value(node, absolute(LEVELS[solved.value], game.players === 1 ? 0 : answer.side));
  };

  // Tables answer at once or not at all.
  const probe = (node) => {
    const { answer, game } = store;
    node.probing ??= get(`/games/${game.id}/solve`, { ...store.query(node), method: "table" }).then((solved) => {
      if (solved.value !== "unknown" && !node.solved) keep(node, game, answer, solved);
      if (node === store.tree.current) store.tell("solved");
    }, () => {});
    return node.probing;
  };

  store.solve = async (again = false, time) => {
    const node = store.tree.current;
    const { answer, game } = store;
    if (!again) await node.probing;
    if (!answer || node !== store.tree.current || (!again && (node.solving || node.solved))) return node.solving;
    node.problem = null;
    if (again) node.solved = null;
    store.tell("solved");
    node.solving = get(`/games/${game.id}/solve`, { ...store.query(node), time }).then((solved) => {
      keep(node, game, answer, solved);
      if (game.players === 1 && solved.value === "solvable") hint(node);
    }, (problem) => {
      node.problem = problem;
    }).finally(() => {
      node.solving = null;
      if (node === store.tree.current) {
        store.tell("solved");
        store.tell("fatal", store.fatal());
      }
    });
    return node.solving;
  };

  // Which jumps of a puzzle are fatal: each is asked about in turn, and its answer is kept for when it is played.
  const hint = async (node) => {
    const { answer, game } = store;
    for (const { move } of answer.moves) {
      if (node !== store.tree.current) return;
      try {
        const { value } = await get(`/games/${game.id}/solve`, { ...store.query(node), play: [...store.tree.moves(node), move].join(",") });
        node.solved.moves.push({ move, value, distance: null, best: value === "solvable" });
      } catch {
        return;
      }
      if (node === store.tree.current) store.tell("solved");
    }
  };

  // A jump after which the puzzle cannot be solved any more, when it could before.
  store.fatal = () => {
    const node = store.tree.current;
    if (store.game.players !== 1 || node.solved?.value !== "unsolvable") return "";
    const before = node.parent?.solved?.value === "solvable";
    return before ? `${node.move} was fatal: it can no longer be solved. ← takes it back.` : "It can no longer be solved from here.";
  };

  // One short look by the engine, for a move to play.
  store.think = async () => {
    if (store.game.players !== 2 || store.answer.outcome) return null;
    const { id } = await post("/analyses", { game: store.game.id, ...Object.fromEntries(Object.entries(store.query()).filter(([, value]) => value)), limits: { time: 0.5 } });
    return new Promise((resolve) => {
      let move = null;
      listen(id, (report) => (move = report.move), () => resolve(move));
    });
  };

  // Shows the position after some moves without playing them; nothing to come back.
  let turn = 0;
  store.preview = async (moves) => {
    const mine = ++turn;
    if (!moves) {
      store.shown = null;
      return store.tell("shown");
    }
    const play = [...store.tree.moves(), ...moves].join(",");
    const answer = await get(`/games/${store.game.id}/position`, { ...store.query(), play, board: true });
    if (mine !== turn) return;
    store.shown = answer;
    store.tell("shown");
  };

  store.playLine = async (moves) => {
    const node = moves.reduce((at, move) => store.tree.child(at, move), store.tree.current);
    await store.go(node);
  };

  store.on("position", () => {
    turn++;
    if (store.tree.current.solved) return;
    if (store.game.players === 1) store.solve();
    else probe(store.tree.current);
  });
}
