// English draughts as the ending tables see it: moves, and the number of every position. Plain C++ and CUDA alike;
// the tests compare it with the rules written in Rust.
//
// A position is seen by the side to move, which plays down the page: square 1 is bit 0, square 32 is bit 31.
#pragma once

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define BOTH __host__ __device__ __forceinline__
#else
#define BOTH inline
#endif

#ifdef __CUDA_ARCH__
BOTH u32 count(u32 set) { return __popc(set); }
BOTH u32 turn(u32 set) { return __brev(set); }
template <class T> BOTH T read(const T *from) { return __ldg(from); }
#else
BOTH u32 count(u32 set) { return (u32)__builtin_popcount(set); }
BOTH u32 turn(u32 set) {
  u32 turned = 0;
  for (int bit = 0; bit < 32; bit++) turned |= (set >> bit & 1) << (31 - bit);
  return turned;
}
template <class T> BOTH T read(const T *from) { return *from; }
#endif

// Rows 1 and 8 as the side to move sees them.
#define FIRST_ROW 0x0000000Fu
#define LAST_ROW 0xF0000000u

// ---- steps: a is always four squares away, b three or five

BOTH u32 lowest(u32 set) { return set & (0u - set); }
BOTH u32 down_a(u32 set) { return set << 4; }
BOTH u32 up_a(u32 set) { return set >> 4; }
BOTH u32 down_b(u32 set) { return (set & 0x07070707u) << 5 | (set & 0xE0E0E0E0u) << 3; }
BOTH u32 up_b(u32 set) { return (set & 0x07070707u) >> 3 | (set & 0xE0E0E0E0u) >> 5; }

// The squares that pieces step to, by each of the four ways.
struct Steps {
  u32 down_a, down_b, up_a, up_b;
};

BOTH Steps steps_of(u32 men, u32 kings, u32 empty) {
  u32 all = men | kings;
  return {down_a(all) & empty, down_b(all) & empty, up_a(kings) & empty, up_b(kings) & empty};
}

BOTH u32 number_of_steps(Steps steps) {
  return count(steps.down_a) + count(steps.down_b) + count(steps.up_a) + count(steps.up_b);
}

// Visits every step as (from, to); a visitor that returns true ends it.
template <class Visit> BOTH bool each_step(Steps steps, Visit visit) {
  for (; steps.down_a; steps.down_a &= steps.down_a - 1)
    if (u32 to = lowest(steps.down_a); visit(up_a(to), to)) return true;
  for (; steps.down_b; steps.down_b &= steps.down_b - 1)
    if (u32 to = lowest(steps.down_b); visit(up_b(to), to)) return true;
  for (; steps.up_a; steps.up_a &= steps.up_a - 1)
    if (u32 to = lowest(steps.up_a); visit(down_a(to), to)) return true;
  for (; steps.up_b; steps.up_b &= steps.up_b - 1)
    if (u32 to = lowest(steps.up_b); visit(down_b(to), to)) return true;
  return false;
}

// ---- jumps: two steps of different sorts the same way; the way back of `way` is `3 - way`

BOTH u32 jumped(u32 at, int way) {
  return way < 2 ? (way == 0 ? down_a(at) : down_b(at)) : (way == 2 ? up_a(at) : up_b(at));
}
BOTH u32 landing(u32 over, int way) {
  return way < 2 ? (way == 0 ? down_b(over) : down_a(over)) : (way == 2 ? up_b(over) : up_a(over));
}

// A position: men and kings of the side to move, men and kings of the other.
struct Board {
  u32 men, kings, other_men, other_kings;

  BOTH u32 own() const { return men | kings; }
  BOTH u32 other() const { return other_men | other_kings; }
  BOTH u32 empty() const { return ~(own() | other()); }

  // The pieces that can jump.
  BOTH u32 jumpers() const {
    u32 free = empty(), them = other();
    u32 forward = up_a(up_b(free) & them) | up_b(up_a(free) & them);
    u32 backward = down_a(down_b(free) & them) | down_b(down_a(free) & them);
    return (forward & own()) | (backward & kings);
  }

  // The position after a move, seen by the other side.
  BOTH Board after(u32 from, u32 to, u32 captured) const {
    bool king = (kings & from) || (to & LAST_ROW);
    u32 new_men = (men & ~from) | (king ? 0 : to), new_kings = (kings & ~from) | (king ? to : 0);
    return {turn(other_men & ~captured), turn(other_kings & ~captured), turn(new_men), turn(new_kings)};
  }
};

// Visits every capture by every route as (from, to, captured); a visitor that returns true ends it. The way that
// leads to a square is noted by two bits a jump, so that it can be gone back.
template <class Visit> BOTH bool each_capture(const Board &board, u32 jumpers, Visit visit) {
  u32 them = board.other(), empty = board.empty();
  for (; jumpers; jumpers &= jumpers - 1) {
    u32 from = lowest(jumpers), space = empty | from, at = from, taken = 0;
    int ways = (from & board.kings) ? 4 : 2, way = 0;
    u64 path = 1;
    bool went_on = false;
    for (;;) {
      u32 over = 0, to = 0;
      for (; way < ways && !to; way++) {
        over = jumped(at, way) & them & ~taken;
        to = landing(over, way) & space;
      }
      if (to) {
        path = path << 2 | (u64)(way - 1);
        taken |= over;
        at = to;
        way = 0;
        went_on = false;
        continue;
      }
      if (path == 1) break;
      if (!went_on && visit(from, at, taken)) return true;
      way = (int)(path & 3);
      path >>= 2;
      over = jumped(at, 3 - way);
      at = landing(over, 3 - way);
      taken &= ~over;
      way++;
      went_on = true;
    }
  }
  return false;
}

// ---- numbers

// Ways to choose `size` of up to 32, by size and then by how many.
#define MOST_CHOSEN 8
#define CHOOSE_ROW 33
#define CHOOSE_LEN ((MOST_CHOSEN + 1) * CHOOSE_ROW)

// What the numbers of a slice are made of, and where its values are. Shared with the host: crates/gpu/src/shared.rs.
struct Slice {
  u32 *verdicts;    // two bits a position: 0 draw, 1 loss, 2 win
  u8 *plies;        // half the plies to the end, where distances are kept
  u32 before[5];    // men's placements before those with so many own men on the first row
  u32 king_ways;    // placements of the kings among the same men
  u32 other_ways;   // those of the other's kings
  u32 unused;
};

// The place of a slice in the list of all.
BOTH u32 slice_of(u32 men, u32 kings, u32 other_men, u32 other_kings) {
  return men << 9 | kings << 6 | other_men << 3 | other_kings;
}

// The number of a set among the sets of its size on `squares`.
BOTH u32 number_of(u32 set, u32 squares, const u32 *choose) {
  u32 sum = 0;
  for (; set; set &= set - 1) sum += (choose += CHOOSE_ROW)[count(squares & (lowest(set) - 1))];
  return sum;
}

// Puts a set of the lowest squares on those that are not taken.
BOTH u32 spread(u32 set, u32 taken) {
  for (; taken; taken &= taken - 1) {
    u32 below = lowest(taken) - 1;
    set += set & ~below;
  }
  return set;
}

BOTH u32 number_of_men(u32 men, u32 other_men, const u32 *before, const u32 *choose) {
  u32 first = count(men & FIRST_ROW), rest = count(men) - first, others = count(other_men);
  u32 number = number_of(men & FIRST_ROW, FIRST_ROW, choose);
  number = number * choose[rest * CHOOSE_ROW + 24] + number_of(men >> 4, 0x00FFFFFFu, choose);
  number = number * choose[others * CHOOSE_ROW + 28 - rest] + number_of(other_men, ~(FIRST_ROW | men), choose);
  return before[first] + number;
}

BOTH u32 number_of_kings(u32 kings, u32 other_kings, u32 left, u32 other_ways, const u32 *choose) {
  return number_of(kings, left, choose) * other_ways + number_of(other_kings, left & ~kings, choose);
}

// The number of a position in its slice.
BOTH u64 number_in(const Slice &slice, const Board &board, const u32 *choose) {
  u64 men = number_of_men(board.men, board.other_men, slice.before, choose);
  u32 left = ~(board.men | board.other_men);
  return men * slice.king_ways + number_of_kings(board.kings, board.other_kings, left, slice.other_ways, choose);
}

// Lists of sets by number, for each size.
struct Sets {
  const u32 *by_size[MOST_CHOSEN + 1];
};

// The men's placement with a number.
BOTH void men_of(u32 number, u32 men_count, u32 others, const u32 *before, const u32 *choose, const Sets &sets,
                 u32 *men, u32 *other_men) {
  u32 first = 0;
  while (first < 4 && first < men_count && number >= before[first + 1]) first++;
  u32 rest = men_count - first, ways = choose[others * CHOOSE_ROW + 28 - rest];
  number -= before[first];
  u32 other_number = number % ways;
  number /= ways;
  u32 rest_ways = choose[rest * CHOOSE_ROW + 24];
  *men = read(sets.by_size[first] + number / rest_ways) | read(sets.by_size[rest] + number % rest_ways) << 4;
  *other_men = spread(read(sets.by_size[others] + other_number), FIRST_ROW | *men);
}

// The kings of a placement with a number, among these men.
BOTH Board with_kings(u32 men, u32 other_men, u32 number, u32 other_ways, const u32 *kings, const u32 *other_kings) {
  u32 taken = men | other_men;
  u32 own = spread(read(kings + number / other_ways), taken);
  u32 other = spread(read(other_kings + number % other_ways), taken | own);
  return {men, own, other_men, other};
}
