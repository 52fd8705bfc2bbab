import type { Id } from '@hearth/protocol';
import type { Logger } from '../../log/logger.ts';
import type { ReplayBounds } from '../../config/config.ts';
import type { RedisConnection, RedisLink } from '../redis-link.ts';
import type { Bus, BusFollower, Delivery, Publication, Subscription } from './bus.ts';
import type { IdBlock } from './redis-id-blocks.ts';
import { RedisPublisher } from './redis-publisher.ts';
import { RedisReader } from './redis-reader.ts';
import { idsOf, type StreamEntry, type StreamKeys } from './redis-stream.ts';
import { RedisSubscription } from './redis-subscription.ts';
import { eventOf } from './stored-message.ts';

/** What is kept at least, so that nobody who reads all the time misses anything: where replay is off, and after a break. */
const LEAST_EVENTS = 1_024;
const LEAST_BYTES = 8 * 1024 ** 2;

/** What the shared engine works with. */
export interface RedisBusOptions {
  /** Its connections are greeted with `greetStream` before anything else. */
  readonly link: RedisConnection;
  /** Opens another such link, in which a follower's reader waits. */
  readonly openReader: () => Promise<RedisLink>;
  readonly keys: StreamKeys;
  readonly bounds: {
    readonly replay: ReplayBounds;
    /** What may wait to be written; no messages where there is no history. */
    readonly journal: { readonly messages: number; readonly bytes: number };
  };
  readonly instanceId: number;
  /** Leases identifiers that no process of the instance was given, behind all that were. */
  readonly leaseIds: () => Promise<IdBlock>;
  /** Told of the newest message that this process has published and that is in the journal. */
  readonly onPlaced?: (id: Id) => void;
  readonly log: Logger;
}

/**
 * The engine of many processes: one bounded stream in Redis, to which one script adds a publication with its identifier
 * and its position, and which every follower reads for itself. Its epoch ends where Redis lost something.
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
    const { link, keys, bounds, leaseIds, instanceId, onPlaced } = options;
    const { replay, journal } = bounds;
    this.#options = options;
    this.#idAt = idsOf(instanceId);
    this.#publisher = new RedisPublisher({
      link,
      keys,
      leaseIds,
      onPlaced: (idPosition) => onPlaced?.(this.#idAt(idPosition)),
      bounds: {
        events: Math.max(LEAST_EVENTS, replay.events),
        bytes: Math.max(LEAST_BYTES, replay.bytes),
        minutes: replay.minutes,
        journalMessages: journal.messages,
        journalBytes: journal.bytes,
      },
    });
  }

  publish({ event }: Publication): Promise<void> {
    if (this.#isDisposed) return Promise.reject(disposal());
    return this.#publisher.publish(event);
  }

  async subscribe(follower: BusFollower): Promise<Subscription> {
    if (this.#isDisposed) throw disposal();
    const { link, keys, openReader, log } = this.#options;
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
        deliveryOf: (epoch, entry) => this.#deliveryOf(epoch, entry),
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

  #deliveryOf(epoch: string, { position, fields }: StreamEntry): Delivery | undefined {
    const [, id, , message = '', , nonce = ''] = fields;
    const idPosition = Number(id);
    if (!Number.isSafeInteger(idPosition)) return undefined;
    const event = eventOf(this.#idAt(idPosition), message, nonce);
    return event && { audience: 'everyone', event, epoch, position };
  }
}

function disposal(): Error {
  return new Error('the bus is disposed');
}
