//! What a game can be asked beyond its rules.
//!
//! A capability is a function pointer, instantiated for the game by the `with_...` method of
//! [`crate::Adapter`] that requires the trait behind it: so the registry's one line decides, the
//! compiler checks, and nothing inside the function is dynamic.

use tabia_core::{GameFile, Present};

/// The optional capabilities of a game.
pub(crate) struct Capabilities<G: Present> {
    /// The kinds of game files it reads.
    pub(crate) files: Option<fn(&G) -> &'static [GameFile]>,
}

impl<G: Present> Capabilities<G> {
    /// The names of what can be asked, for people and programs.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        let optional = [("files", self.files.is_some())];
        let common = ["perft", "enumerate", "playout"];
        common.into_iter().chain(optional.iter().filter(|(_, has)| *has).map(|(name, _)| *name)).collect()
    }
}

// Derives would ask the same of G.
#[allow(clippy::expl_impl_clone_on_copy)]
impl<G: Present> Clone for Capabilities<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Present> Copy for Capabilities<G> {}

impl<G: Present> Default for Capabilities<G> {
    fn default() -> Self {
        Capabilities { files: None }
    }
}

impl<G: Present> std::fmt::Debug for Capabilities<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}
