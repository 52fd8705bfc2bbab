import { effect, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { SdkClock } from '@hearth/sdk';
import { CleanUp } from '../lib/clean-up.ts';
import { readInTab, writeInTab, type Storages } from '../lib/storage.ts';

/** The time for which nothing has to be typed before the draft is stored. */
const PAUSE_MS = 300;

/**
 * The text being written, kept in this browser for one instance. Each tab has its own; a new tab starts with the latest.
 */
export class Draft implements Disposable {
  readonly text: Signal<string>;
  readonly #storages: Storages;
  readonly #resumed = signal(0);
  readonly #key: string;
  readonly #clock: SdkClock;
  readonly #cleanUp = new CleanUp();
  #stopTimer: (() => void) | undefined;
  #insert: ((text: string) => void) | undefined;
  #setAside: readonly string[] = [];
  /** The text that this page last read or stored: a page that only reads does not overwrite what another one writes. */
  #stored: string;

  constructor(storages: Storages, instance: string, clock: SdkClock) {
    this.#storages = storages;
    this.#key = `hearth.draft.${instance}`;
    this.#clock = clock;
    this.#stored = readInTab(storages, this.#key);
    this.text = signal(this.#stored);
    let isFirst = true;
    this.#cleanUp.defer(
      effect(() => {
        void this.text.value;
        if (!isFirst) this.#later();
        isFirst = false;
      }),
    );
  }

  /** Also keeps `texts`, which left the box with files that are not uploaded yet: a reloaded page has no files. */
  setAside(texts: ReadonlySignal<readonly string[]>): void {
    this.#cleanUp.defer(
      effect(() => {
        this.#setAside = texts.value;
        this.flush();
      }),
    );
  }

  /** A new value each time the reader returns to the draft: then the box takes the focus. */
  get resumed(): ReadonlySignal<number> {
    return this.#resumed;
  }

  /** The reader returns to the draft. */
  resume(): void {
    this.#resumed.value = this.#resumed.peek() + 1;
  }

  /** Lets a box put texts into the draft, before what it has, so that the reader can undo it. Returns a function that ends this. */
  insertWith(insert: (text: string) => void): () => void {
    this.#insert = insert;
    return () => {
      if (this.#insert === insert) this.#insert = undefined;
    };
  }

  /** Puts `text` back, before the text written since. */
  putBack(text: string): void {
    const since = this.text.peek();
    const before = [text, since].every((part) => part !== '') ? `${text}\n` : text;
    if (before === '') return;
    if (this.#insert === undefined) this.text.value = `${before}${since}`;
    else this.#insert(before);
  }

  /** Stores the current text. */
  flush(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    const text = [...this.#setAside, this.text.peek()].filter((part) => part !== '').join('\n');
    if (text === this.#stored) return;
    writeInTab(this.#storages, this.#key, text);
    this.#stored = text;
  }

  [Symbol.dispose](): void {
    this.flush();
    this.#cleanUp.dispose();
  }

  #later(): void {
    this.#stopTimer?.();
    this.#stopTimer = this.#clock.after(PAUSE_MS, () => this.flush());
  }
}
