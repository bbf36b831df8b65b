// What is done with one position, on a processor or on a GPU: the first look, the telling of those before it, the
// check of a finished table.
//
// For fixed men, all placements of kings are a *block*: king moves stay inside it (seen by the other side: in its other
// half), every other move leads to a level that is known. Some blocks of a level are a *batch*: their positions have a
// byte each, by block, half and placement of kings.
#pragma once
#include "draughts.h"

// A byte of a position: won or lost; decided by the first look (who wins) or safe from loss (distances); and how many
// moves inside the block are not known to lose. Closed (distances): it has none, so that nobody has news for it.
#define WON 0x80
#define LOST 0x40
#define FRESH 0x20
#define SAFE 0x20
#define OPEN 0x1F
#define CLOSED 0x1F

// As in the tables.
#define DRAW_BITS 0
#define LOSS_BITS 1
#define WIN_BITS 2

// The men of a block as its first half sees them, and the numbers of both halves' men.
struct Placement {
  u32 men, other_men, number[2];
};

// The structures below are shared with the host: crates/gpu/src/shared.rs.
struct Tables {
  const u32 *choose;
  const Slice *slices;
};

// One half: the pieces of the side to move and of the other.
struct Half {
  const u32 *sets, *other_sets; // placements of the kings by number
  u32 men, kings, other_men, other_kings;
  u32 other_ways;
  u32 slice; // its own
};

struct Batch {
  const Placement *placements;
  u8 *states;
  u8 *plies;     // for distances: half the plies of what is decided, or of what awaits its time
  u32 *queue;    // positions in the order of being decided
  u32 *tail;     // how many these are
  u32 *waiting;  // for distances: positions in the order of the ply at which their moves out of the block count
  u32 *starts;   // where the positions of each ply start in it
  Half half[2];
  u32 first, count; // which placements
  u32 king_ways;
  u32 positions;    // count * 2 * king_ways
  u32 same;         // whether both halves are of one slice: then a block may be its own other half
  u32 unused;
};

struct Place {
  u32 block, half, kings;
};

BOTH Place place_of(const Batch &batch, u32 at) {
  u32 row = at / batch.king_ways;
  return {row >> 1, row & 1, at - row * batch.king_ways};
}

BOTH Placement placement_of(const Batch &batch, u32 block) {
  const Placement *from = batch.placements + batch.first + block;
#ifdef __CUDA_ARCH__
  uint4 all = __ldg((const uint4 *)from);
  return {all.x, all.y, {all.z, all.w}};
#else
  return *from;
#endif
}

// Whether a block is its own other half, so that the second one is left alone.
BOTH bool single(const Batch &batch, const Placement &men) { return batch.same && men.number[0] == men.number[1]; }

BOTH Board board_at(const Batch &batch, const Placement &men, Place place) {
  const Half &half = batch.half[place.half];
  u32 own = place.half ? turn(men.other_men) : men.men, other = place.half ? turn(men.men) : men.other_men;
  return with_kings(own, other, place.kings, half.other_ways, half.sets, half.other_sets);
}

// ---- values of other places

struct Known {
  u32 verdict; // two bits
  u32 plies;   // to the end, where distances are kept
};

BOTH u32 verdict_at(const Slice &slice, u64 number) {
  return read(slice.verdicts + (number >> 4)) >> (2 * (u32)(number & 15)) & 3;
}

template <bool DISTANCES> BOTH Known known_at(const Slice &slice, u64 number) {
  Known known = {verdict_at(slice, number), 0};
  if (DISTANCES && known.verdict) known.plies = 2u * read(slice.plies + number) + (known.verdict == WIN_BITS);
  return known;
}

// The value of any position for its side to move; without a piece it has lost.
template <bool DISTANCES> BOTH Known known_of(const Tables &tables, const Board &board) {
  if (!board.own()) return {LOSS_BITS, 0};
  const Slice &slice = tables.slices[slice_of(count(board.men), count(board.kings), count(board.other_men),
                                              count(board.other_kings))];
  return known_at<DISTANCES>(slice, number_in(slice, board, tables.choose));
}

// ---- the first look

// What the moves out of the block are worth: the soonest win, whether one draws, the latest loss.
struct Exits {
  u32 win = ~0u, loss = 0;
  bool draws = false;

  // Takes note of a move; whether no other needs to be looked at.
  template <bool DISTANCES> BOTH bool see(Known next) {
    if (next.verdict == LOSS_BITS) {
      if (next.plies + 1 < win) win = next.plies + 1;
      return !DISTANCES;
    }
    if (next.verdict == DRAW_BITS) draws = true;
    else if (next.plies + 1 > loss) loss = next.plies + 1;
    return false;
  }
};

template <bool DISTANCES> BOTH Exits capture_exits(const Tables &tables, const Board &board, u32 jumpers) {
  Exits exits;
  each_capture(board, jumpers, [&](u32 from, u32 to, u32 captured) {
    return exits.see<DISTANCES>(known_of<DISTANCES>(tables, board.after(from, to, captured)));
  });
  return exits;
}

template <bool DISTANCES> BOTH Exits quiet_exits(const Tables &tables, const Board &board, const Half &half) {
  Exits exits;
  const Slice *slices = tables.slices;
  const Slice &stays = slices[slice_of(half.other_men, half.other_kings, half.men, half.kings)];
  const Slice &crowned = slices[slice_of(half.other_men, half.other_kings, half.men - 1, half.kings + 1)];
  each_step(steps_of(board.men, 0, board.empty()), [&](u32 from, u32 to) {
    Board next = board.after(from, to, 0);
    const Slice &slice = to & LAST_ROW ? crowned : stays;
    return exits.see<DISTANCES>(known_at<DISTANCES>(slice, number_in(slice, next, tables.choose)));
  });
  return exits;
}

BOTH u32 king_steps(const Board &board) { return number_of_steps(steps_of(0, board.kings, board.empty())); }

// Who wins, as far as the first look tells.
BOTH u8 state_of(const Exits &exits, u32 inside) {
  if (exits.win != ~0u) return WON | FRESH;
  if (!inside) return exits.draws ? FRESH : LOST | FRESH;
  return exits.draws ? 0 : (u8)inside;
}

// For distances nothing is decided by the first look: it notes at which ply the moves out of the block count, none
// where they never do. A position without moves is lost at ply 0.
#define NEVER 0xFFFFu
BOTH u32 due(const Exits &exits, u32 inside, u8 *state) {
  bool wins = exits.win != ~0u;
  *state = (u8)((wins || exits.draws ? SAFE : inside) | (inside ? 0 : CLOSED));
  if (wins) return exits.win;
  return exits.draws || (inside && !exits.loss) ? NEVER : exits.loss;
}

// ---- telling

#ifdef __CUDA_ARCH__
BOTH u8 current(const u8 *state) { return __ldcg(state); }
BOTH u32 *word_of(u8 *state) { return (u32 *)((u64)state & ~3ull); }
BOTH u32 shift_of(u8 *state) { return 8 * (u32)((u64)state & 3); }
BOTH u8 set_bits(u8 *state, u32 bits) { return (u8)(atomicOr(word_of(state), bits << shift_of(state)) >> shift_of(state)); }
BOTH u8 take_one(u8 *state) { return (u8)(atomicSub(word_of(state), 1u << shift_of(state)) >> shift_of(state)); }
BOTH void push(const Batch &batch, u32 at) {
  u32 here = __activemask(), lane = threadIdx.x & 31, leader = __ffs(here) - 1, first = 0;
  if (lane == leader) first = atomicAdd(batch.tail, __popc(here));
  first = __shfl_sync(here, first, leader);
  __stcg(batch.queue + first + __popc(here & ((1u << lane) - 1)), at);
}
#else
BOTH u8 current(const u8 *state) { return *state; }
BOTH u8 set_bits(u8 *state, u32 bits) {
  u8 old = *state;
  *state |= (u8)bits;
  return old;
}
BOTH u8 take_one(u8 *state) { return (*state)--; }
BOTH void push(const Batch &batch, u32 at) { batch.queue[(*batch.tail)++] = at; }
#endif

// Visits the positions from which a king's step leads to one.
template <class Visit> BOTH void each_before(const Batch &batch, const Tables &tables, u32 at, Visit visit) {
  Place place = place_of(batch, at);
  Placement men = placement_of(batch, place.block);
  Board board = board_at(batch, men, place);
  u32 there = single(batch, men) ? 0 : place.half ^ 1;
  u32 row = (place.block * 2 + there) * batch.king_ways, ways = batch.half[there].other_ways;
  u32 left = turn(~(board.men | board.other_men)), kings = turn(board.kings);
  each_step(steps_of(0, board.other_kings, board.empty()), [&](u32 stood, u32 came) {
    u32 before = turn(board.other_kings ^ stood ^ came);
    visit(row + number_of_kings(before, kings, left, ways, tables.choose));
    return false;
  });
}

// A position with a winner tells those before it.
BOTH void tell(const Batch &batch, const Tables &tables, u32 at) {
  bool won = current(batch.states + at) & WON;
  each_before(batch, tables, at, [&](u32 before) {
    u8 *state = batch.states + before, old = current(state);
    if (old & (WON | LOST | FRESH) || (won && !(old & OPEN))) return;
    if (won) {
      if ((take_one(state) & OPEN) != 1) return;
      set_bits(state, LOST);
    } else if (set_bits(state, WON) & WON) return;
    push(batch, before);
  });
}

// The same at a ply, with distances: those before it are decided at the next one, or wait for a move out of the block
// that takes longer.
BOTH void tell_at(const Batch &batch, const Tables &tables, u32 at, u32 ply) {
  bool won = ply & 1;
  each_before(batch, tables, at, [&](u32 before) {
    u8 *state = batch.states + before, old = current(state);
    if (old & (WON | LOST) || (old & OPEN) == CLOSED || (won && (old & SAFE))) return;
    if (won) {
      if ((take_one(state) & OPEN) != 1 || 2u * current(batch.plies + before) > ply + 1) return;
      set_bits(state, LOST);
    } else if (set_bits(state, WON) & WON) return;
    batch.plies[before] = (u8)((ply + 1) / 2);
    push(batch, before);
  });
}

// Whether the moves out of the block decide a position at their ply, and if so, that they did.
BOTH bool decide_at(const Batch &batch, u32 at, u32 ply) {
  u8 *state = batch.states + at, old = current(state);
  if (old & (WON | LOST)) return false;
  bool open = (old & OPEN) && (old & OPEN) != CLOSED;
  if (!(ply & 1) && ((old & SAFE) || open)) return false;
  set_bits(state, ply & 1 ? WON : LOST);
  return true;
}

// ---- checking

// The value of a position from all its moves, each looked up.
template <bool DISTANCES> BOTH Known known_by_moves(const Tables &tables, const Board &board) {
  Exits exits;
  u32 jumpers = board.jumpers();
  auto see = [&](u32 from, u32 to, u32 captured) {
    return exits.see<DISTANCES>(known_of<DISTANCES>(tables, board.after(from, to, captured)));
  };
  if (jumpers) each_capture(board, jumpers, see);
  else each_step(steps_of(board.men, board.kings, board.empty()), [&](u32 from, u32 to) { return see(from, to, 0); });
  if (exits.win != ~0u) return {WIN_BITS, exits.win};
  return exits.draws ? Known{DRAW_BITS, 0} : Known{LOSS_BITS, exits.loss};
}

// A slice to be checked.
struct Check {
  Sets sets;
  u64 positions;
  u32 men, kings, other_men, other_kings;
  u32 slice;
  u32 unused;
};

BOTH Board board_numbered(const Tables &tables, const Check &check, u64 number) {
  const Slice &slice = tables.slices[check.slice];
  u32 men, other_men;
  men_of((u32)(number / slice.king_ways), check.men, check.other_men, slice.before, tables.choose, check.sets, &men,
         &other_men);
  return with_kings(men, other_men, (u32)(number % slice.king_ways), slice.other_ways, check.sets.by_size[check.kings],
                    check.sets.by_size[check.other_kings]);
}

template <bool DISTANCES> BOTH bool is_wrong(const Tables &tables, const Check &check, u64 number) {
  Known is = known_at<DISTANCES>(tables.slices[check.slice], number);
  Known should = known_by_moves<DISTANCES>(tables, board_numbered(tables, check, number));
  return is.verdict != should.verdict || (DISTANCES && is.plies != should.plies);
}

// ---- digests

// Spreads the bits of a word and its place over 64 bits (the finishing step of SplitMix64).
BOTH u64 mixed(u64 word) {
  word += 0x9E3779B97F4A7C15ull;
  word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9ull;
  word = (word ^ word >> 27) * 0x94D049BB133111EBull;
  return word ^ word >> 31;
}

// Four bytes of positions as eight bits.
BOTH u32 packed(u32 four) {
  u32 bits = four >> 6 & 0x03030303u;
  return (bits | bits >> 6 | bits >> 12 | bits >> 18) & 0xFF;
}

// What a finished slice has.
struct Sums {
  u64 wins, losses, digest, longest;
};

// Where the placements of a group are listed by levels: the rows that all men have advanced together.
struct Listing {
  Sets sets;
  Placement *out;
  u32 before[2][5]; // of both halves' slices
  u32 men, other_men;
  u32 placements;
  u32 same;
};
#define LEVELS 64

BOTH bool listed(const Listing &listing, const u32 *choose, u32 number, Placement *out) {
  men_of(number, listing.men, listing.other_men, listing.before[0], choose, listing.sets, &out->men, &out->other_men);
  out->number[0] = number;
  out->number[1] = number_of_men(turn(out->other_men), turn(out->men), listing.before[1], choose);
  // A block of one slice is met from both its halves: once is enough.
  return !listing.same || out->number[0] <= out->number[1];
}

BOTH u32 level_of(const Placement &men) {
  u32 level = 0;
  for (u32 row = 1; row < 8; row++)
    level += row * (count(men.men >> (4 * row) & 15) + count(men.other_men >> (28 - 4 * row) & 15));
  return level;
}
