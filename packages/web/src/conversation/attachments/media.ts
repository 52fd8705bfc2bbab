import { mediaSizeFor, type Capabilities, type Client } from '@hearth/sdk';

/** The part of a client that knows where files are served for pages. */
export interface MediaClient {
  readonly capabilities: MediaCapabilities | undefined;
  readonly files: Pick<Client['files'], 'ownUrl' | 'mediaUrl'>;
}

type MediaCapabilities = Pick<Capabilities, 'features'> & {
  readonly limits: Pick<Capabilities['limits'], 'media_sizes'>;
};

/** More pixels than twice the layout's are not seen, and a tenth fewer than it has are not missed. */
const MOST_PIXEL_RATIO = 2;
const ENOUGH = 0.9;

/** The number of addresses that are remembered as shown. */
const MOST_SHOWN = 2_000;

/** The addresses from which browsers fetch pictures, videos and audio by themselves. */
export class Media {
  readonly #client: MediaClient;
  readonly #shown = new Set<string>();
  readonly #listeners = new Set<() => void>();

  constructor(client: MediaClient) {
    this.#client = client;
  }

  /** True if the instance serves files for pages, under a limit of their own. */
  get isServed(): boolean {
    return this.#client.capabilities?.features.includes('media') ?? false;
  }

  /** The sizes in which it serves pictures, the smallest first. */
  get sizes(): readonly number[] {
    const sizes = this.isServed ? this.#client.capabilities?.limits.media_sizes : undefined;
    return sizes?.toSorted((one, other) => one - other) ?? [];
  }

  /** The size for a picture whose longer side takes so many CSS pixels; undefined if there are no sizes. */
  sizeFor(pixels: number): number | undefined {
    const ratio = Math.min(MOST_PIXEL_RATIO, globalThis.devicePixelRatio ?? 1);
    return mediaSizeFor(pixels * ratio * ENOUGH, this.sizes);
  }

  /** The address of a file, or of a picture in one of the sizes. */
  url(id: string, size?: number): string {
    const { files } = this.#client;
    return this.isServed ? files.mediaUrl(id, { size }) : files.ownUrl(id);
  }

  /** Remembers that the browser has shown what is at this address. */
  markShown(url: string): void {
    if (!this.#shown.has(url)) for (const listener of this.#listeners) listener();
    this.#shown.add(url);
    for (const oldest of this.#shown) {
      if (this.#shown.size <= MOST_SHOWN) return;
      this.#shown.delete(oldest);
    }
  }

  /** Returns whether the browser has shown what is at this address, so that it has it in its cache. */
  wasShown(url: string): boolean {
    return this.#shown.has(url);
  }

  /** Calls `listener` whenever the browser has shown something new; returns how to stop that. */
  onShown(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The smallest version of a picture that the browser has shown, if there is one. */
  smallestShown(id: string): string | undefined {
    return this.sizes.map((size) => this.url(id, size)).find((url) => this.#shown.has(url));
  }

  /** The largest version of a picture that the browser has shown, if there is one. */
  shownVersion(id: string): string | undefined {
    return this.sizes.map((size) => this.url(id, size)).findLast((url) => this.#shown.has(url));
  }
}
