import { compareIds, MOST_SEARCH_CANDIDATES, type Id } from '@hearth/protocol';
import type { StoredMessage } from '../../messages/written-messages.ts';
import type { ChannelCandidates } from './channel-candidates.ts';

/** A channel that is searched. */
export interface SearchedChannel {
  readonly candidates: AsyncGenerator<ChannelCandidates, void>;
  /** Nothing with this id or a newer one is searched. */
  readonly end: Id;
}

/** What was found, the newest first. */
export interface FoundMessages {
  readonly messages: readonly StoredMessage[];
  /** Defined if the search stopped because it had read enough: everything with this id or a newer one was searched. */
  readonly stoppedAt: Id | undefined;
}

/** What to look for in channels. */
export interface Merging {
  readonly limit: number;
  /** Those of some messages that are what is searched. */
  readonly matching: (messages: readonly StoredMessage[]) => Promise<readonly StoredMessage[]>;
}

/** The newest messages of some channels that are what is searched. Reads each channel no further than necessary. */
export async function mergeChannels(
  channels: readonly SearchedChannel[],
  { limit, matching }: Merging,
): Promise<FoundMessages> {
  const places = channels.map((channel) => new Place(channel));
  const begin = newest(places);
  const messages: StoredMessage[] = [];
  let cost = 0;
  try {
    while (messages.length < limit) {
      const next = newestOf(places);
      if (next === undefined) return { messages, stoppedAt: undefined };
      const message = next.take();
      if (message !== undefined) {
        messages.push(message);
        continue;
      }
      // The next search has to begin further down, or it would read the same again.
      const isFurther = begin === undefined || compareIds(next.reached, begin) < 0;
      if (cost >= MOST_SEARCH_CANDIDATES && isFurther) {
        return { messages, stoppedAt: next.reached };
      }
      cost += await next.read(matching);
    }
    return { messages, stoppedAt: undefined };
  } finally {
    for (const { candidates } of channels) await candidates.return();
  }
}

/** How far one channel was searched. */
class Place {
  readonly #candidates: AsyncGenerator<ChannelCandidates, void>;
  #reached: Id | undefined;
  /** What was found and not taken yet, the newest first. */
  #found: readonly StoredMessage[] = [];

  constructor({ candidates, end }: SearchedChannel) {
    this.#candidates = candidates;
    this.#reached = end;
  }

  /** The id from which on nothing more can come. */
  get reached(): Id {
    return this.#reached ?? NOTHING;
  }

  /** Where the next message is, or may be; undefined if none is left. */
  get next(): Id | undefined {
    return this.#found[0]?.id ?? this.#reached;
  }

  get hasFound(): boolean {
    return this.#found.length > 0;
  }

  take(): StoredMessage | undefined {
    const [message, ...others] = this.#found;
    if (message !== undefined) this.#found = others;
    return message;
  }

  /** Returns how much was read. */
  async read(matching: Merging['matching']): Promise<number> {
    const { value, done } = await this.#candidates.next();
    if (done === true) {
      this.#reached = undefined;
      return 0;
    }
    this.#found = await matching(value.messages);
    this.#reached = value.reached;
    return value.cost;
  }
}

// Guarantee: the smallest id there can be.
const NOTHING = '0' as Id;

/** The place with the newest message, or where it may be. What was found comes before what was not read yet. */
function newestOf(places: readonly Place[]): Place | undefined {
  let first: Place | undefined;
  for (const place of places) {
    const { next } = place;
    if (next === undefined) continue;
    const known = first?.next;
    const order = known === undefined ? 1 : compareIds(next, known);
    if (order > 0 || (order === 0 && place.hasFound)) first = place;
  }
  return first;
}

function newest(places: readonly Place[]): Id | undefined {
  return newestOf(places)?.next;
}
