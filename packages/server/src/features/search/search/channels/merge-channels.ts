import { compareIds, MOST_SEARCH_CANDIDATES, type Id } from '@hearth/protocol';
import type { ChannelCandidates } from './channel-candidates.ts';

interface Searched {
  readonly id: Id;
}

export interface SearchedChannel<Found> {
  readonly candidates: AsyncGenerator<ChannelCandidates<Found>, void>;
  /** Nothing with this id or a newer one is searched. */
  readonly end: Id;
}

/** What was found, the newest first. */
export interface FoundEntries<Found> {
  readonly entries: readonly Found[];
  /** Defined if the search stopped because it had read enough: everything with this id or a newer one was searched. */
  readonly stoppedAt: Id | undefined;
}

/** What to look for in channels. */
export interface Merging<Found> {
  readonly limit: number;
  /** Those of some entries that are what is searched. */
  readonly matching: (entries: readonly Found[]) => Promise<readonly Found[]>;
}

/** The newest entries of some channels that are what is searched. Reads each channel no further than necessary. */
export async function mergeChannels<Found extends Searched>(
  channels: readonly SearchedChannel<Found>[],
  { limit, matching }: Merging<Found>,
): Promise<FoundEntries<Found>> {
  const places = channels.map((channel) => new PagePlace(channel));
  const begin = newest(places);
  const entries: Found[] = [];
  let cost = 0;
  try {
    while (entries.length < limit) {
      const next = newestOf(places);
      if (next === undefined) return { entries, stoppedAt: undefined };
      const entry = next.take();
      if (entry !== undefined) {
        entries.push(entry);
        continue;
      }
      // The next search has to begin further down, or it would read the same again.
      const isFurther = begin === undefined || compareIds(next.reached, begin) < 0;
      if (cost >= MOST_SEARCH_CANDIDATES && isFurther) {
        return { entries, stoppedAt: next.reached };
      }
      cost += await next.read(matching);
    }
    return { entries, stoppedAt: undefined };
  } finally {
    for (const { candidates } of channels) await candidates.return();
  }
}

/** How far one channel was searched. */
class PagePlace<Found extends Searched> {
  readonly #candidates: AsyncGenerator<ChannelCandidates<Found>, void>;
  #reached: Id | undefined;
  /** What was found and not taken yet, the newest first. */
  #found: readonly Found[] = [];

  constructor({ candidates, end }: SearchedChannel<Found>) {
    this.#candidates = candidates;
    this.#reached = end;
  }

  /** The id from which on nothing more can come. */
  get reached(): Id {
    return this.#reached ?? NOTHING;
  }

  /** Where the next entry is, or may be; undefined if none is left. */
  get next(): Id | undefined {
    return this.#found[0]?.id ?? this.#reached;
  }

  get hasFound(): boolean {
    return this.#found.length > 0;
  }

  take(): Found | undefined {
    const [entry, ...others] = this.#found;
    if (entry !== undefined) this.#found = others;
    return entry;
  }

  /** Returns how much was read. */
  async read(matching: Merging<Found>['matching']): Promise<number> {
    const { value, done } = await this.#candidates.next();
    if (done === true) {
      this.#reached = undefined;
      return 0;
    }
    this.#found = await matching(value.entries);
    this.#reached = value.reached;
    return value.cost;
  }
}

// Guarantee: the smallest id there can be.
const NOTHING = '0' as Id;

/** The place with the newest entry, or where it may be. What was found comes before what was not read yet. */
function newestOf<Found extends Searched>(
  places: readonly PagePlace<Found>[],
): PagePlace<Found> | undefined {
  let first: PagePlace<Found> | undefined;
  for (const place of places) {
    const { next } = place;
    if (next === undefined) continue;
    const known = first?.next;
    const order = known === undefined ? 1 : compareIds(next, known);
    if (order > 0 || (order === 0 && place.hasFound)) first = place;
  }
  return first;
}

function newest(places: readonly PagePlace<Searched>[]): Id | undefined {
  return newestOf(places)?.next;
}
