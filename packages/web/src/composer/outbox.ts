import { batch, computed, effect, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import {
  NetworkError,
  RateLimitedError,
  type Client,
  type ConnectionState,
  type SdkClock,
} from '@hearth/sdk';
import { CleanUp } from '../clean-up.ts';
import { newNonce } from './nonce.ts';
import {
  hasComeBackAs,
  pendingMessage,
  type Hold,
  type ItemPhase,
  type OutboxItem,
} from './outbox-item.ts';
import { ABANDONED_MS, type OutboxStore } from './outbox-store.ts';
import type { OwnNonces } from './own-nonces.ts';
import type { PendingMessage, SettlingMessage } from './pending-message.ts';

export type { Delivery, PendingMessage, SettlingMessage } from './pending-message.ts';

/** What an outbox works with. */
export interface OutboxOptions {
  readonly client: Pick<Client, 'isHearth' | 'on' | 'send'>;
  /** Who writes. */
  readonly author: ReadonlySignal<string>;
  readonly connection: ReadonlySignal<ConnectionState>;
  /** Whether posting is worth a try. */
  readonly isReachable: ReadonlySignal<boolean>;
  readonly store: OutboxStore;
  /** Is told of what is written here, before it is sent. */
  readonly ownNonces: Pick<OwnNonces, 'add'>;
  readonly clock: SdkClock;
}

/** Messages that may wait; then no more are taken. */
const MOST_PENDING = 200;

/** How long after a message was taken, or the connection is back, its coming back is waited for. */
const ECHO_MS = 3000;

/** Timers and clocks differ by this much. */
const TIMER_SLACK_MS = 50;

/**
 * Messages on their way, sent one after the other and kept over reloads. What is known not to have been sent is sent
 * when it can be; what may have been sent is sent again only if its coming back would have been seen. The history shows
 * no message that came and was removed, so that after it had to be read, whoever wrote decides.
 */
export class Outbox implements Disposable {
  readonly pending: ReadonlySignal<readonly PendingMessage[]>;
  /** When the limit lets the next message out; now or earlier: at once. Own Unix clock. */
  readonly freeAtMs: ReadonlySignal<number>;
  readonly #options: OutboxOptions;
  readonly #items: Signal<readonly OutboxItem[]>;
  readonly #freeAtMs = signal(0);
  readonly #ended = new AbortController();
  readonly #cleanUp = new CleanUp();
  readonly #timers = new Set<() => void>();
  #isPosting = false;
  /** How often messages came live after they had not. */
  #returns = 0;
  /** How often events may have been lost, whatever the history had of them. */
  #losses = 0;
  #liveSinceMs = 0;
  #wake: (() => void) | undefined;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#items = signal([]);
    this.#adopt();
    this.freeAtMs = this.#freeAtMs;
    this.pending = computed(() => {
      const hold = this.#hold();
      return this.#items.value.map((item) => pendingMessage(item, hold));
    });
    this.#cleanUp.defer(
      options.client.on('limit', ({ bucket, state }) => {
        if (bucket === 'message_create') this.#freeAtMs.value = state.freeAtMs;
      }),
    );
    this.#cleanUp.defer(effect(() => options.store.save(this.#items.value)));
    this.#cleanUp.defer(
      effect(() => {
        if (options.isReachable.value) void this.#post();
      }),
    );
    this.#cleanUp.defer(options.client.on('gap', () => void (this.#losses += 1)));
    this.#cleanUp.defer(
      effect(() => {
        const { value } = options.connection;
        if (value.state === 'open' && !value.isCurrent) this.#losses += 1;
      }),
    );
    const isLive = computed(() => options.isReachable.value && isCurrent(options.connection.value));
    this.#cleanUp.defer(
      effect(() => {
        if (!isLive.value) return;
        this.#returns += 1;
        this.#liveSinceMs = options.clock.now();
        this.#after(ECHO_MS, () => this.#decide());
      }),
    );
  }

  /** Takes a message to be sent; false where too many wait already. */
  send(content: string): boolean {
    if (this.#items.peek().length >= MOST_PENDING) return false;
    const { author, clock, ownNonces } = this.#options;
    const item: OutboxItem = {
      key: newNonce(),
      author: author.peek(),
      content,
      createdAtMs: clock.now(),
      at: { phase: 'queued' },
    };
    ownNonces.add(item.key);
    this.#items.value = [...this.#items.peek(), item];
    void this.#post();
    return true;
  }

  /** Sends a message that failed another time, under the name that is in force now. */
  retry(key: string): void {
    const failed = this.#find(key);
    if (failed?.at.phase !== 'failed') return;
    const again: OutboxItem = {
      ...failed,
      author: this.#options.author.peek(),
      createdAtMs: this.#options.clock.now(),
      at: { phase: 'queued' },
    };
    this.#items.value = [...this.#items.peek().filter((item) => item !== failed), again];
    void this.#post();
  }

  /** Forgets a message; what the instance has of it already stays there. */
  discard(key: string): void {
    this.#items.value = this.#items.peek().filter((item) => item.key !== key);
    this.#wake?.();
    void this.#post();
  }

  /** Forgets the message that `message` is, if it is one of these: it has come back. */
  settle(message: SettlingMessage): void {
    const isIt = (item: OutboxItem) => item.key === message.nonce || hasComeBackAs(item, message);
    const settled = this.#items.peek().find(isIt);
    if (settled !== undefined) this.discard(settled.key);
  }

  [Symbol.dispose](): void {
    this.#ended.abort();
    this.#wake?.();
    for (const stop of this.#timers) stop();
    this.#cleanUp.dispose();
  }

  /** Takes over what no page has any more; now and then, because pages that crashed do not say so. */
  #adopt(): void {
    const { store, ownNonces } = this.#options;
    const items = store.restore();
    for (const { key } of items) ownNonces.add(key);
    if (items.length > 0) this.#items.value = [...items, ...this.#items.peek()];
    this.#after(ABANDONED_MS, () => this.#adopt());
  }

  /** What keeps the next message from going out. */
  #hold(): Hold | undefined {
    if (!this.#options.isReachable.value) return { untilMs: undefined };
    const untilMs = this.#freeAtMs.value;
    return untilMs > this.#options.clock.now() ? { untilMs } : undefined;
  }

  /** Posts what is queued, the oldest first. */
  async #post(): Promise<void> {
    if (this.#isPosting) return;
    this.#isPosting = true;
    try {
      for (let item = this.#next(); item !== undefined; item = this.#next()) {
        const waitMs = this.#freeAtMs.peek() - this.#options.clock.now();
        // The client would wait too, but what waits here is known not to have been sent.
        if (waitMs > 0) await this.#sleep(waitMs);
        else await this.#postOne(item);
      }
    } finally {
      this.#isPosting = false;
    }
  }

  #next(): OutboxItem | undefined {
    const { connection, isReachable } = this.#options;
    if (this.#ended.signal.aborted || !isReachable.peek()) return undefined;
    // While the gateway is there, what became of an earlier message is known soon; it may have to be sent first.
    const isSoonKnown = connection.peek().state === 'open';
    const first = this.#items
      .peek()
      .find(({ at }) => at.phase === 'queued' || (isSoonKnown && at.phase === 'unsure'));
    return first?.at.phase === 'queued' ? first : undefined;
  }

  async #postOne({ key, author, content }: OutboxItem): Promise<void> {
    const { client } = this.#options;
    this.#move(key, { phase: 'started' });
    try {
      await client.send({ author, content, nonce: key }, { signal: this.#ended.signal });
      this.#move(key, { phase: 'accepted', sinceMs: this.#options.clock.now() });
      this.#after(ECHO_MS, () => this.#decide());
    } catch (error) {
      if (!this.#ended.signal.aborted) this.#fail(key, error);
    }
  }

  #fail(key: string, error: unknown): void {
    const { clock } = this.#options;
    if (error instanceof RateLimitedError) {
      batch(() => {
        const untilMs = clock.now() + error.retryAfterMs;
        this.#freeAtMs.value = Math.max(this.#freeAtMs.peek(), untilMs);
        this.#move(key, { phase: 'queued' });
      });
    } else if (error instanceof NetworkError) {
      const sinceMs = clock.now();
      this.#move(key, {
        phase: 'unsure',
        error,
        sinceMs,
        returns: this.#returns,
        losses: this.#losses,
      });
      this.#after(ECHO_MS, () => this.#decide());
    } else {
      this.#move(key, { phase: 'failed', error, mayHaveBeenSent: false });
    }
  }

  /** What should have come back by now and has not does not come any more. */
  #decide(): void {
    const { client, connection, isReachable, clock } = this.#options;
    if (!isCurrent(connection.peek()) || !isReachable.peek()) return;
    const wasLiveFor = (sinceMs: number) =>
      clock.now() - Math.max(sinceMs, this.#liveSinceMs) >= ECHO_MS - TIMER_SLACK_MS;
    for (const { key, at } of this.#items.peek()) {
      if (at.phase === 'accepted' && wasLiveFor(at.sinceMs)) this.discard(key);
      if (at.phase !== 'unsure' || !wasLiveFor(at.sinceMs)) continue;
      const isKnownUnsent =
        client.isHearth && this.#returns > at.returns && this.#losses === at.losses;
      const failed = { phase: 'failed', error: at.error, mayHaveBeenSent: true } as const;
      this.#move(key, isKnownUnsent ? { phase: 'queued' } : failed);
    }
    void this.#post();
  }

  #find(key: string): OutboxItem | undefined {
    return this.#items.peek().find((item) => item.key === key);
  }

  #move(key: string, at: ItemPhase): void {
    this.#items.value = this.#items
      .peek()
      .map((item) => (item.key === key ? { ...item, at } : item));
  }

  #after(delayMs: number, callback: () => void): void {
    const stop = this.#options.clock.after(delayMs, () => {
      this.#timers.delete(stop);
      callback();
    });
    this.#timers.add(stop);
  }

  async #sleep(delayMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const untilMs = this.#freeAtMs.peek();
    const stop = this.#options.clock.after(delayMs, () => resolve(true));
    this.#wake = () => {
      stop();
      resolve(false);
    };
    const hasPassed = await promise;
    this.#wake = undefined;
    // By the timer, not by the clock, which may have been set back.
    if (hasPassed && this.#freeAtMs.peek() === untilMs) this.#freeAtMs.value = 0;
  }
}

function isCurrent(connection: ConnectionState): boolean {
  return connection.state === 'open' && connection.isCurrent;
}
