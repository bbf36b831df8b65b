//! English draughts: rules, codes, FEN and PDN.
