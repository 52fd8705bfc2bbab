import { LRUCache } from 'lru-cache';
import { ProtocolError, ServerError } from '@hearth/protocol';
import { inTime } from '../../../lib/within.ts';
import type { HeadOf } from '../page-head.ts';

/** The page does not wait longer for the database. */
const LONGEST_WAIT_MS = 500;

/** Requests to the page count against no limit, so that is all that they may ask of the database at a time. */
const MOST_AT_A_TIME = 8;

/** How long what was read is remembered, in milliseconds. */
const REMEMBERED_MS = 15_000;

/** How many bytes of it are remembered. */
const MOST_REMEMBERED_BYTES = 16 * 1024 * 1024;

/** Bounds what it takes to describe places to those who ask for pages. */
export class Describing {
  readonly #read = new LRUCache<string, object>({
    maxSize: MOST_REMEMBERED_BYTES,
    sizeCalculation: (value) => 2 * JSON.stringify(value).length,
    ttl: REMEMBERED_MS,
  });
  /** What is being read, so that many who ask at once read it once. */
  readonly #reading = new Map<string, Promise<object>>();
  #running = 0;

  /** The same for a few requests at a time, without waiting for an answer too long. */
  limited(find: HeadOf): HeadOf {
    return async (params, webUrl) => {
      if (this.#running >= MOST_AT_A_TIME) return 'late';
      this.#running += 1;
      const found = orNothing(find(params, webUrl)).finally(() => {
        this.#running -= 1;
      });
      return await inTime(found, LONGEST_WAIT_MS).catch(() => 'late' as const);
    };
  }

  /**
   * What was read under a key a moment ago, or what `read` finds. Whether the reader may see it has to be decided before, and
   * the key has to say what that depends on.
   */
  async remembered<Value extends object>(
    key: readonly (string | number)[],
    read: () => Promise<Value>,
  ): Promise<Value> {
    const name = JSON.stringify(key);
    // Guarantee: only this function writes, and one key is read in one way.
    const known = (this.#read.get(name) ?? this.#reading.get(name)) as
      | Value
      | Promise<Value>
      | undefined;
    return await (known ?? this.#begin(name, read));
  }

  async #begin<Value extends object>(name: string, read: () => Promise<Value>): Promise<Value> {
    const reading = read();
    this.#reading.set(name, reading);
    try {
      const value = await reading;
      this.#read.set(name, value);
      return value;
    } finally {
      this.#reading.delete(name);
    }
  }
}

/** What is found; undefined if it is not there for the reader. */
async function orNothing<Value>(found: Promise<Value>): Promise<Value | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof ProtocolError && !(error instanceof ServerError)) return undefined;
    throw error;
  }
}
