//! Exact solvers and solution files, generic over any game.
