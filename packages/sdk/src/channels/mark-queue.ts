import type { Id } from '@hearth/protocol';
import type { SdkClock } from '../clock.ts';
import { deferred, type Deferred } from '../deferred.ts';

export interface MarkQueueOptions {
  readonly clock: SdkClock;
  readonly life: AbortSignal;
  send(channelId: Id, id: Id): Promise<void>;
}

/** The least time between two marks in one channel: reading a channel makes many. */
const LEAST_INTERVAL_MS = 5_000;

interface Channel {
  lastSentAtMs: number;
  /** The newest mark that has to be sent, and the callers that wait for it. */
  waiting: { id: Id; readonly done: Deferred<void> } | undefined;
  stopTimer: (() => void) | undefined;
}

/** Sends how far channels were read: the first mark at once, and of those that follow soon only the last. */
export class MarkQueue {
  readonly #options: MarkQueueOptions;
  readonly #channels = new Map<Id, Channel>();

  constructor(options: MarkQueueOptions) {
    this.#options = options;
    options.life.addEventListener('abort', () => this.#end(), { once: true });
  }

  /** Resolves when that mark, or a newer one, was sent. Rejects if that failed. */
  mark(channelId: Id, id: Id): Promise<void> {
    const { clock } = this.#options;
    const channel = this.#channels.get(channelId) ?? {
      lastSentAtMs: -Infinity,
      waiting: undefined,
      stopTimer: undefined,
    };
    this.#channels.set(channelId, channel);
    if (channel.waiting !== undefined) channel.waiting.id = id;
    else channel.waiting = { id, done: deferred() };
    const { done } = channel.waiting;
    const restMs = channel.lastSentAtMs + LEAST_INTERVAL_MS - clock.now();
    if (restMs <= 0 || restMs > LEAST_INTERVAL_MS) this.#send(channelId, channel);
    else channel.stopTimer ??= clock.after(restMs, () => this.#send(channelId, channel));
    return done.promise;
  }

  /** Sends what waits, for example before a page is left. */
  flush(): void {
    for (const [id, channel] of this.#channels) this.#send(id, channel);
  }

  #send(channelId: Id, channel: Channel): void {
    const { waiting } = channel;
    channel.stopTimer?.();
    channel.stopTimer = undefined;
    if (waiting === undefined) return;
    channel.waiting = undefined;
    channel.lastSentAtMs = this.#options.clock.now();
    this.#options.send(channelId, waiting.id).then(waiting.done.resolve, waiting.done.reject);
  }

  #end(): void {
    for (const { stopTimer, waiting } of this.#channels.values()) {
      stopTimer?.();
      waiting?.done.promise.catch(() => undefined);
      waiting?.done.reject(this.#options.life.reason);
    }
    this.#channels.clear();
  }
}
