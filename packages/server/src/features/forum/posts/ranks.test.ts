import { expect, test } from 'bun:test';
import { runs } from '@hearth/testing/runs';
import fc from 'fast-check';
import cases from '../../../../../../docs/spec/cases/ranking.json';
import { ACTIVE_FOR_MS, controversyOf, countsAsActivity, ranksOf, type Ranks } from './ranks.ts';

interface WrittenPost {
  readonly id: string;
  readonly user: string;
  readonly created_at: number;
  readonly upvotes: number;
  readonly downvotes: number;
  readonly comments?: readonly { readonly user: string; readonly created_at: number }[];
}

interface Case {
  readonly name: string;
  readonly posts: readonly WrittenPost[];
  readonly order: Readonly<Partial<Record<'new' | 'top' | keyof Ranks, readonly string[]>>>;
}

const RANK_OF = {
  new: () => 0,
  top: ({ score }) => score,
  score: ({ score }) => score,
  hot: ({ hot }) => hot,
  active: ({ active }) => active,
  controversial: ({ controversial }) => controversial,
} as const satisfies Record<keyof Case['order'], (ranks: Ranks) => number>;

// Guarantee: the data file is part of this repository, and a case that cannot be understood fails.
const CASES = cases.cases as readonly Case[];

function rankedAs({ user, created_at, upvotes, downvotes, comments = [] }: WrittenPost): Ranks {
  const post = { userId: user, createdAtMs: created_at };
  const activity = comments
    .map((comment) => ({ userId: comment.user, createdAtMs: comment.created_at }))
    .filter((comment) => countsAsActivity(post, comment));
  const activeAtMs = Math.max(0, ...activity.map(({ createdAtMs }) => createdAtMs));
  return ranksOf({ upvotes, downvotes, createdAtMs: created_at, activeAtMs });
}

function sorted(posts: readonly WrittenPost[], rank: (ranks: Ranks) => number): readonly string[] {
  const ranked = posts.map((post) => ({ id: BigInt(post.id), rank: rank(rankedAs(post)) }));
  return ranked
    .toSorted((one, other) => other.rank - one.rank || (other.id > one.id ? 1 : -1))
    .map(({ id }) => id.toString());
}

test.each(CASES)('[LS1, LS2, LS3, LS4] $name', ({ posts, order }) => {
  expect(Object.keys(order).length).toBeGreaterThan(0);
  for (const [sort, ids] of Object.entries(order)) {
    // Guarantee: an order that has no rank fails the test.
    const rank = RANK_OF[sort as keyof Case['order']];
    expect(sorted(posts, rank), sort).toEqual(ids);
  }
});

test('[LS1, LS2, LS3] the ranks have the values of the data file', () => {
  for (const { created_at, active_at, upvotes, downvotes, ...ranks } of cases.values) {
    const own = ranksOf({ upvotes, downvotes, createdAtMs: created_at, activeAtMs: active_at });
    expect(Object.keys(own).toSorted()).toEqual(Object.keys(ranks).toSorted());
    for (const kind of ['score', 'hot', 'active', 'controversial'] as const)
      expect(isClose(own[kind], ranks[kind])).toBe(true);
  }
});

const VOTES = fc.nat({ max: 10_000_000 });
const TIME = fc.integer({ min: 1_650_000_000_000, max: 5_000_000_000_000 });

test('[LS1, LS2, LS3] ranks equal the formulas, written another way', () => {
  fc.assert(
    fc.property(VOTES, VOTES, TIME, fc.nat({ max: ACTIVE_FOR_MS }), (up, down, at, later) => {
      const activeAtMs = later === 0 ? 0 : at + later;
      const ranks = ranksOf({ upvotes: up, downvotes: down, createdAtMs: at, activeAtMs });
      expect(ranks.score).toBe(up - down);
      expect(isClose(ranks.hot, hotBySteps(up - down, at))).toBe(true);
      expect(isClose(ranks.active, hotBySteps(up - down, at + later))).toBe(true);
      expect(isClose(ranks.controversial, controversyByLogarithm(up, down))).toBe(true);
      expect(controversyOf(up, down)).toBe(ranks.controversial);
      expect(controversyOf(down, up)).toBe(ranks.controversial);
    }),
    { numRuns: runs(1_000) },
  );
});

test('[LS2] a comment makes a post active for 48 hours, unless its author wrote it', () => {
  const post = { userId: '1', createdAtMs: 1_000 };
  const by = (userId: string, afterMs: number): boolean =>
    countsAsActivity(post, { userId, createdAtMs: 1_000 + afterMs });
  expect([by('2', 0), by('2', 48 * 3_600_000), by('2', 48 * 3_600_000 + 1)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(by('1', 1)).toBe(false);
});

/** 12.5 hours for each power of ten of the score, and the logarithm of the rest as a series of squares. */
function hotBySteps(score: number, atMs: number): number {
  const days = (atMs / 1_000 - 1_650_000_000) / 86_400;
  let rest = Math.abs(score);
  if (rest <= 1) return days * 1.92;
  let digits = 0;
  for (; rest >= 10; rest /= 10) digits += 1;
  for (let bit = 0.5; bit > 1e-17; bit /= 2) {
    rest *= rest;
    if (rest < 10) continue;
    rest /= 10;
    digits += bit;
  }
  return days * 1.92 + (score < 0 ? -digits : digits);
}

function controversyByLogarithm(up: number, down: number): number {
  if (up === 0 || down === 0) return 0;
  const balance = up > down ? down / up : up / down;
  return Math.exp(balance * Math.log(up + down));
}

function isClose(one: number, other: number): boolean {
  return Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one));
}
