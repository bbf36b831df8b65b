//! Peg solitaire: boards, codes, and the solver that is special to pegs.
