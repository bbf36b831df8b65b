// The kernels: each does the work of solver.h for many positions. Compiled by NVRTC as one text with the two headers.
#include "solver.h"

#define THREADS 256
#define WARPS (THREADS / 32)
// Blocks of threads that should fit into a multiprocessor at once.
#define FITTING 5
#define KERNEL extern "C" __global__ void __launch_bounds__(THREADS, FITTING)

// The table of choices is read so often that every block of threads has its own.
#define NEAR_CHOOSE(tables)                                                                        \
  __shared__ u32 near_choose[CHOOSE_LEN];                                                          \
  for (u32 i = threadIdx.x; i < CHOOSE_LEN; i += THREADS) near_choose[i] = tables.choose[i];       \
  __syncthreads();                                                                                 \
  tables.choose = near_choose;

__device__ u64 first_of_grid() { return blockIdx.x * (u64)THREADS + threadIdx.x; }
__device__ u64 grid_size() { return gridDim.x * (u64)THREADS; }

// Positions that wait until a whole warp of the same sort can be looked at.
struct Waiting {
  u32 *places, waiting;

  // Adds those of the lanes that have one; when there are enough, each lane gets one back.
  __device__ bool add(bool has, u32 *at) {
    u32 lane = threadIdx.x & 31, mask = __ballot_sync(~0u, has);
    if (has) places[waiting + __popc(mask & ((1u << lane) - 1))] = *at;
    waiting += __popc(mask);
    __syncwarp();
    if (waiting < 32) return false;
    waiting -= 32;
    *at = places[waiting + lane];
    __syncwarp();
    return true;
  }

  // Those left at the end.
  __device__ bool rest(u32 *at) {
    u32 lane = threadIdx.x & 31;
    if (lane >= waiting) return false;
    *at = places[lane];
    return true;
  }
};

// ---- placements of men by levels

KERNEL count_levels(const __grid_constant__ Listing listing, const u32 *choose, u32 *levels) {
  __shared__ u32 here[LEVELS];
  if (threadIdx.x < LEVELS) here[threadIdx.x] = 0;
  __syncthreads();
  for (u64 i = first_of_grid(); i < listing.placements; i += grid_size()) {
    Placement men;
    if (listed(listing, choose, (u32)i, &men)) atomicAdd(here + level_of(men), 1);
  }
  __syncthreads();
  if (threadIdx.x < LEVELS && here[threadIdx.x]) atomicAdd(levels + threadIdx.x, here[threadIdx.x]);
}

KERNEL list_levels(const __grid_constant__ Listing listing, const u32 *choose, u32 *ends) {
  __shared__ u32 here[LEVELS], first[LEVELS];
  u64 steps = (listing.placements + grid_size() - 1) / grid_size();
  for (u64 step = 0; step < steps; step++) {
    u64 i = step * grid_size() + first_of_grid();
    if (threadIdx.x < LEVELS) here[threadIdx.x] = 0;
    __syncthreads();
    Placement men;
    u32 level = 0, rank = 0;
    bool is_listed = i < listing.placements && listed(listing, choose, (u32)i, &men);
    if (is_listed) rank = atomicAdd(here + (level = level_of(men)), 1);
    __syncthreads();
    if (threadIdx.x < LEVELS && here[threadIdx.x]) first[threadIdx.x] = atomicAdd(ends + threadIdx.x, here[threadIdx.x]);
    __syncthreads();
    if (is_listed) ((uint4 *)listing.out)[first[level] + rank] = make_uint4(men.men, men.other_men, men.number[0], men.number[1]);
    __syncthreads();
  }
}

// ---- the first look

__device__ void note(const Batch &batch, u32 at, const Exits &exits, u32 inside) {
  batch.states[at] = state_of(exits, inside);
}

// With distances: how many positions await each ply is counted, for the list of them.
__device__ void note_due(const Batch &batch, u32 at, const Exits &exits, u32 inside) {
  u8 state;
  u32 ply = due(exits, inside, &state);
  batch.states[at] = state;
  batch.plies[at] = ply == NEVER ? 0 : (u8)(ply / 2);
  // The queue is not in use yet: it says at which ply the position is due.
  batch.queue[at] = ply;
  if (ply != NEVER) atomicAdd(batch.starts + ply, 1);
}

template <bool DISTANCES> __device__ void look_all(const Batch &batch, Tables tables, u32 *captures, u32 *quiets) {
  Waiting capturing = {captures, 0}, quiet = {quiets, 0};
  auto done = [&](u32 at, const Exits &exits, u32 inside) {
    if (DISTANCES) note_due(batch, at, exits, inside);
    else note(batch, at, exits, inside);
  };
  auto board = [&](u32 at) {
    Place place = place_of(batch, at);
    return board_at(batch, placement_of(batch, place.block), place);
  };
  auto look_capturing = [&](u32 at) {
    Board here = board(at);
    done(at, capture_exits<DISTANCES>(tables, here, here.jumpers()), 0);
  };
  auto look_quiet = [&](u32 at) {
    Board here = board(at);
    done(at, quiet_exits<DISTANCES>(tables, here, batch.half[place_of(batch, at).half]), king_steps(here));
  };
  u64 tiles = (batch.positions + 31ull) / 32, warp = blockIdx.x * (u64)WARPS + threadIdx.x / 32;
  for (u64 tile = warp; tile < tiles; tile += gridDim.x * (u64)WARPS) {
    u32 at = (u32)(tile * 32) + (threadIdx.x & 31);
    bool is_one = at < batch.positions, captures_one = false;
    if (is_one) {
      Place place = place_of(batch, at);
      Placement men = placement_of(batch, place.block);
      if (place.half && single(batch, men)) {
        batch.states[at] = 0;
        if (DISTANCES) batch.queue[at] = NEVER;
        is_one = false;
      } else captures_one = board_at(batch, men, place).jumpers() != 0;
    }
    u32 next = at;
    if (capturing.add(captures_one, &next)) look_capturing(next);
    next = at;
    if (quiet.add(is_one && !captures_one, &next)) look_quiet(next);
    __syncwarp();
  }
  u32 next;
  if (capturing.rest(&next)) look_capturing(next);
  if (quiet.rest(&next)) look_quiet(next);
}

KERNEL look(const __grid_constant__ Batch batch, Tables tables) {
  NEAR_CHOOSE(tables)
  __shared__ u32 captures[WARPS][64], quiets[WARPS][64];
  look_all<false>(batch, tables, captures[threadIdx.x / 32], quiets[threadIdx.x / 32]);
}

KERNEL look_distances(const __grid_constant__ Batch batch, Tables tables) {
  NEAR_CHOOSE(tables)
  __shared__ u32 captures[WARPS][64], quiets[WARPS][64];
  look_all<true>(batch, tables, captures[threadIdx.x / 32], quiets[threadIdx.x / 32]);
}

// ---- telling

// What the first look decided is told.
KERNEL tell_fresh(const __grid_constant__ Batch batch, Tables tables) {
  NEAR_CHOOSE(tables)
  __shared__ u32 places[WARPS][64];
  Waiting fresh = {places[threadIdx.x / 32], 0};
  u64 tiles = (batch.positions + 31ull) / 32, warp = blockIdx.x * (u64)WARPS + threadIdx.x / 32;
  u32 at;
  for (u64 tile = warp; tile < tiles; tile += gridDim.x * (u64)WARPS) {
    at = (u32)(tile * 32) + (threadIdx.x & 31);
    u8 state = at < batch.positions ? current(batch.states + at) : 0;
    if (fresh.add((state & FRESH) && (state & (WON | LOST)), &at)) tell(batch, tables, at);
    __syncwarp();
  }
  if (fresh.rest(&at)) tell(batch, tables, at);
}

// All blocks of threads meet here; the last to come notes how long the queue is now. All must run at once.
struct Meeting {
  u32 arrived, round, tail, plies;
};

__device__ u32 meet(Meeting *meeting, const u32 *tail) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    u32 round = *(volatile u32 *)&meeting->round;
    if (atomicAdd(&meeting->arrived, 1) == gridDim.x - 1) {
      meeting->arrived = 0;
      *(volatile u32 *)&meeting->tail = *(volatile const u32 *)tail;
      __threadfence();
      atomicAdd(&meeting->round, 1);
    } else {
      while (*(volatile u32 *)&meeting->round == round) __nanosleep(64);
    }
    __threadfence();
  }
  __syncthreads();
  return *(volatile u32 *)&meeting->tail;
}

// What was decided by being told is told in its turn, until nobody has news.
KERNEL tell_on(const __grid_constant__ Batch batch, Tables tables, Meeting *meeting) {
  NEAR_CHOOSE(tables)
  for (u32 from = 0, to; (to = meet(meeting, batch.tail)) != from; from = to)
    for (u64 i = from + first_of_grid(); i < to; i += grid_size()) tell(batch, tables, __ldcg(batch.queue + i));
}

// The places of positions by the ply at which they are due, from how many there are.
KERNEL list_waiting(const __grid_constant__ Batch batch, u32 *ends) {
  for (u64 i = first_of_grid(); i < batch.positions; i += grid_size()) {
    u32 ply = batch.queue[i];
    if (ply != NEVER) batch.waiting[atomicAdd(ends + ply, 1)] = (u32)i;
  }
}

// Ply by ply: what is decided at one, by being told or by its moves out of the block, tells those before it.
KERNEL tell_by_plies(const __grid_constant__ Batch batch, Tables tables, Meeting *meeting, u32 last) {
  NEAR_CHOOSE(tables)
  u32 from = 0;
  for (u32 ply = 0;; ply++) {
    u32 to = meet(meeting, batch.tail);
    if (ply > last && from == to) {
      if (first_of_grid() == 0) atomicMax(&meeting->plies, ply);
      return;
    }
    for (u64 i = from + first_of_grid(); i < to; i += grid_size()) tell_at(batch, tables, __ldcg(batch.queue + i), ply);
    if (ply <= last) {
      u32 end = batch.starts[ply + 1];
      for (u64 i = batch.starts[ply] + first_of_grid(); i < end; i += grid_size())
        if (u32 at = batch.waiting[i]; decide_at(batch, at, ply)) tell_at(batch, tables, at, ply);
    }
    from = to;
  }
}

// ---- keeping

// The values of a batch go to their slices, a word of sixteen by a thread; words at the ends of a row are shared.
KERNEL keep(const __grid_constant__ Batch batch, Slice *slices, u32 distances) {
  u32 words = batch.king_ways / 16 + 2;
  u64 all = 2ull * batch.count * words;
  for (u64 i = first_of_grid(); i < all; i += grid_size()) {
    u32 row = (u32)(i / words), word = (u32)(i % words), half = row & 1;
    Placement men = placement_of(batch, row >> 1);
    if (half && single(batch, men)) continue;
    const Slice &slice = slices[batch.half[half].slice];
    u64 first = (u64)men.number[half] * batch.king_ways, end = first + batch.king_ways;
    u64 from = (first / 16 + word) * 16, to = from + 16;
    if (from >= end) continue;
    bool whole = from >= first && to <= end;
    if (from < first) from = first;
    if (to > end) to = end;
    u64 states = (u64)row * batch.king_ways + (from - first);
    u32 bits = 0;
    for (u64 at = from; at < to; at++) bits |= (u32)(batch.states[states + (at - from)] >> 6) << (2 * (at & 15));
    u32 *out = slice.verdicts + from / 16;
    if (whole) *out = bits;
    else if (bits) atomicOr(out, bits);
    if (distances)
      for (u64 at = from; at < to; at++) slice.plies[at] = batch.plies[states + (at - from)];
  }
}

// What a finished slice has, and its digest.
KERNEL sum_up(const u32 *verdicts, const u8 *plies, u64 positions, Sums *sums) {
  u64 wins = 0, losses = 0, digest = 0, longest = 0;
  for (u64 i = first_of_grid(); i < (positions + 15) / 16; i += grid_size()) {
    u32 word = verdicts[i];
    wins += __popc(word & 0xAAAAAAAAu);
    losses += __popc(word & 0x55555555u);
    digest += mixed(i << 32 ^ word);
    if (plies)
      for (u32 at = 0; at < 16; at++)
        if (u32 bits = word >> (2 * at) & 3) {
          u64 ply = 2ull * plies[16 * i + at] + (bits == WIN_BITS);
          if (ply > longest) longest = ply;
        }
  }
  for (u32 lanes = 16; lanes; lanes /= 2) {
    wins += __shfl_down_sync(~0u, wins, lanes);
    losses += __shfl_down_sync(~0u, losses, lanes);
    digest += __shfl_down_sync(~0u, digest, lanes);
    u64 other = __shfl_down_sync(~0u, longest, lanes);
    if (other > longest) longest = other;
  }
  if ((threadIdx.x & 31) == 0) {
    atomicAdd(&sums->wins, wins);
    atomicAdd(&sums->losses, losses);
    atomicAdd(&sums->digest, digest);
    atomicMax(&sums->longest, longest);
  }
}

// ---- checking and asking

template <bool DISTANCES> __device__ void check_all(const Check &check, const Tables &tables, u64 *wrong) {
  u64 bad = 0;
  for (u64 i = first_of_grid(); i < check.positions; i += grid_size()) bad += is_wrong<DISTANCES>(tables, check, i);
  if (bad) atomicAdd(wrong, bad);
}

KERNEL check_slice(const __grid_constant__ Check check, Tables tables, u64 *wrong) {
  NEAR_CHOOSE(tables)
  check_all<false>(check, tables, wrong);
}

KERNEL check_distances(const __grid_constant__ Check check, Tables tables, u64 *wrong) {
  NEAR_CHOOSE(tables)
  check_all<true>(check, tables, wrong);
}

// Places of values in a slice, answered in two bits each and half the plies.
KERNEL ask(const Slice *slices, const u64 *questions, u32 number, u32 distances, u32 *answers) {
  for (u64 i = first_of_grid(); i < number; i += grid_size()) {
    const Slice &slice = slices[questions[i] >> 48];
    u64 at = questions[i] & 0xFFFFFFFFFFFFull;
    u32 verdict = verdict_at(slice, at);
    answers[i] = verdict | (distances && verdict ? slice.plies[at] << 2 : 0);
  }
}
