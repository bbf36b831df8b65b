// The kernels' rules without a GPU, for the tests: `host sizes`, `host perft DEPTH`, `host places` and
// `host tables PIECES [distances]` write what the tests compare with the crates in Rust.
#include "solver.h"
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

static u32 choose[CHOOSE_LEN];
static Slice slices[1 << 12];
static std::vector<u32> lists[MOST_CHOSEN + 1];
static Sets sets;
static const Tables tables = {choose, slices};

struct Material {
  u32 men, kings, other_men, other_kings;
  u32 place() const { return slice_of(men, kings, other_men, other_kings); }
  u32 pieces() const { return men + kings + other_men + other_kings; }
  Material turned() const { return {other_men, other_kings, men, kings}; }
  u32 ways(u32 first) const {
    if (first > men) return 0;
    u32 rest = men - first;
    return choose[first * CHOOSE_ROW + 4] * choose[rest * CHOOSE_ROW + 24] * choose[other_men * CHOOSE_ROW + 28 - rest];
  }
  u32 placements() const { return ways(0) + ways(1) + ways(2) + ways(3) + ways(4); }
  u64 positions() const { return (u64)placements() * slices[place()].king_ways; }
};

static std::vector<Material> materials(u32 most) {
  std::vector<Material> all;
  for (u32 a = 0; a <= most; a++)
    for (u32 b = 0; a + b <= most; b++)
      for (u32 c = 0; a + b + c <= most; c++)
        for (u32 d = 0; a + b + c + d <= most; d++)
          if (a + b && c + d) all.push_back({a, b, c, d});
  std::stable_sort(all.begin(), all.end(), [](const Material &x, const Material &y) {
    auto rank = [](const Material &m) { return std::make_pair(m.pieces(), m.men + m.other_men); };
    return rank(x) < rank(y);
  });
  return all;
}

static void prepare(u32 most) {
  for (u32 n = 0; n < CHOOSE_ROW; n++)
    for (u32 k = 0; k <= MOST_CHOSEN; k++) {
      u32 *at = choose + k * CHOOSE_ROW + n;
      *at = k == 0 ? 1 : n == 0 ? 0 : at[-1] + at[-CHOOSE_ROW - 1];
    }
  for (u32 size = 0; size < most; size++) {
    for (u64 set = (1ull << size) - 1; set >> 32 == 0;) {
      lists[size].push_back((u32)set);
      if (!size) break;
      u64 low = set & (0 - set), carried = set + low;
      set = carried | ((set ^ carried) >> 2) / low;
    }
    sets.by_size[size] = lists[size].data();
  }
  for (const Material &m : materials(most)) {
    Slice &slice = slices[m.place()];
    u32 left = 32 - m.men - m.other_men;
    slice.other_ways = choose[m.other_kings * CHOOSE_ROW + left - m.kings];
    slice.king_ways = choose[m.kings * CHOOSE_ROW + left] * slice.other_ways;
    for (u32 first = 1; first < 5; first++) slice.before[first] = slice.before[first - 1] + m.ways(first - 1);
  }
}

static u64 perft(const Board &board, int depth) {
  if (!depth) return 1;
  u64 nodes = 0;
  auto go = [&](u32 from, u32 to, u32 captured) {
    nodes += perft(board.after(from, to, captured), depth - 1);
    return false;
  };
  if (u32 jumpers = board.jumpers()) each_capture(board, jumpers, go);
  else each_step(steps_of(board.men, board.kings, board.empty()), [&](u32 from, u32 to) { return go(from, to, 0); });
  return nodes;
}

static Half half_of(const Material &m) {
  return {sets.by_size[m.kings], sets.by_size[m.other_kings], m.men, m.kings, m.other_men, m.other_kings,
          slices[m.place()].other_ways, m.place()};
}

// One batch, by the steps of the kernels one after the other.
static void solve(Batch &batch, bool distances) {
  *batch.tail = 0;
  std::map<u32, std::vector<u32>> waiting;
  for (u32 at = 0; at < batch.positions; at++) {
    Place place = place_of(batch, at);
    Placement men = placement_of(batch, place.block);
    batch.states[at] = 0;
    if (place.half && single(batch, men)) continue;
    Board board = board_at(batch, men, place);
    u32 jumpers = board.jumpers(), inside = jumpers ? 0 : king_steps(board);
    const Half &half = batch.half[place.half];
    if (!distances) {
      Exits exits = jumpers ? capture_exits<false>(tables, board, jumpers) : quiet_exits<false>(tables, board, half);
      batch.states[at] = state_of(exits, inside);
      continue;
    }
    Exits exits = jumpers ? capture_exits<true>(tables, board, jumpers) : quiet_exits<true>(tables, board, half);
    u32 ply = due(exits, inside, batch.states + at);
    batch.plies[at] = ply == NEVER ? 0 : (u8)(ply / 2);
    if (ply != NEVER) waiting[ply].push_back(at);
  }
  if (!distances) {
    for (u32 at = 0; at < batch.positions; at++)
      if ((batch.states[at] & FRESH) && (batch.states[at] & (WON | LOST))) tell(batch, tables, at);
    for (u32 from = 0; from < *batch.tail; from++) tell(batch, tables, batch.queue[from]);
    return;
  }
  u32 from = 0, last = waiting.empty() ? 0 : waiting.rbegin()->first;
  for (u32 ply = 0; ply <= last || from < *batch.tail; ply++) {
    u32 to = *batch.tail;
    for (; from < to; from++) tell_at(batch, tables, batch.queue[from], ply);
    for (u32 at : waiting[ply])
      if (decide_at(batch, at, ply)) tell_at(batch, tables, at, ply);
  }
}

static void solve_group(const Material &m, bool distances) {
  bool same = m.place() == m.turned().place();
  Listing listing = {sets, nullptr, {}, m.men, m.other_men, m.placements(), same};
  memcpy(listing.before[0], slices[m.place()].before, sizeof listing.before[0]);
  memcpy(listing.before[1], slices[m.turned().place()].before, sizeof listing.before[1]);
  std::vector<Placement> levels[LEVELS];
  for (u32 number = 0; number < listing.placements; number++)
    if (Placement men; listed(listing, choose, number, &men)) levels[level_of(men)].push_back(men);
  for (const Material &side : {m, m.turned()}) {
    slices[side.place()].verdicts = (u32 *)calloc((side.positions() + 15) / 16, 4);
    slices[side.place()].plies = (u8 *)calloc(side.positions() + 16, 1);
    if (same) break;
  }
  Batch batch = {};
  batch.king_ways = slices[m.place()].king_ways;
  batch.half[0] = half_of(m);
  batch.half[1] = half_of(m.turned());
  batch.same = same;
  u32 tail;
  batch.tail = &tail;
  for (int level = LEVELS - 1; level >= 0; level--) {
    const std::vector<Placement> &men = levels[level];
    batch.placements = men.data();
    batch.count = (u32)men.size();
    batch.positions = 2 * batch.count * batch.king_ways;
    std::vector<u8> states(batch.positions + 4), plies(batch.positions + 4);
    std::vector<u32> queue(batch.positions + 1);
    batch.states = states.data();
    batch.plies = plies.data();
    batch.queue = queue.data();
    solve(batch, distances);
    for (u32 at = 0; at < batch.positions; at++) {
      Place place = place_of(batch, at);
      if (place.half && single(batch, men[place.block])) continue;
      const Slice &slice = slices[batch.half[place.half].slice];
      u64 number = (u64)men[place.block].number[place.half] * batch.king_ways + place.kings;
      slice.verdicts[number / 16] |= (u32)(states[at] >> 6) << (2 * (number & 15));
      slice.plies[number] = plies[at];
    }
  }
}

static void write_slice(const Material &m, bool distances) {
  const Slice &slice = slices[m.place()];
  u64 wins = 0, losses = 0, digest = 0, wrong = 0, longest = 0;
  for (u64 word = 0; word < (m.positions() + 15) / 16; word++) {
    wins += count(slice.verdicts[word] & 0xAAAAAAAAu);
    losses += count(slice.verdicts[word] & 0x55555555u);
    digest += mixed(word << 32 ^ slice.verdicts[word]);
  }
  Check check = {sets, m.positions(), m.men, m.kings, m.other_men, m.other_kings, m.place(), 0};
  for (u64 number = 0; number < m.positions(); number++) {
    wrong += distances ? is_wrong<true>(tables, check, number) : is_wrong<false>(tables, check, number);
    Known known = known_at<true>(slice, number);
    if (distances && known.verdict) longest = std::max<u64>(longest, known.plies);
  }
  printf("%u%uv%u%u %llu %llu %llu %llu %016llx %llu\n", m.men, m.kings, m.other_men, m.other_kings, m.positions(), wins,
         losses, longest, digest, wrong);
}

#define SIZE(type) printf(#type " %zu\n", sizeof(type))
#define OFFSET(type, field) printf(#type "." #field " %zu\n", offsetof(type, field))

static void write_sizes() {
  SIZE(Slice), OFFSET(Slice, plies), OFFSET(Slice, before), OFFSET(Slice, king_ways), OFFSET(Slice, other_ways);
  SIZE(Tables), OFFSET(Tables, slices);
  SIZE(Sets);
  SIZE(Half), OFFSET(Half, other_sets), OFFSET(Half, men), OFFSET(Half, other_ways), OFFSET(Half, slice);
  SIZE(Batch), OFFSET(Batch, states), OFFSET(Batch, plies), OFFSET(Batch, queue), OFFSET(Batch, tail);
  OFFSET(Batch, waiting), OFFSET(Batch, starts), OFFSET(Batch, half), OFFSET(Batch, first), OFFSET(Batch, count);
  OFFSET(Batch, king_ways), OFFSET(Batch, positions), OFFSET(Batch, same);
  SIZE(Listing), OFFSET(Listing, out), OFFSET(Listing, before), OFFSET(Listing, men), OFFSET(Listing, placements);
  OFFSET(Listing, same);
  SIZE(Check), OFFSET(Check, positions), OFFSET(Check, men), OFFSET(Check, slice);
  SIZE(Sums), OFFSET(Sums, losses), OFFSET(Sums, digest), OFFSET(Sums, longest);
}

int main(int words, char **word) {
  std::string what = words > 1 ? word[1] : "";
  u32 number = words > 2 ? (u32)atoi(word[2]) : 0;
  if (what == "sizes") write_sizes();
  else if (what == "perft") {
    for (u32 depth = 1; depth <= number; depth++) printf("%llu\n", perft({0xFFF, 0, 0xFFF00000, 0}, (int)depth));
  } else if (what == "places") {
    // Each line of the input: four sets; its slice and number, and the moves' ends, as a check of both.
    prepare(MOST_CHOSEN);
    for (Board b; scanf("%u %u %u %u", &b.men, &b.kings, &b.other_men, &b.other_kings) == 4;) {
      u32 place = slice_of(count(b.men), count(b.kings), count(b.other_men), count(b.other_kings));
      printf("%u %llu %llu\n", place, number_in(slices[place], b, choose), perft(b, 3));
    }
  } else if (what == "tables" && number >= 2 && number <= MOST_CHOSEN) {
    bool distances = words > 3;
    prepare(number);
    for (const Material &m : materials(number)) {
      if (m.place() <= m.turned().place()) solve_group(m, distances);
    }
    for (const Material &m : materials(number)) write_slice(m, distances);
  } else return 2;
  return 0;
}
