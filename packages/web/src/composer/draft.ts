import { effect, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { SdkClock } from '@hearth/sdk';
import { readStored, writeStored } from '../settings/storage.ts';

/** How long nothing has to be typed until it is written down. */
const PAUSE_MS = 300;

/** What is being written, kept in this browser for one instance. */
export class Draft implements Disposable {
  readonly text: Signal<string>;
  readonly #storage: Storage | undefined;
  readonly #key: string;
  readonly #clock: SdkClock;
  readonly #cleanUp = new DisposableStack();
  #stopTimer: (() => void) | undefined;
  #setAside: readonly string[] = [];
  /** What this page knows to be stored: one that only reads does not overwrite what another writes. */
  #stored: string;

  constructor(storage: Storage | undefined, instance: string, clock: SdkClock) {
    this.#storage = storage;
    this.#key = `hearth.draft.${instance}`;
    this.#clock = clock;
    this.#stored = readStored(storage, this.#key) ?? '';
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

  /** Keeps `texts` too, which left the box with files that are not up yet: a page that is loaded anew has no files. */
  setAside(texts: ReadonlySignal<readonly string[]>): void {
    this.#cleanUp.defer(
      effect(() => {
        this.#setAside = texts.value;
        this.flush();
      }),
    );
  }

  /** Puts `text` back, before what has been written since. */
  putBack(text: string): void {
    const since = this.text.peek();
    this.text.value = [text, since].filter((part) => part !== '').join('\n');
  }

  /** Writes down what is there now. */
  flush(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    const text = [...this.#setAside, this.text.peek()].filter((part) => part !== '').join('\n');
    if (text === this.#stored) return;
    writeStored(this.#storage, this.#key, text === '' ? undefined : text);
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
