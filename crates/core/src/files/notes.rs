//! What people write around the moves of a game: marks, comments and variations.

/// A remark in a line of moves: marks, a comment, or both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// How many moves of its line stand before it.
    pub after: usize,
    /// Numeric annotation glyphs: 1 is `!`, 2 is `?`, 10 is an equal position.
    pub marks: Vec<u8>,
    /// What was said, as words with single spaces between them.
    pub comment: String,
}

/// Moves that could have been played instead, and what is said about them.
///
/// Variations of variations stand in the same list, so that no depth of nesting needs a deep stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation<M> {
    /// The line it leaves: 0 is the game itself, n the n-th variation (from 1), which stands before it.
    pub of: usize,
    /// How many moves of that line are played before it; it replaces the one that follows them.
    pub after: usize,
    /// Its own moves.
    pub moves: Vec<M>,
    /// Remarks on them.
    pub notes: Vec<Note>,
}

/// Signs that stand for a mark; a sign comes before those it begins with.
const SIGNS: [(&str, u8); 20] = [
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("!", 1),
    ("?", 2),
    ("+/-", 16),
    ("-/+", 17),
    ("+/=", 14),
    ("=/+", 15),
    ("+-", 18),
    ("-+", 19),
    ("+=", 14),
    ("=+", 15),
    ("=", 10),
    ("□", 7),
    ("∞", 13),
    ("⩲", 14),
    ("±", 16),
    ("∓", 17),
];

/// The mark that a text begins with (`!?`, `+-`, `±`), and the rest of the text.
pub fn take_mark(text: &str) -> Option<(u8, &str)> {
    SIGNS.iter().find_map(|&(sign, mark)| Some((mark, text.strip_prefix(sign)?)))
}

impl Note {
    /// Adds a mark to the remarks of a line, after so many of its moves.
    pub fn add_mark(notes: &mut Vec<Note>, after: usize, mark: u8) {
        match notes.last_mut() {
            Some(note) if note.after == after && note.comment.is_empty() => note.marks.push(mark),
            _ => notes.push(Note { after, marks: vec![mark], comment: String::new() }),
        }
    }

    /// Adds a comment to the remarks of a line, after so many of its moves. Line ends become spaces.
    pub fn add_comment(notes: &mut Vec<Note>, after: usize, text: &str) {
        let comment = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match notes.last_mut() {
            _ if comment.is_empty() => {}
            Some(note) if note.after == after && note.comment.is_empty() => note.comment = comment,
            _ => notes.push(Note { after, marks: Vec::new(), comment }),
        }
    }
}
