import type { Id } from '@hearth/protocol';
import type { Logger } from '../../log/logger.ts';
import type { ReplayBounds } from './bus.ts';
import type { RedisConnection, RedisLink } from '../redis-link.ts';
import { MOST_KEYS } from './appended-keys.ts';
import type {
  Appended,
  Bus,
  BusFollower,
  JournalEvent,
  MostRemembered,
  Publication,
  StreamName,
  SubjectNumber,
  Subscription,
  Verdict,
} from './bus.ts';
import type { IdBlock } from './redis-id-blocks.ts';
import { RedisPublisher } from './redis-publisher.ts';
import { RedisReader } from './redis-reader.ts';
import { idsOf, type StreamKeys } from './redis-stream.ts';
import { RedisSubscription } from './redis-subscription.ts';
import { appendedTexts, publishedTexts } from './stored-entry.ts';
import { MOST_STREAMS } from './stream-heads.ts';
import { HAD, MOST_SUBJECTS, TAKEN, UNKNOWN } from './subject-numbers.ts';

/** The least that is kept, even if replay is off, so that readers that never stop miss nothing after a break. */
const LEAST_EVENTS = 1_024;
const LEAST_BYTES = 8 * 1024 ** 2;

const MOST = { streams: MOST_STREAMS, subjects: MOST_SUBJECTS, keys: MOST_KEYS };

/** The beginning of the result of an append whose key was known. */
const HAD_PREFIX = 'had ';

export interface RedisBusOptions {
  /** Each of its connections runs `prepareStream` before anything else. */
  readonly link: RedisConnection;
  /** Opens another such link for a follower's reader, which blocks on it. */
  readonly openReader: () => Promise<RedisLink>;
  readonly keys: StreamKeys;
  /** The stream that has the journal. */
  readonly journaled: StreamName;
  readonly bounds: {
    readonly replay: ReplayBounds;
    /** The most that may wait to be written; no messages if there is no history. */
    readonly journal: { readonly messages: number; readonly bytes: number };
    readonly most?: MostRemembered;
  };
  readonly instanceId: number;
  /** Leases identifiers that are greater than all that any process of the instance has. */
  readonly leaseIds: () => Promise<IdBlock>;
  /** Called with the identifier of the newest event that this process has appended to the journal. */
  readonly onPlaced?: (id: Id) => void;
  readonly log: Logger;
}

/**
 * The engine for many processes: one bounded Redis stream carries all streams. A script adds publications with their
 * positions and identifiers, and every follower reads the stream itself. An epoch ends when Redis has lost data.
 */
export function redisBus(options: RedisBusOptions): Bus {
  return new RedisBus(options);
}

class RedisBus implements Bus {
  readonly #options: RedisBusOptions;
  readonly #publisher: RedisPublisher;
  readonly #idAt: ReturnType<typeof idsOf>;
  readonly #readers = new Set<RedisReader>();
  #isDisposed = false;

  constructor(options: RedisBusOptions) {
    const { link, keys, bounds, journaled, leaseIds, instanceId, onPlaced } = options;
    const { replay, journal, most } = bounds;
    this.#options = options;
    this.#idAt = idsOf(instanceId);
    this.#publisher = new RedisPublisher({
      link,
      keys,
      journaled,
      leaseIds,
      onPlaced: (idPosition) => onPlaced?.(this.#idAt(idPosition)),
      bounds: {
        events: Math.max(LEAST_EVENTS, replay.events),
        bytes: Math.max(LEAST_BYTES, replay.bytes),
        minutes: replay.minutes,
        journalMessages: journal.messages,
        journalBytes: journal.bytes,
        ...MOST,
        ...most,
      },
    });
  }

  publish(publication: Publication): Promise<unknown> {
    if (this.#isDisposed) return Promise.reject(disposal());
    return this.#publisher.publish(publishedTexts(publication));
  }

  async append(event: JournalEvent): Promise<Id> {
    if (this.#isDisposed) throw disposal();
    return this.#idAt(
      Number(await this.#publisher.publish(appendedTexts(this.#options.journaled, event))),
    );
  }

  async appendOnce(event: JournalEvent, key: string): Promise<Appended> {
    if (this.#isDisposed) throw disposal();
    const texts = appendedTexts(this.#options.journaled, event, key);
    const result = await this.#publisher.publish(texts);
    const isNew = !result.startsWith(HAD_PREFIX);
    const position = isNew ? result : result.slice(HAD_PREFIX.length);
    return { id: this.#idAt(Number(position)), isNew };
  }

  async publishNext(publication: Publication, place: SubjectNumber): Promise<Verdict> {
    if (this.#isDisposed) throw disposal();
    return verdictOf(await this.#publisher.publish(publishedTexts(publication, place)));
  }

  async subscribe(follower: BusFollower): Promise<Subscription> {
    if (this.#isDisposed) throw disposal();
    const { link, keys, openReader, journaled, bounds, log } = this.#options;
    let reader: RedisReader | undefined;
    const subscription = new RedisSubscription({
      link,
      keys,
      reader: () => reader,
      end: () => void this.#end(reader),
    });
    const readerLink = await openReader();
    try {
      reader = await RedisReader.start({
        link: readerLink,
        keys,
        follower,
        log,
        journaled,
        most: (bounds.most ?? MOST).streams,
        idAt: this.#idAt,
        onProgress: () => subscription.progress(),
      });
    } catch (error) {
      await readerLink[Symbol.asyncDispose]();
      throw error;
    }
    this.#readers.add(reader);
    if (this.#isDisposed) await this.#end(reader);
    return subscription;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    this.#publisher.end(disposal());
    await Promise.all([...this.#readers].map((reader) => this.#end(reader)));
  }

  async #end(reader: RedisReader | undefined): Promise<void> {
    if (reader === undefined) return;
    this.#readers.delete(reader);
    await reader[Symbol.asyncDispose]();
  }
}

function disposal(): Error {
  return new Error('the bus is disposed');
}

function verdictOf(text: string): Verdict {
  switch (text) {
    case 'taken':
      return TAKEN;
    case 'had':
      return HAD;
    case 'unknown':
      return UNKNOWN;
    default:
      return { state: 'missing', last: Number(text.slice('missing '.length)) };
  }
}
