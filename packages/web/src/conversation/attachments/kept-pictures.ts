import type { SdkClock } from '@hearth/sdk';
import type { KeptStorage } from '../../lib/kept-storage.ts';
import type { Media } from './media.ts';

/** The number of pictures that the browser keeps for each conversation, and their bytes together. */
const MOST_PICTURES = 100;
const MOST_BYTES = 10 * 2 ** 20;

/** The time to wait for further pictures before they are kept. */
const KEEP_AFTER_MS = 1000;

/** A picture as it is stored. */
interface KeptPicture {
  readonly id: string;
  readonly picture: Blob;
}

export interface KeptPicturesOptions {
  readonly storage: KeptStorage;
  /** Separates the conversation from all others in the storage. */
  readonly key: string;
  readonly clock: SdkClock;
  readonly media: Pick<Media, 'smallestShown' | 'onShown'>;
  /** Reads a picture that was shown; undefined if it is not to be kept. */
  readonly read: (url: string) => Promise<Blob | undefined>;
  /** Receives the kept pictures of an earlier visit. */
  readonly onPicture: (id: string, picture: Blob) => void;
}

/** The small versions of the pictures of kept messages, as far as they were shown. */
export class KeptPictures implements Disposable {
  readonly #options: KeptPicturesOptions;
  readonly #prefix: string;
  readonly #off: () => void;
  /** Pictures that cannot be kept. */
  readonly #refused = new Set<string>();
  /** The pictures of kept messages, the newest first; undefined until these are known. */
  #wanted: readonly string[] | undefined;
  #work = Promise.resolve();
  #stopTimer: (() => void) | undefined;

  constructor(options: KeptPicturesOptions) {
    this.#options = options;
    this.#prefix = `${options.key} picture `;
    this.#off = options.media.onShown(() => this.#keepLater());
  }

  /** Reads what an earlier visit has left. */
  async load(): Promise<void> {
    for (const [id, picture] of await this.#stored()) this.#options.onPicture(id, picture);
  }

  /** Keeps these pictures, the newest first, and no others. */
  keep(ids: readonly string[]): void {
    this.#wanted = ids;
    // One after the other. Without a storage, nothing is kept.
    this.#work = this.#work.then(() => this.#tidy(ids)).catch(() => {});
  }

  [Symbol.dispose](): void {
    this.#off();
    this.#stopTimer?.();
    this.#wanted = undefined;
  }

  #keepLater(): void {
    this.#stopTimer ??= this.#options.clock.after(KEEP_AFTER_MS, () => {
      this.#stopTimer = undefined;
      if (this.#wanted !== undefined) this.keep([...this.#wanted]);
    });
  }

  async #tidy(ids: readonly string[]): Promise<void> {
    if (ids !== this.#wanted) return;
    const { storage } = this.#options;
    const stored = await this.#stored();
    const wanted = new Set(ids);
    const forget = async (id: string) => {
      stored.delete(id);
      await storage.remove(this.#prefix + id);
    };
    // What nobody may see any more goes before anything is fetched.
    for (const id of stored.keys()) if (!wanted.has(id)) await forget(id);
    let count = 0;
    let bytes = 0;
    for (const id of ids) {
      const hasRoom = count < MOST_PICTURES && bytes < MOST_BYTES;
      const known = stored.get(id);
      const picture = known ?? (hasRoom ? await this.#read(id) : undefined);
      if (ids !== this.#wanted) return;
      if (picture === undefined) continue;
      if (!hasRoom || bytes + picture.size > MOST_BYTES) {
        if (known !== undefined) await forget(id);
        continue;
      }
      count += 1;
      bytes += picture.size;
      const kept: KeptPicture = { id, picture };
      if (known === undefined) await storage.write(this.#prefix + id, kept);
    }
  }

  async #read(id: string): Promise<Blob | undefined> {
    const url = this.#options.media.smallestShown(id);
    if (url === undefined || this.#refused.has(url)) return undefined;
    const picture = await this.#options.read(url).catch(() => undefined);
    if (picture === undefined) this.#refused.add(url);
    return picture;
  }

  async #stored(): Promise<Map<string, Blob>> {
    const stored = await this.#options.storage.list(this.#prefix);
    return new Map(stored.filter(isKept).map(({ id, picture }) => [id, picture]));
  }
}

function isKept(value: unknown): value is KeptPicture {
  if (typeof value !== 'object' || value === null) return false;
  return 'id' in value && 'picture' in value && value.picture instanceof Blob;
}
