import { batch, computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import { NetworkError, newNonce, RateLimitedError, type ConnectionState } from '@hearth/sdk';
import { KeyedList } from '../keyed-list.ts';
import { CleanUp } from '../../lib/clean-up.ts';
import {
  hasComeBackAs,
  pendingMessage,
  type Hold,
  type ItemPhase,
  type OutboxItem,
} from './outbox-item.ts';
import type { OutboxOptions } from './outbox-options.ts';
import { ABANDONED_MS } from './outbox-store.ts';
import type { PendingMessage, SettlingMessage } from './pending-message.ts';

/** The limits towards which messages count, without an account and with one. */
const MESSAGE_LIMITS: ReadonlySet<string> = new Set(['message_create', 'message_send']);

/** The number of messages that may wait; no more are accepted. */
const MOST_PENDING = 200;

/** The time to wait for a message to come back after it was accepted, or after the connection is back. */
const ECHO_MS = 3000;

/**
 * The time that later messages wait for one whose fate is unknown, while posting is possible and the gateway is away.
 */
const PATIENCE_MS = 10_000;

/** Timers and clocks differ by this much. */
const TIMER_SLACK_MS = 50;

/**
 * Messages on their way, sent one after the other and kept over reloads. Messages that are known not to have been sent
 * are sent when possible. Messages that may have been sent are sent again only if the page would have seen them come back.
 * The history leaves out messages that came and were removed, so after it had to be read the author decides.
 */
export class Outbox implements Disposable {
  readonly pending: ReadonlySignal<readonly PendingMessage[]>;
  /** When the limit allows the next message; now or earlier means at once. Our Unix clock. */
  readonly freeAtMs: ReadonlySignal<number>;
  readonly #options: OutboxOptions;
  readonly #items = new KeyedList<OutboxItem>();
  readonly #freeAtMs = signal(0);
  readonly #ended = new AbortController();
  readonly #cleanUp = new CleanUp();
  readonly #timers = new Set<() => void>();
  #isPosting = false;
  /** The number of times that messages have started to come live again. */
  #returns = 0;
  /** The number of times that events may have been lost, whatever the history had of them. */
  #losses = 0;
  #liveSinceMs = 0;
  #reachableSinceMs = 0;
  #wake: (() => void) | undefined;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#adopt();
    this.freeAtMs = computed(() => Math.max(this.#freeAtMs.value, options.slowUntilMs?.value ?? 0));
    this.pending = computed(() => {
      const hold = this.#hold();
      return this.#items.all.value.map((item) => pendingMessage(item, hold));
    });
    this.#cleanUp.defer(
      options.client.on('limit', ({ bucket, state }) => {
        if (MESSAGE_LIMITS.has(bucket)) this.#freeAtMs.value = state.freeAtMs;
      }),
    );
    this.#cleanUp.defer(effect(() => options.store.save(this.#items.all.value)));
    this.#cleanUp.defer(
      effect(() => {
        if (!options.isReachable.value) return;
        this.#reachableSinceMs = options.clock.now();
        this.#after(PATIENCE_MS, () => this.#decide());
        void this.#post();
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

  /** Accepts a message to send; returns false if too many are already waiting. */
  send(content: string): boolean {
    if (this.#items.all.peek().length >= MOST_PENDING) return false;
    const { author, clock, ownNonces } = this.#options;
    const item: OutboxItem = {
      key: newNonce(),
      author: author.peek(),
      content,
      createdAtMs: clock.now(),
      at: { phase: 'queued' },
    };
    ownNonces.add(item.key);
    this.#items.add(item);
    void this.#post();
    return true;
  }

  /** Sends a failed message once more, under the current name. */
  retry(key: string): void {
    const failed = this.#items.find(key);
    if (failed?.at.phase !== 'failed') return;
    const again: OutboxItem = {
      ...failed,
      author: this.#options.author.peek(),
      createdAtMs: this.#options.clock.now(),
      at: { phase: 'queued' },
    };
    batch(() => {
      this.#items.drop(key);
      this.#items.add(again);
    });
    void this.#post();
  }

  /** Forgets a message; if the instance already has it, it stays there. */
  discard(key: string): void {
    this.#items.drop(key);
    this.#wake?.();
    void this.#post();
  }

  /** Forgets the item that has come back as `message`, if there is one. */
  settle(message: SettlingMessage): void {
    const isIt = (item: OutboxItem) => item.key === message.nonce || hasComeBackAs(item, message);
    const settled = this.#items.all.peek().find(isIt);
    if (settled !== undefined) this.discard(settled.key);
  }

  [Symbol.dispose](): void {
    this.#ended.abort();
    this.#wake?.();
    for (const stop of this.#timers) stop();
    this.#cleanUp.dispose();
  }

  /** Takes over records that no page owns any more; from time to time, because pages that crashed do not say so. */
  #adopt(): void {
    const { store, ownNonces } = this.#options;
    const items = store.restore();
    for (const { key } of items) ownNonces.add(key);
    if (items.length > 0) this.#items.addBefore(...items);
    this.#after(ABANDONED_MS, () => this.#adopt());
  }

  /** Returns what holds the next message back. */
  #hold(): Hold | undefined {
    if (!this.#options.isReachable.value) return { untilMs: undefined };
    const untilMs = this.freeAtMs.value;
    return untilMs > this.#options.clock.now() ? { untilMs } : undefined;
  }

  /** Posts the queue, the oldest first. */
  async #post(): Promise<void> {
    if (this.#isPosting) return;
    this.#isPosting = true;
    try {
      for (let item = this.#next(); item !== undefined; item = this.#next()) {
        const waitMs = this.freeAtMs.peek() - this.#options.clock.now();
        // The client would wait too, but a message that waits here is known not to have been sent.
        if (waitMs > 0) await this.#sleep(waitMs);
        else await this.#postOne(item);
      }
    } finally {
      this.#isPosting = false;
    }
  }

  #next(): OutboxItem | undefined {
    if (this.#ended.signal.aborted || !this.#options.isReachable.peek()) return undefined;
    // A message whose fate is unknown may have to be sent first.
    const first = this.#items.all
      .peek()
      .find(({ at }) => at.phase === 'queued' || at.phase === 'unsure');
    return first?.at.phase === 'queued' ? first : undefined;
  }

  async #postOne({ key, author, content }: OutboxItem): Promise<void> {
    const { client, refusals } = this.#options;
    this.#move(key, { phase: 'started' });
    try {
      const sent = client.send(
        { author, content, nonce: key },
        // A message that waits here, and not in the client, is kept over a reload.
        { signal: this.#ended.signal, longestBusyWaitMs: 0 },
      );
      await (refusals?.watch(sent) ?? sent);
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
      for (const delayMs of [ECHO_MS, PATIENCE_MS]) this.#after(delayMs, () => this.#decide());
    } else {
      this.#move(key, { phase: 'failed', error, mayHaveBeenSent: false });
    }
  }

  /** A message that should have come back by now and has not will not come any more. */
  #decide(): void {
    const { client, connection, isReachable, clock } = this.#options;
    if (!isReachable.peek()) return;
    const isLive = isCurrent(connection.peek());
    const startMs = isLive ? this.#liveSinceMs : this.#reachableSinceMs;
    const waitMs = isLive ? ECHO_MS : PATIENCE_MS;
    const isOver = (sinceMs: number) =>
      clock.now() - Math.max(sinceMs, startMs) >= waitMs - TIMER_SLACK_MS;
    for (const { key, at } of this.#items.all.peek()) {
      if (at.phase === 'accepted' && isLive && isOver(at.sinceMs)) this.discard(key);
      if (at.phase !== 'unsure' || !isOver(at.sinceMs)) continue;
      const isKnownUnsent =
        isLive && client.isHearth && this.#returns > at.returns && this.#losses === at.losses;
      const failed = { phase: 'failed', error: at.error, mayHaveBeenSent: true } as const;
      this.#move(key, isKnownUnsent ? { phase: 'queued' } : failed);
    }
    void this.#post();
  }

  #move(key: string, at: ItemPhase): void {
    this.#items.change(key, (item) => ({ ...item, at }));
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
