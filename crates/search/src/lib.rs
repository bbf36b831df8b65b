//! Search generic over any game: alpha-beta, Monte-Carlo, proof-number.
