//! The law suite every game must pass.
