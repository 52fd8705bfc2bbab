import type { RouterHistory, RouterWindow } from '../../src/app/router.ts';

/** A browser's history. Its `back` takes effect at once, or in a slow browser with the next `travel`. */
export class BrowserWindow implements RouterWindow {
  readonly #listeners = new Set<() => void>();
  #entries: { readonly url: string; readonly state: unknown }[];
  #at = 0;
  isSlow = false;

  constructor(url: string) {
    this.#entries = [{ url, state: null }];
  }

  get location() {
    return { href: this.#entries[this.#at]?.url ?? '' };
  }

  get length(): number {
    return this.#entries.length;
  }

  readonly history: RouterHistory = Object.defineProperties(
    {
      state: undefined,
      length: 0,
      pushState: (state: unknown, _: string, url: string) => {
        this.#entries = [...this.#entries.slice(0, this.#at + 1), { url, state }];
        this.#at += 1;
      },
      replaceState: (state: unknown, _: string, url?: string) => {
        this.#entries[this.#at] = { url: url ?? this.location.href, state };
      },
      back: () => {
        if (!this.isSlow) this.travel(-1);
      },
    },
    {
      state: { get: () => this.#entries[this.#at]?.state },
      length: { get: () => this.#entries.length },
    },
  );

  travel(by: number): void {
    this.#at += by;
    for (const listener of this.#listeners) listener();
  }

  addEventListener(_: string, listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_: string, listener: () => void): void {
    this.#listeners.delete(listener);
  }
}
