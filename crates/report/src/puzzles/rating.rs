//! How hard a puzzle is.
//!
//! Two things count: how many positions a search visits before it has found the move for good, and how many wrong
//! moves look better at first sight (by the evaluation after one ply). A solver of a game for one has no evaluation:
//! there the positions of a plain depth-first search count, and every wrong move tempts.

/// The most nodes that a search is given to find the move.
pub(super) const BUDGET: u64 = 1 << 15;
/// What doubling the nodes is worth, and each tempting move.
const DOUBLING: f64 = 75.0;
const TEMPTATION: f64 = 30.0;
/// More tempting moves than these do not make it harder.
const MOST_TEMPTING: usize = 10;

/// The rating of a puzzle whose move a search finds after so many nodes, with so many wrong moves that tempt.
pub fn rating_of(nodes: u64, tempting: usize) -> u16 {
    let effort = (nodes.max(1) as f64).log2() * DOUBLING;
    let temptation = tempting.min(MOST_TEMPTING) as f64 * TEMPTATION;
    (600.0 + effort + temptation).clamp(400.0, 3000.0) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_work_and_more_temptation_are_harder() {
        assert!(rating_of(100, 0) < rating_of(1000, 0));
        assert!(rating_of(100, 0) < rating_of(100, 3));
        assert_eq!(rating_of(0, 0), rating_of(1, 0));
        assert!(rating_of(u64::MAX, 100) <= 3000);
    }
}
