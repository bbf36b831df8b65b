//! The moves of a game with their variations.

use tabia_app::LineText;

/// The number of a node; 0 is the start.
pub(crate) type NodeId = usize;

/// A position of the game: the move that led to it, and what follows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    pub(crate) parent: Option<NodeId>,
    /// What was played from here, the main line first.
    pub(crate) children: Vec<NodeId>,
    /// The move; empty at the start.
    pub(crate) text: String,
    /// What is said about it.
    pub(crate) comment: String,
    /// `!`, `?!`.
    pub(crate) glyphs: Vec<String>,
    /// The expected result for player 0, from -1 to 1, where it is known.
    pub(crate) score: Option<f64>,
}

/// A game with its variations.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    pub(crate) current: NodeId,
}

impl Tree {
    /// Only the start.
    pub(crate) fn new() -> Self {
        Tree { nodes: vec![Node::default()], current: 0 }
    }

    /// A game that was read.
    pub(crate) fn of(line: &LineText) -> Self {
        let mut tree = Tree::new();
        tree.nodes[0].comment.clone_from(&line.comment);
        tree.add_line(0, line);
        tree
    }

    fn add_line(&mut self, from: NodeId, line: &LineText) {
        let mut at = from;
        for mv in &line.moves {
            let before = at;
            at = self.add(before, &mv.text);
            let node = &mut self.nodes[at];
            node.comment.clone_from(&mv.comment);
            node.glyphs.clone_from(&mv.glyphs);
            for variation in &mv.variations {
                self.add_line(before, variation);
            }
        }
    }

    /// The node of a number; the start for a number that there is not.
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        self.nodes.get(id).unwrap_or(&self.nodes[0])
    }

    pub(crate) fn here(&self) -> &Node {
        self.node(self.current)
    }

    pub(crate) fn rate(&mut self, id: NodeId, score: f64) {
        if let Some(node) = self.nodes.get_mut(id) {
            node.score = Some(score);
        }
    }

    /// The node after a move; a new one where it was not played before.
    pub(crate) fn add(&mut self, from: NodeId, text: &str) -> NodeId {
        let known = self.node(from).children.iter().copied().find(|child| self.node(*child).text == text);
        known.unwrap_or_else(|| {
            let id = self.nodes.len();
            self.nodes.push(Node { parent: Some(from), text: text.to_owned(), ..Node::default() });
            if let Some(node) = self.nodes.get_mut(from) {
                node.children.push(id);
            }
            id
        })
    }

    /// Takes a node away, with all that follows; the place before it.
    pub(crate) fn delete(&mut self, id: NodeId) -> NodeId {
        let Some(parent) = self.node(id).parent else { return id };
        self.nodes[parent].children.retain(|child| *child != id);
        parent
    }

    /// Makes the variation that a node is in the main line at its last branch.
    pub(crate) fn promote(&mut self, id: NodeId) {
        let is_first =
            |tree: &Tree, id: NodeId, parent: NodeId| tree.node(parent).children.first() == Some(&id);
        let mut at = id;
        while let Some(parent) = self.node(at).parent {
            if !is_first(self, at, parent) {
                let children = &mut self.nodes[parent].children;
                children.retain(|child| *child != at);
                children.insert(0, at);
                return;
            }
            at = parent;
        }
    }

    /// The nodes from the first move to this one.
    pub(crate) fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut path: Vec<NodeId> =
            std::iter::successors(Some(id), |id| self.node(*id).parent).filter(|id| *id != 0).collect();
        path.reverse();
        path
    }

    /// The nodes of the line that goes through the current one, to its end.
    pub(crate) fn line(&self) -> Vec<NodeId> {
        let mut line = self.path(self.current);
        let mut at = self.current;
        while let Some(next) = self.node(at).children.first() {
            line.push(*next);
            at = *next;
        }
        line
    }

    /// Another move from the same position, so many places further.
    pub(crate) fn sibling(&self, by: isize) -> Option<NodeId> {
        let siblings = &self.node(self.here().parent?).children;
        let at = siblings.iter().position(|id| *id == self.current)?;
        let next = at.checked_add_signed(by)?;
        siblings.get(next).copied()
    }

    /// The texts of the moves to a node.
    pub(crate) fn texts(&self, nodes: &[NodeId]) -> Vec<String> {
        nodes.iter().map(|id| self.node(*id).text.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Tree {
        let registry = tabia_app::Registry::standard();
        let game = registry.find("chess").unwrap();
        let read = game.whole_games().read_text("pgn", text, 1).unwrap();
        Tree::of(&read.games[0].line)
    }

    #[test]
    fn variations_hang_where_they_begin() {
        let mut tree = tree("1. e4 e5 (1... c5 2. Nf3) 2. Nc3 *");
        assert_eq!(tree.texts(&tree.line()), ["e4", "e5", "Nc3"]);
        let e4 = tree.line()[0];
        assert_eq!(tree.node(e4).children.len(), 2);
        tree.current = tree.line()[1];
        tree.current = tree.sibling(1).unwrap();
        assert_eq!(tree.texts(&tree.line()), ["e4", "c5", "Nf3"]);
        assert_eq!(tree.sibling(1), None);
        let knight = *tree.line().last().unwrap();
        tree.promote(knight);
        tree.current = 0;
        assert_eq!(tree.texts(&tree.line()), ["e4", "c5", "Nf3"]);
        assert_eq!(tree.delete(e4), 0);
        assert!(tree.line().is_empty());
        assert_eq!(tree.delete(0), 0, "the start stays");
    }

    #[test]
    fn a_move_played_again_is_the_same_node() {
        let mut tree = Tree::new();
        let first = tree.add(0, "e4");
        assert_eq!(tree.add(0, "e4"), first);
        assert_ne!(tree.add(0, "d4"), first);
        assert_eq!(tree.path(first), [first]);
    }
}
