//! Chess: positions, keys, Polyglot books and PGN around cozy-chess.
