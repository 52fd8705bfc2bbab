import { compareIds, type Id } from '@hearth/protocol';
import type { SdkClock } from '../clock.ts';
import type { GatewayFeed, Place } from '../gateway/gateway.ts';
import type { Hello, MessageEvent } from '../gateway/link.ts';
import type { Gap, ReceivedMessage } from '../types.ts';
import { Filling } from './filling.ts';
import { BEGINNING, type History } from './history-page.ts';
import type { LobbyReceived } from './live-buffer.ts';

/** Where a feed has its messages from, and who takes them. */
export interface FeedOptions {
  /** Undefined where the instance has none. */
  readonly history: History | undefined;
  readonly clock: SdkClock;
  readonly random: () => number;
  /** Resolves when everything that the gateway has sent until now is here. */
  readonly caughtUp: () => Promise<void>;
  onMessage(message: ReceivedMessage): void;
  onGap(gap: Gap): void;
  onCurrent(isCurrent: boolean): void;
}

type Mode =
  | { readonly state: 'live' }
  /** `place` is where the live events are; the feed's own stays where it was until the gap is filled. */
  | { readonly state: 'filling'; readonly place: Place; readonly filling: Filling };

/** How long the first connection waits for the history to tell where it ends. */
const PREPARATION_MS = 5_000;

/** Makes one sequence of what the gateway brings and what the history has: each message once, in order, or a gap told. */
export class LobbyFeed implements GatewayFeed {
  readonly #options: FeedOptions;
  #mode: Mode = { state: 'live' };
  #place: Place | undefined;
  /** The last message that was told, or where the history ended before the first connection. */
  #lastId: Id | undefined;
  #wasOpen = false;
  /** Since when something may be missing. */
  #awayFromMs: number | undefined;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  get place(): Place | undefined {
    return this.#place;
  }

  /** Before the first connection: where the history ends, so that a gap can be filled before any message was seen. */
  async prepare(signal: AbortSignal): Promise<void> {
    const { history, clock } = this.#options;
    if (history === undefined || this.#wasOpen || signal.aborted) return;
    const abort = new AbortController();
    const onAbort = () => abort.abort(signal.reason);
    const stopTimer = clock.after(PREPARATION_MS, onAbort);
    signal.addEventListener('abort', onAbort);
    try {
      const [newest] = await history.listMessages({ limit: 1 }, { signal: abort.signal });
      this.#lastId = newest?.id ?? BEGINNING;
    } finally {
      stopTimer();
      signal.removeEventListener('abort', onAbort);
    }
  }

  opened(hello: Hello | undefined): boolean {
    const isFirst = !this.#wasOpen;
    this.#wasOpen = true;
    if (hello === undefined) {
      this.#place = undefined;
      this.#lastId = undefined;
      return isFirst || this.#missed();
    }
    const { epoch, s } = hello;
    const known = this.#place;
    // Where the stream is the same and goes on from here nothing is missed, whatever it calls that.
    if (isFirst || (known?.epoch === epoch && known.s === s)) {
      this.#place = { epoch, s };
      return this.#isCurrentNow();
    }
    return this.#fill({ epoch, s });
  }

  message(event: MessageEvent): void {
    if (!('s' in event)) return this.#options.onMessage(event.d);
    const { s, d } = event;
    const { state } = this.#mode;
    const at = this.#mode.state === 'filling' ? this.#mode.place : this.#place;
    if (at === undefined || s <= at.s) return;
    const isNext = s === at.s + 1;
    if (state === 'live' && isNext) {
      this.#place = { ...at, s };
      this.#tell(d);
    } else if (this.#mode.state === 'filling') {
      this.#mode.filling.live.add(d, isNext);
      this.#mode = { ...this.#mode, place: { ...at, s } };
    } else {
      // The gateway promises that this never happens; events are missing before this one.
      this.#options.onCurrent(this.#fill({ ...at, s: s - 1 }));
      this.message(event);
    }
  }

  broken(): void {
    // On profile 1 the next position tells that one is missing.
    if (this.#place === undefined) this.#missed();
  }

  left(): void {
    this.#awayFromMs ??= this.#options.clock.now();
    if (this.#mode.state === 'filling') this.#mode.filling.stop();
    // What is missing still is: it is asked for from the place before, and the live messages behind it come again.
    this.#mode = { state: 'live' };
  }

  /** Whether everything is there at once; otherwise it is being read from the history, up to what comes behind `place`. */
  #fill(place: Place): boolean {
    const { history } = this.#options;
    const known = this.#place;
    if (history === undefined || this.#lastId === undefined) {
      this.#place = place;
      return this.#missed();
    }
    const filling = new Filling({
      ...this.#options,
      history,
      afterId: this.#lastId,
      // A stream that is before where it was is not the one that it says it is.
      missed: known?.epoch === place.epoch && place.s >= known.s ? place.s - known.s : undefined,
      tell: (message) => this.#tell(message),
      gap: () => this.#missed(),
      done: () => this.#filled(filling),
    });
    this.#mode = { state: 'filling', place, filling };
    void filling.run();
    return false;
  }

  #filled({ live }: Filling): void {
    if (this.#mode.state !== 'filling') return;
    this.#place = this.#mode.place;
    this.#mode = { state: 'live' };
    for (const message of live.all()) this.#tell(message);
    this.#options.onCurrent(this.#isCurrentNow());
  }

  #tell(message: LobbyReceived): void {
    if (this.#lastId !== undefined && compareIds(message.id, this.#lastId) <= 0) return;
    this.#lastId = message.id;
    this.#options.onMessage(message);
  }

  #missed(): true {
    const untilMs = this.#options.clock.now();
    this.#options.onGap({
      fromMs: this.#awayFromMs ?? untilMs,
      untilMs,
      afterId: this.#lastId,
    });
    return this.#isCurrentNow();
  }

  #isCurrentNow(): true {
    this.#awayFromMs = undefined;
    return true;
  }
}
