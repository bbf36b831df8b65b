// Exact answers for the position on the board: tables and puzzles are asked by themselves, searches on demand.

import { look } from "./analysis.js";
import { get, Problem } from "./api.js";
import { t } from "./i18n.js";
import { absolute, known, LEVELS } from "./values.js";

const RESULTS = ["0–1", "½", "1–0"];

export function solving(store) {
  const keep = (node, game, answer, solved) => {
    node.solved = solved;
    if (!known(solved)) return;
    const value = absolute(LEVELS[solved.value], game.players === 1 ? 0 : answer.side);
    store.value(node, value, RESULTS[value + 1]);
  };

  const tell = (node) => node === store.tree.current && store.tell("solved");

  // A question that can be given up: the server then stops working on it.
  const ask = (node, game, more) => {
    const abort = new AbortController();
    node.stop = () => abort.abort();
    return get(`/games/${game.id}/solve`, { ...store.query(node), goal: store.goal, ...more }, abort.signal).finally(
      () => (node.stop = null),
    );
  };

  // Tables answer at once or not at all.
  const probe = (node) => {
    const { answer, game } = store;
    node.probing ??= get(`/games/${game.id}/solve`, { ...store.query(node), goal: store.goal, method: "table" }).then(
      (solved) => {
        if (solved.value !== "unknown" && !node.solved) keep(node, game, answer, solved);
        tell(node);
      },
      () => {},
    );
    return node.probing;
  };

  store.solve = async (again = false, time) => {
    const node = store.tree.current;
    const { answer, game } = store;
    if (!again) await node.probing;
    if (!answer || node !== store.tree.current || (!again && (node.solving || node.solved))) return node.solving;
    node.problem = null;
    if (again) node.solved = null;
    node.solving = ask(node, game, { time })
      .then(
        (solved) => keep(node, game, answer, solved),
        (problem) => {
          // Whoever went on to another position did not mean to stop this one for good.
          const stopped = problem.name === "AbortError";
          if (!stopped) node.problem = problem;
          else if (node === store.tree.current) node.problem = new Problem({ detail: "Stopped." });
        },
      )
      .finally(() => {
        node.solving = null;
        tell(node);
        if (node === store.tree.current) store.tell("fatal", store.fatal());
        hint(node, game);
      });
    tell(node);
    return node.solving;
  };

  // Which moves of a puzzle are fatal: that takes longer to say than how to solve it.
  const hint = async (node, game) => {
    const { solved } = node;
    if (
      game.players !== 1 ||
      solved?.value !== "solvable" ||
      !solved.distance ||
      solved.moves.length ||
      node.stop ||
      node !== store.tree.current
    )
      return;
    const hints = ask(node, game, { hints: true });
    tell(node);
    await hints.then(
      ({ moves }) => (solved.moves = moves),
      () => {},
    );
    tell(node);
  };

  // A move after which the puzzle cannot be solved any more, when it could before.
  store.fatal = () => {
    const node = store.tree.current;
    if (store.game.players !== 1 || node.solved?.value !== "unsolvable") return "";
    const before = node.parent?.solved?.value === "solvable";
    return before
      ? t("{move} was fatal: it can no longer be solved. ← takes it back.", node)
      : t("It can no longer be solved from here.");
  };

  // One short look by the engine, for a move to play.
  store.think = async () => {
    if (store.game.players !== 2 || store.answer.outcome) return null;
    return (await look(store.game, store.query(), { time: 0.5 }))?.move;
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
    Object.assign(store, { shown: answer, shownMoves: moves.length });
    store.tell("shown");
  };

  store.playLine = async (moves) => {
    const node = moves.reduce((at, move) => store.tree.child(at, move), store.tree.current);
    await store.go(node);
  };

  // Another goal for a puzzle: everything that was known was about another question.
  store.aim = (goal) => {
    store.goal = goal;
    const forget = (node) => {
      Object.assign(node, { solved: null, problem: null, probing: null, value: null });
      node.children.forEach(forget);
    };
    forget(store.tree.root);
    store.tell("solved");
    store.solve(true);
  };
  store.on("game", () => (store.goal = undefined));

  let before = null;
  store.on("position", () => {
    turn++;
    if (before !== store.tree.current) before?.stop?.();
    before = store.tree.current;
    if (store.tree.current.solved) hint(store.tree.current, store.game);
    else if (store.game.players === 1) store.solve();
    else probe(store.tree.current);
  });
}
