// The moves played, with variations: a tree of nodes, and the line through it that is being looked at.

export class Tree {
  // `start` is the text of the first position, or nothing for the game's own.
  constructor(start) {
    this.root = { move: null, parent: null, children: [], answer: null, value: null };
    this.current = this.root;
    this.start = start;
  }

  // The nodes from the root to a node.
  path(node = this.current) {
    const path = [];
    for (let at = node; at; at = at.parent) path.unshift(at);
    return path;
  }

  moves(node = this.current) {
    return this.path(node)
      .slice(1)
      .map((at) => at.move);
  }

  // The node after a move, made when it is new.
  child(node, move) {
    let child = node.children.find((known) => known.move === move);
    if (!child) {
      child = { move, parent: node, children: [], answer: null, value: null };
      node.children.push(child);
    }
    return child;
  }

  // Whether a list of moves has been played before.
  knows(moves) {
    let at = this.root;
    return moves.every((move) => (at = at.children.find((known) => known.move === move)));
  }

  // The node at the end of a list of moves, made when it is new.
  walk(moves) {
    return moves.reduce((node, move) => this.child(node, move), this.root);
  }

  // The node after a node: the one that was looked at last, or else the main line's.
  next(node = this.current) {
    return node.next ?? node.children[0];
  }

  // The end of the line a node is on.
  end(node = this.current) {
    let at = node;
    while (this.next(at)) at = this.next(at);
    return at;
  }

  // Whether a node is on the main line.
  isMain(node) {
    return this.path(node).every((at) => !at.parent || at.parent.children[0] === at);
  }

  // The first node of the variation a node is in; nothing on the main line.
  branch(node) {
    return this.path(node).findLast((at) => at.parent && at.parent.children[0] !== at);
  }

  // Makes the variation a node is in the line that the others are variations of.
  promote(node) {
    const first = this.branch(node);
    if (!first) return;
    const { children } = first.parent;
    children.unshift(...children.splice(children.indexOf(first), 1));
  }

  // Takes a node and everything after it away; returns where one looks now.
  remove(node) {
    const { parent } = node;
    parent.children.splice(parent.children.indexOf(node), 1);
    if (parent.next === node) parent.next = undefined;
    return this.path().includes(node) ? parent : this.current;
  }

  // The last nodes of all lines, the main line's first.
  ends(node = this.root) {
    return node.children.length ? node.children.flatMap((child) => this.ends(child)) : [node];
  }

  // The tree as it stands in an address: the main line; the other lines, each with the number of plies it shares
  // with the line before it; and where one looks.
  write() {
    const ends = this.ends();
    const lines = ends.map((end) => this.moves(end));
    const also = lines.slice(1).map((line, i) => {
      const kept = line.findIndex((move, ply) => move !== lines[i][ply]);
      return `${kept}.${line.slice(kept).join(",")}`;
    });
    const on = ends.findIndex((end) => this.path(end).includes(this.current));
    const ply = this.moves().length;
    const at = on ? `${ply}.${on}` : ply < lines[0].length ? String(ply) : "";
    return { play: lines[0].join(","), also: also.join("~"), at };
  }

  // Adds what `write` wrote; returns the node that was looked at. `main` is the main line, read already.
  read(main, also, at) {
    const lines = [main];
    for (const text of (also ?? "").split("~").filter(Boolean)) {
      const dot = text.indexOf(".");
      const kept = lines.at(-1).slice(0, Number(text.slice(0, dot)) || 0);
      lines.push([
        ...kept,
        ...text
          .slice(dot + 1)
          .split(",")
          .filter(Boolean),
      ]);
    }
    lines.forEach((line) => this.walk(line));
    const [ply, on = 0] = (at ?? "").split(".").map(Number);
    const line = lines[on] ?? main;
    return this.walk(at ? line.slice(0, ply) : main);
  }
}
