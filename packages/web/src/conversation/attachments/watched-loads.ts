import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { NotFoundError } from '@hearth/sdk';
import type { LoadQueue } from './load-queue.ts';

/** The progress of a value that is loaded while it has subscribers. */
export type Load<Value> =
  | {
      readonly state: 'loading';
      readonly receivedBytes: number;
      readonly sizeBytes: number | undefined;
    }
  /** For the instance's limit; our Unix clock. */
  | { readonly state: 'waiting'; readonly untilMs: number }
  | ({ readonly state: 'ready' } & Value)
  | { readonly state: 'missing' }
  | { readonly state: 'failed'; readonly error: unknown };

/** The arguments of a load. */
export interface LoadContext {
  readonly signal: AbortSignal;
  progress(receivedBytes: number, sizeBytes: number | undefined): void;
}

/** The functions by which values are loaded, kept and released. */
export interface LoadOptions<Value> {
  readonly queue: LoadQueue;
  /** Until when requests wait for their limit; our Unix clock, 0 if they do not. */
  readonly limitedUntilMs: ReadonlySignal<number>;
  load(key: string, context: LoadContext): Promise<Value>;
  /** Releases what a value holds. */
  release?(value: Value): void;
  /** The size of a value in bytes. */
  weigh?(value: Value): number;
  /** The number of values that are kept without subscribers; the least recently used go first. */
  readonly most: number;
  readonly mostBytes?: number;
}

const LOADING = { state: 'loading', receivedBytes: 0, sizeBytes: undefined } as const;

interface Entry<Value> {
  readonly state: Signal<Load<Value>>;
  readonly shown: ReadonlySignal<Load<Value>>;
  isWatched: boolean;
  bytes: number;
  cancel: (() => void) | undefined;
}

/** Values by key, loaded when the first subscriber comes and cancelled when the last one leaves. Bounded. */
export class WatchedLoads<Value extends object> implements Disposable {
  readonly #options: LoadOptions<Value>;
  /** The least recently used first. */
  readonly #entries = new Map<string, Entry<Value>>();
  #bytes = 0;

  constructor(options: LoadOptions<Value>) {
    this.#options = options;
  }

  /** The number of entries. */
  get size(): number {
    return this.#entries.size;
  }

  /** The value of `key`, loaded while the signal has a subscriber. */
  get(key: string): ReadonlySignal<Load<Value>> {
    return this.#entry(key).shown;
  }

  /** Sets the value of `key`, which is already known. */
  set(key: string, value: Value): void {
    const entry = this.#entry(key);
    entry.cancel?.();
    this.#settle(entry, value);
  }

  /** Returns whether a value is known, or is or was wanted. */
  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** Retries what failed. */
  retry(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.state.peek().state === 'ready') return;
    entry.state.value = LOADING;
    if (entry.isWatched) this.#start(key, entry);
  }

  [Symbol.dispose](): void {
    for (const entry of this.#entries.values()) {
      entry.cancel?.();
      this.#release(entry);
    }
    this.#entries.clear();
  }

  #entry(key: string): Entry<Value> {
    const known = this.#entries.get(key);
    const entry = known ?? this.#make(key);
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (known === undefined) this.#evict();
    return entry;
  }

  #make(key: string): Entry<Value> {
    const watched = () => {
      entry.isWatched = true;
      // It may have been forgotten since it was returned.
      if (!this.#entries.has(key)) this.#entries.set(key, entry);
      if (entry.state.peek().state === 'loading') this.#start(key, entry);
    };
    const unwatched = () => {
      entry.isWatched = false;
      entry.cancel?.();
      entry.cancel = undefined;
      if (entry.state.peek().state === 'loading') entry.state.value = LOADING;
      this.#evict();
    };
    const state = signal<Load<Value>>(LOADING, { watched, unwatched });
    const { limitedUntilMs } = this.#options;
    const shown = computed<Load<Value>>(() => {
      const { value } = state;
      const isIdle = value.state === 'loading' && value.receivedBytes === 0;
      const untilMs = isIdle ? limitedUntilMs.value : 0;
      return untilMs === 0 ? value : { state: 'waiting', untilMs };
    });
    const entry: Entry<Value> = { state, shown, isWatched: false, bytes: 0, cancel: undefined };
    return entry;
  }

  #start(key: string, entry: Entry<Value>): void {
    const aborter = new AbortController();
    const { signal: aborted } = aborter;
    const leave = this.#options.queue.add(() => this.#load(key, entry, aborted));
    entry.cancel?.();
    entry.cancel = () => {
      leave();
      aborter.abort();
    };
  }

  async #load(key: string, entry: Entry<Value>, aborted: AbortSignal): Promise<void> {
    const progress = (receivedBytes: number, sizeBytes: number | undefined) => {
      if (!aborted.aborted) entry.state.value = { state: 'loading', receivedBytes, sizeBytes };
    };
    try {
      const value = await this.#options.load(key, { signal: aborted, progress });
      if (aborted.aborted) this.#options.release?.(value);
      else this.#settle(entry, value);
    } catch (error) {
      if (aborted.aborted) return;
      const isMissing = error instanceof NotFoundError;
      entry.state.value = isMissing ? { state: 'missing' } : { state: 'failed', error };
    }
  }

  #settle(entry: Entry<Value>, value: Value): void {
    this.#release(entry);
    entry.bytes = this.#options.weigh?.(value) ?? 0;
    this.#bytes += entry.bytes;
    entry.state.value = { state: 'ready', ...value };
    this.#evict();
  }

  #release(entry: Entry<Value>): void {
    const state = entry.state.peek();
    this.#bytes -= entry.bytes;
    entry.bytes = 0;
    if (state.state === 'ready') this.#options.release?.(state);
  }

  #evict(): void {
    const { most, mostBytes = Number.POSITIVE_INFINITY } = this.#options;
    for (const [key, entry] of this.#entries) {
      if (this.#entries.size <= most && this.#bytes <= mostBytes) return;
      if (entry.isWatched) continue;
      this.#release(entry);
      this.#entries.delete(key);
      entry.state.value = LOADING;
    }
  }
}
