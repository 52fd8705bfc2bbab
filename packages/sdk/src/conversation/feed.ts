import { compareIds, type Id } from '@hearth/protocol';
import type { SdkClock } from '../clock.ts';
import type { Gap } from '../types.ts';
import type {
  ConversationEvent,
  ConversationMessage,
  ListMessages,
  Place,
} from './conversation.ts';
import { Filling } from './filling.ts';
import { BEGINNING } from './history-page.ts';
import type { LiveBuffer } from './live-buffer.ts';
import { ShownMessages } from './shown-messages.ts';
import type { ReactionChange } from '../reaction-change.ts';

/** The source of a feed's messages, and the callbacks that receive them. */
export interface ConversationFeedOptions<Message> {
  /** The name of the stream that it follows. */
  readonly stream: string;
  /** Undefined if the instance has no history. */
  readonly list: ListMessages<Message> | undefined;
  /** True if the history has every message that was not deleted: then none can be missing. */
  readonly isComplete?: boolean | undefined;
  /**
   * The number of the newest messages that are read again after the loss of events that may have changed them; 50 by
   * default.
   */
  readonly mostShown?: number | undefined;
  readonly clock: SdkClock;
  /** Random numbers from 0 to below 1, which spread retries over time. */
  readonly random: () => number;
  /** Resolves when everything that the gateway has sent so far has arrived. */
  readonly caughtUp: () => Promise<void>;
  /** `isRecovered` is true for a message that was read from the history. */
  onMessage(message: Message, isRecovered: boolean): void;
  /** A delivered message has changed. */
  onUpdate(message: Message): void;
  /** A message was removed, whether it had been delivered or not. */
  onDelete(id: Id): void;
  /** Somebody reacted to a delivered message, or took a reaction back. */
  onReaction(change: ReactionChange): void;
  onGap(gap: Gap): void;
  /** Reports whether every message so far was delivered. */
  onCurrent(isCurrent: boolean): void;
}

type Mode<Message extends ConversationMessage> =
  | { readonly state: 'live' }
  /** `place` is the position of the live events; the feed keeps its own until the gap is filled. */
  | { readonly state: 'filling'; readonly place: Place; readonly filling: Filling<Message> };

/** The time that the first connection waits to learn where the history ends. */
const PREPARATION_MS = 5_000;

/** The number of the newest messages that are read again after the loss of events that may have changed them. */
const MOST_SHOWN = 50;

/**
 * Follows one stream and merges its live events with the history into one sequence. Each message is delivered once and in
 * order, or a gap is reported. Each change and each deletion is applied.
 *
 * @example
 * feed.opened({ epoch, s }); // HELLO, READY, RESUMED or STREAM_OPEN
 * feed.receive(event); // in order
 * feed.left(); // DISCONNECT, a broken connection or STREAM_CLOSE; then `opened` again, at any position
 */
export class ConversationFeed<Message extends ConversationMessage> {
  readonly #options: ConversationFeedOptions<Message>;
  #mode: Mode<Message> = { state: 'live' };
  #place: Place | undefined;
  /** The last delivered message, or the end of the history before the first connection. */
  #lastId: Id | undefined;
  readonly #shown: ShownMessages;
  #wasOpen = false;
  /** When messages may have begun to be missing. */
  #awayFromMs: number | undefined;

  constructor(options: ConversationFeedOptions<Message>) {
    this.#options = options;
    this.#shown = new ShownMessages(options.mostShown ?? MOST_SHOWN);
  }

  /** The position to resume from. */
  get place(): Place | undefined {
    return this.#place;
  }

  /** Before the first connection: finds the end of the history, so that a gap can be filled even if no message was seen before it. */
  async prepare(signal: AbortSignal): Promise<void> {
    const { list, clock } = this.#options;
    if (list === undefined || this.#wasOpen || signal.aborted) return;
    const abort = new AbortController();
    const onAbort = () => abort.abort(signal.reason);
    const stopTimer = clock.after(PREPARATION_MS, onAbort);
    signal.addEventListener('abort', onAbort);
    try {
      const [newest] = await list({ limit: 1 }, { signal: abort.signal });
      this.#lastId = newest?.id ?? BEGINNING;
    } finally {
      stopTimer();
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Before the first connection: the end of the history, if it is known. `isPast`: what came since then may be missing. */
  begin(lastId: Id | undefined, isPast = false): void {
    if (this.#wasOpen) return;
    this.#lastId = lastId ?? BEGINNING;
    this.#wasOpen = isPast;
  }

  /** Notes messages that a reader shows besides those that were delivered: some of the newest are read again after a loss. */
  note(messages: readonly Message[]): void {
    this.#shown.addAll(messages.filter(({ id }) => this.#isDelivered(id)));
  }

  /** The events after `place` follow; without it, the gateway has no positions. Returns whether every message so far was delivered. */
  opened(place: Place | undefined): boolean {
    const isFirst = !this.#wasOpen;
    this.#wasOpen = true;
    if (place === undefined) {
      this.#place = undefined;
      this.#lastId = undefined;
      return isFirst || this.missed();
    }
    const known = this.#place;
    // If the stream is the same and continues from here, nothing was missed, whatever the gateway calls that.
    if (isFirst || (known?.epoch === place.epoch && known.s === place.s)) {
      this.#place = place;
      return this.#isCurrentNow();
    }
    return this.#fill(place);
  }

  /** Takes an event of this stream; skips events of other streams, and events that have come before. */
  receive(event: ConversationEvent<Message>): void {
    if (event.t !== undefined && event.t !== this.#options.stream) return;
    const mode = this.#mode;
    const at = mode.state === 'filling' ? mode.place : this.#place;
    const { s } = event;
    if (at === undefined || s <= at.s) return;
    const isNext = s === at.s + 1;
    if (mode.state === 'filling') {
      const { live } = mode.filling;
      this.#mode = { ...mode, place: { ...at, s } };
      if (!isNext) live.skip();
      this.#hold(event, live);
    } else if (isNext) {
      this.#place = { ...at, s };
      this.#apply(event);
    } else {
      // The gateway promises that this never happens: events before this one are missing.
      this.#options.onCurrent(this.#fill({ ...at, s: s - 1 }));
      this.receive(event);
    }
  }

  /** No more events come until the stream is opened again. */
  left(): void {
    this.#awayFromMs ??= this.#options.clock.now();
    if (this.#mode.state === 'filling') this.#mode.filling.stop();
    // The next filling starts before the missing messages, so the live messages after them come again.
    this.#mode = { state: 'live' };
  }

  /** Reports a gap that nothing can fill. */
  missed(): true {
    const untilMs = this.#options.clock.now();
    const fromMs = this.#awayFromMs ?? untilMs;
    this.#options.onGap({ fromMs, untilMs, afterId: this.#lastId });
    return this.#isCurrentNow();
  }

  /** Returns whether nothing is missing; otherwise it starts to read from the history, up to what comes after `place`. */
  #fill(place: Place): boolean {
    const { list } = this.#options;
    const known = this.#place;
    if (list === undefined || this.#lastId === undefined) {
      this.#place = place;
      return this.missed();
    }
    const filling: Filling<Message> = new Filling({
      ...this.#options,
      list,
      afterId: this.#lastId,
      shown: this.#shown.ids,
      // A stream that has gone back is a different one, whatever epoch it names.
      missed: known?.epoch === place.epoch && place.s >= known.s ? place.s - known.s : undefined,
      deliver: (message, isRecovered) => this.#deliver(message, isRecovered),
      update: (message) => this.#refresh(message),
      remove: (id) => this.#shown.has(id) && this.#remove(id),
      gap: () => this.missed(),
      done: () => this.#filled(filling),
    });
    this.#mode = { state: 'filling', place, filling };
    void filling.run();
    return false;
  }

  #filled({ live }: Filling<Message>): void {
    if (this.#mode.state !== 'filling') return;
    this.#place = this.#mode.place;
    this.#mode = { state: 'live' };
    for (const message of live.all()) this.#deliver(message, false);
    this.#options.onCurrent(this.#isCurrentNow());
  }

  #apply(event: ConversationEvent<Message>): void {
    switch (event.op) {
      case 'MESSAGE_CREATE':
        return this.#deliver(event.d, false);
      case 'MESSAGE_UPDATE':
        return this.#update(event.d);
      case 'MESSAGE_DELETE':
        return this.#remove(event.d.id);
      case 'MESSAGE_DELETE_MANY':
        return event.d.ids.forEach((id) => this.#remove(id));
      case 'REACTION_ADD':
      case 'REACTION_REMOVE':
        return this.#react(changeIn(event));
      case 'unknown':
        return;
    }
  }

  /** Applies changes of delivered messages at once; everything else waits for the messages before it. */
  #hold(event: ConversationEvent<Message>, live: LiveBuffer<Message>): void {
    switch (event.op) {
      case 'MESSAGE_CREATE':
        return live.create(event.d);
      case 'MESSAGE_UPDATE':
        return this.#isDelivered(event.d.id) ? this.#update(event.d) : live.update(event.d);
      case 'MESSAGE_DELETE':
        live.delete(event.d.id);
        return this.#remove(event.d.id);
      case 'MESSAGE_DELETE_MANY':
        return event.d.ids.forEach((id) => {
          live.delete(id);
          this.#remove(id);
        });
      case 'REACTION_ADD':
      case 'REACTION_REMOVE':
        // The page that is read may lack it.
        live.react(changeIn(event));
        return this.#isDelivered(event.d.id) ? this.#react(changeIn(event)) : undefined;
      case 'unknown':
        return;
    }
  }

  #isDelivered(id: Id): boolean {
    return this.#lastId !== undefined && compareIds(id, this.#lastId) <= 0;
  }

  #deliver(message: Message, isRecovered: boolean): void {
    const { id } = message;
    if (this.#isDelivered(id)) return;
    this.#lastId = id;
    this.#shown.add(message);
    this.#options.onMessage(message, isRecovered);
  }

  #update(message: Message): void {
    const { id, version } = message;
    const known = this.#shown.version(id);
    if (known !== undefined && version !== undefined && version <= known) return;
    this.#shown.change(id, version);
    this.#options.onUpdate(message);
  }

  #react(change: ReactionChange): void {
    const { id, version } = change;
    const known = this.#shown.version(id) ?? 1;
    if (this.#shown.has(id) && version <= known) return;
    // If a change in between was missed, the whole message is still to come.
    if (version === known + 1) this.#shown.change(id, version);
    this.#options.onReaction(change);
  }

  /** Takes a message that was read again; without a version, nothing shows that it is newer than the delivered one. */
  #refresh(message: Message): void {
    const { id, version = 0 } = message;
    if (this.#shown.has(id) && version > (this.#shown.version(id) ?? 0)) this.#update(message);
  }

  #remove(id: Id): void {
    this.#shown.remove(id);
    this.#options.onDelete(id);
  }

  #isCurrentNow(): true {
    this.#awayFromMs = undefined;
    return true;
  }
}

function changeIn({
  op,
  d,
}: Extract<ConversationEvent<never>, { op: `REACTION_${string}` }>): ReactionChange {
  return { ...d, isAdded: op === 'REACTION_ADD' };
}
