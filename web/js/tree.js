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
}
