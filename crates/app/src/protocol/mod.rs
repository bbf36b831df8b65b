//! What other programs speak: conversations and shapes of data that were not invented here.

pub mod five_visible;
pub mod uci;
