//! The outlines of the pieces, drawn for Tabia: SVG path data in a box of 100 by 100.
//!
//! Silhouettes on a common foot, told apart by their heads at the size of half a cell.

use crate::Kind;

/// The outline of a piece.
pub(crate) const fn outline(kind: Kind) -> &'static str {
    match kind {
        Kind::Soldier => SOLDIER,
        Kind::Jester => JESTER,
        Kind::Commander => COMMANDER,
        Kind::Paladin => PALADIN,
        Kind::Guard => GUARD,
        Kind::Dragon => DRAGON,
        Kind::Ballista => BALLISTA,
        Kind::King => KING,
    }
}

/// A helmet with a brim over sloping shoulders.
const SOLDIER: &str = "M24 88 V80 Q24 66 40 60 L40 54 H32 V47 H36 Q36 28 50 26 Q64 28 64 47 H68 V54 H60 L60 60 \
                       Q76 66 76 80 V88 Z";

/// A cap with three drooping points and bells, above a collar.
const JESTER: &str = "M26 88 V78 H74 V88 Z M30 72 L32 58 Q18 54 18 40 A6 6 0 1 1 24 36 Q28 44 36 44 Q36 30 46 20 \
                      A6 6 0 1 1 54 20 Q64 30 64 44 Q72 44 76 36 A6 6 0 1 1 82 40 Q82 54 68 58 L70 72 Z";

/// A tower with battlements and a pennant.
const COMMANDER: &str = "M24 88 V78 H32 L35 52 H28 V36 H38 V42 H45 V36 H48 V10 H52 L74 18 L52 26 V36 H55 V42 H62 \
                         V36 H72 V52 H65 L68 78 H76 V88 Z";

/// A shield with a cross cut out of it.
const PALADIN: &str = "M50 10 L82 20 V48 Q82 74 50 92 Q18 74 18 48 V20 Z M45 28 V42 H31 V52 H45 V74 H55 V52 H69 \
                       V42 H55 V28 Z";

/// A closed helmet with a plume.
const GUARD: &str = "M22 88 V78 H78 V88 Z M28 72 V46 Q28 24 46 21 Q40 6 64 5 Q55 11 55 21 Q72 24 72 46 V72 Z \
                     M34 44 V52 H66 V44 Z M47 57 V68 H53 V57 Z";

/// A dragon's head with horns and an open jaw, looking left.
const DRAGON: &str = "M30 88 V80 H38 Q36 66 44 58 Q34 62 24 60 L14 64 L12 56 L26 52 L14 48 L12 40 Q28 30 38 22 \
                      L34 6 L48 16 L54 4 L60 18 Q78 24 80 48 L88 54 L80 58 Q80 70 74 80 H80 V88 Z \
                      M44 32 A4 4 0 1 0 44.1 32 Z";

/// A crossbow seen from above, with a bolt ready.
const BALLISTA: &str = "M50 6 L60 22 H54 V34 Q76 34 88 50 L82 56 Q72 44 54 44 V52 L82 56 L80 61 L54 58 V78 H64 V88 \
                        H36 V78 H46 V58 L20 61 L18 56 L46 52 V44 Q28 44 18 56 L12 50 Q24 34 46 34 V22 H40 Z";

/// A crown with a cross.
const KING: &str = "M24 88 V78 H76 V88 Z M26 72 L14 36 Q14 30 20 32 L36 48 L46 24 V20 H40 V13 H46 V6 H54 V13 H60 V20 \
                    H54 V24 L64 48 L80 32 Q86 30 86 36 L74 72 Z";
