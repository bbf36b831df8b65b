//! What the process around the facade decides.

use crate::search::Evaluation;
use std::path::PathBuf;

/// Folders on this machine, and how searches judge positions. The facade itself asks neither the environment nor the system for them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Where tables are kept that can be built again at any time; nothing is kept without it.
    pub cache: Option<PathBuf>,
    /// Ending tables that searches and solvers look into.
    pub tables: Option<PathBuf>,
    /// The book of played games that is used when none is named.
    pub book: Option<PathBuf>,
    /// The evaluation of searches that are not told otherwise.
    pub evaluation: Evaluation,
}
