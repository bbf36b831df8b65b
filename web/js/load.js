// From what the server recognised to a tree of moves: variations, comments and marks included.

import { Tree } from "./tree.js";

// Puts a line below a node. A move's variations begin where the move does.
function graft(tree, node, line) {
  if (line.comment && node === tree.root) node.comment = line.comment;
  let at = node;
  for (const step of line.moves) {
    const before = at;
    at = tree.child(before, step.move);
    Object.assign(at, { shown: step.shown, comment: step.comment, glyphs: step.glyphs });
    for (const variation of step.variations ?? []) graft(tree, before, variation);
  }
  return at;
}

// Shows a position or a whole game; of a game the end, where it can be read backwards.
export async function load(store, item) {
  const game = store.games.find(({ id }) => id === item.game);
  if (item.kind === "position") return store.open(game, item.position);
  const tree = new Tree(item.start === game.start ? undefined : item.start);
  Object.assign(tree, { tags: item.tags ?? {}, result: item.result });
  const end = graft(tree, tree.root, item.line);
  await store.show(game, tree, end);
}

// The line from a node on, with its variations, as the server writes it.
export function written(node) {
  const moves = [];
  for (let at = node; at.children.length; at = at.children[0]) {
    const [main, ...others] = at.children;
    const variation = (other) => {
      const { moves } = written(other);
      return { moves: [entry(other), ...moves] };
    };
    moves.push({ ...entry(main), variations: others.length ? others.map(variation) : undefined });
  }
  return { comment: node.parent ? undefined : node.comment, moves };
}

const entry = ({ move, shown, comment, glyphs }) => ({ move, shown, comment, glyphs });
