import { batch, signal, type ReadonlySignal } from '@preact/signals';
import { compareIds, ID_EPOCH_SECONDS, idParts, parseId, type Id } from '@hearth/protocol';
import type { SdkClock } from '@hearth/sdk';
import { readStored, writeStored, type Storages } from '../../lib/storage.ts';
import type { MessageEntry } from '../messages/entry.ts';
import type { MessageStore } from '../messages/message-store.ts';

/** The longest time after a message until its being read is stored. */
const PAUSE_MS = 1_000;

/** The point where the reader left off. */
export interface LeftOff {
  /** The newest message that the reader had seen. */
  readonly afterId: Id;
  /** When they last looked; our Unix clock. */
  readonly sinceMs: number;
}

export interface ReadMarkOptions {
  readonly storageKey: string;
  readonly clock: SdkClock;
  /** Up to where the reader has read on any device, if the instance keeps that. */
  readonly readUpTo?: Id | undefined;
  /** Called with the newest message that the reader has seen. */
  readonly onSeen?: ((id: Id) => void) | undefined;
}

/** Remembers up to where a conversation was read in this browser, over visits. */
export class ReadMark implements Disposable {
  readonly #storage: Storage | undefined;
  readonly #key: string;
  readonly #clock: SdkClock;
  readonly #leftOff = signal<LeftOff | undefined>(undefined);
  readonly #isDismissed = signal(false);
  readonly #stop: () => void;
  readonly #onSeen: ReadMarkOptions['onSeen'];
  #seen: LeftOff | undefined;
  #newestId: Id | undefined;
  #isLooking = false;
  #stopTimer: (() => void) | undefined;

  constructor(
    messages: Pick<MessageStore, 'onMessage'>,
    storages: Storages,
    { storageKey, clock, readUpTo, onSeen }: ReadMarkOptions,
  ) {
    this.#storage = storages.local;
    this.#key = `hearth.read.${storageKey}`;
    this.#clock = clock;
    this.#onSeen = onSeen;
    this.#seen = later(parse(readStored(this.#storage, this.#key)), readUpTo);
    this.#leftOff.value = this.#seen;
    this.#stop = messages.onMessage((entry) => this.#received(entry));
  }

  /** The point where "New" begins; it stays there while the reader reads on. Undefined before the first visit. */
  get leftOff(): ReadonlySignal<LeftOff | undefined> {
    return this.#leftOff;
  }

  /** True if the reader needs no hint about it any more. */
  get isDismissed(): ReadonlySignal<boolean> {
    return this.#isDismissed;
  }

  /** The reader has seen where "New" begins, or does not want to. */
  dismiss(): void {
    this.#isDismissed.value = true;
  }

  /** Sets whether the reader sees the newest messages, of which `newestId` is the last. */
  setLooking(isLooking: boolean, newestId: Id | undefined): void {
    if (newestId !== undefined) this.#reach(newestId);
    this.#isLooking = isLooking;
    if (isLooking) this.#see();
  }

  /** Reports again what the reader has seen, because that was not taken. */
  seeAgain(): void {
    if (this.#isLooking && this.#newestId !== undefined) this.#onSeen?.(this.#newestId);
  }

  /** Stores how far the reader got. */
  flush(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    if (this.#isLooking) this.#see();
    const seen = this.#seen;
    if (seen === undefined) return;
    // Another window may be further.
    const stored = parse(readStored(this.#storage, this.#key));
    if (stored !== undefined && compareIds(stored.afterId, seen.afterId) > 0) return;
    writeStored(this.#storage, this.#key, `${seen.afterId} ${seen.sinceMs}`);
  }

  [Symbol.dispose](): void {
    this.flush();
    this.#stopTimer?.();
    this.#stop();
  }

  #received({ id, isOwn }: MessageEntry): void {
    if (id === undefined) return;
    if (isOwn) {
      this.#reach(id);
      this.#leftOff.value = undefined;
      this.#see();
    } else if (this.#isLooking) {
      this.#reach(id);
      this.#see();
    } else {
      const seen = this.#seen;
      // The first one since the reader looked away.
      if (seen !== undefined && seen.afterId === this.#newestId) {
        batch(() => {
          this.#leftOff.value = seen;
          this.#isDismissed.value = false;
        });
      }
      this.#reach(id);
    }
  }

  #reach(id: Id): void {
    if (this.#newestId === undefined || compareIds(id, this.#newestId) > 0) this.#newestId = id;
  }

  #see(): void {
    if (this.#newestId === undefined) return;
    this.#seen = { afterId: this.#newestId, sinceMs: this.#clock.now() };
    this.#onSeen?.(this.#newestId);
    this.#stopTimer ??= this.#clock.after(PAUSE_MS, () => {
      this.#stopTimer = undefined;
      this.flush();
    });
  }
}

function parse(text: string | undefined): LeftOff | undefined {
  const [id = '', ms = ''] = text?.split(' ') ?? [];
  const afterId = parseId(id);
  const sinceMs = Number(ms);
  return afterId === undefined || !Number.isFinite(sinceMs) ? undefined : { afterId, sinceMs };
}

/** Returns what is known here, unless the reader was further on another device. */
function later(known: LeftOff | undefined, readUpTo: Id | undefined): LeftOff | undefined {
  if (readUpTo === undefined) return known;
  if (known !== undefined && compareIds(known.afterId, readUpTo) >= 0) return known;
  return { afterId: readUpTo, sinceMs: (idParts(readUpTo).seconds + ID_EPOCH_SECONDS) * 1_000 };
}
