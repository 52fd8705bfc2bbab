import {
  SEEDED_MIGRATIONS,
  writeSeed,
  type Seed,
  type SeededCommunity,
} from '@hearth/testing/instances/seeded-communities';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder of data that is kept between runs. */
const CACHE = join(import.meta.dir, '../results/seeds');

/** Raised when other rows are written for the same numbers. */
const VERSION = 2;

/** The data that the benchmarks of communities need. */
export const SEEDS = {
  /** A channel with a long history. */
  messages: { communities: 1, members: 2, messages: 1_000_000 },
  /** A channel with many posts. */
  posts: { communities: 1, members: 2, messages: 0, posts: 1_000_000 },
  /** A channel with many posts and comments, which are indexed. */
  search: { communities: 1, members: 100, messages: 0, searched: 1_000_000 },
  /** Many communities with posts, all of one person. */
  feed: { communities: 100, members: 1, messages: 0, posts: 2_000 },
  /** A channel with many members. */
  channel: { communities: 1, members: 1_000, messages: 0 },
  /** Many small communities. */
  tens: { communities: 1_000, members: 10, messages: 0 },
} as const satisfies Readonly<Record<string, Seed>>;

/** Data of an instance. */
export interface Seeded {
  /** The folder with its database. */
  readonly data: string;
  /** A token of each user: community by community, each owner first. */
  readonly tokens: readonly string[];
  readonly communities: readonly SeededCommunity[];
}

/** Data that is written the first time, and read from then on. */
export async function seeded(seed: Seed): Promise<Seeded> {
  const made = { VERSION, seed, migrations: SEEDED_MIGRATIONS };
  const folder = join(
    CACHE,
    new Bun.CryptoHasher('sha256').update(JSON.stringify(made)).digest('hex').slice(0, 16),
  );
  const index = join(folder, 'seeded.json');
  if (!existsSync(index)) await write(folder, seed);
  // Guarantee: `write` has written it.
  const { tokens, communities } = (await Bun.file(index).json()) as Omit<Seeded, 'data'>;
  return { data: join(folder, 'data'), tokens, communities };
}

/** Copies data into the folder of an instance that has not started yet. */
export async function copySeeded({ data }: Pick<Seeded, 'data'>, folder: string): Promise<void> {
  await cp(data, join(folder, 'data'), { recursive: true });
}

async function write(folder: string, seed: Seed): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const unfinished = await mkdtemp(join(CACHE, 'unfinished-'));
  const data = join(unfinished, 'data');
  await mkdir(data, { mode: 0o700 });
  await Bun.write(join(unfinished, 'seeded.json'), JSON.stringify(await writeSeed(data, seed)));
  await rm(folder, { recursive: true, force: true });
  await rename(unfinished, folder);
}
