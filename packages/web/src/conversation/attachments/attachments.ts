import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { MOST_ATTACHMENTS } from '@hearth/protocol';
import type { Client, FileData, LobbyMessage } from '@hearth/sdk';
import { KeyedFiles, type FilesOfClient } from './keyed-files.ts';
import { LoadQueue } from './load-queue.ts';
import { Media, type MediaClient } from './media.ts';
import { OnePlayer } from './one-player.ts';
import { objectUrlOf, readPicture, readText } from './read-file.ts';
import { splitAttachments, type SplitMessage } from './split-attachments.ts';
import { WatchedLoads, type Load } from './watched-loads.ts';

/** The known data of a file. */
export type AttachmentData = Load<{ readonly data: FileData }>;

/** A file's content, as an address for a picture. */
export type AttachmentContent = Load<{ readonly objectUrl: string; readonly sizeBytes: number }>;

/** The beginning of a text file. */
export type AttachmentText = Load<{ readonly text: string; readonly isWhole: boolean }>;

/** The part of a client that attachments use. */
export type AttachmentsClient = Pick<Client, 'on' | 'capabilities'> & {
  readonly files: FilesOfClient;
};

/** Concurrent requests: the limits of a minute are soon used up, and visible files come first. */
const MOST_REQUESTS = 4;
const MOST_CONTENTS = 200;
const MOST_CONTENT_BYTES = 160 * 2 ** 20;
const MOST_TEXTS = 200;
const MOST_DATA = 5_000;
/** Files that came with their messages. */
const MOST_KNOWN = 20_000;

/** The number of bytes of a text file that are shown at first, and each time that more is requested. */
export const TEXT_BYTES = { first: 2_048, more: 65_536 } as const;

/** A message with its files, if the instance lists them. */
export type ListingMessage = Pick<LobbyMessage, 'content' | 'attachments'>;

/** The instance's files that messages name. Visible ones are loaded, within the instance's limits. */
export class Attachments implements Disposable {
  /** The picture that is shown large. */
  readonly enlarged: Signal<string | undefined> = signal(undefined);
  /** Spoilers that the reader has chosen to see. */
  readonly revealed: Signal<ReadonlySet<string>> = signal(new Set());
  /** The addresses of what browsers fetch by themselves. */
  readonly media: Media;
  /** Lets one video or audio file play at a time. */
  readonly player = new OnePlayer();
  readonly #client: AttachmentsClient;
  readonly #files: KeyedFiles;
  /** Files that came with their messages, the latest last. */
  readonly #known = new Map<string, FileData>();
  /** Files that messages name and do not list, with the key with which they do so, the latest last. */
  readonly #missing = new Map<string, string | undefined>();
  readonly #missingData = signal<AttachmentData>({ state: 'missing' });
  readonly #listedAddresses: readonly string[];
  /** Kept pictures that have no address yet: many are never shown, and an address costs time. */
  readonly #kept = new Map<string, Blob>();
  readonly #queue = new LoadQueue(MOST_REQUESTS);
  readonly #limitedUntilMs = signal(0);
  readonly #data: WatchedLoads<{ readonly data: FileData }>;
  readonly #contents: WatchedLoads<{ readonly objectUrl: string; readonly sizeBytes: number }>;
  readonly #texts: WatchedLoads<{ readonly text: string; readonly isWhole: boolean }>;
  /** Large pictures that the reader asked for. */
  readonly #wanted = new Set<string>();
  readonly #off: () => void;
  #limitTimer: ReturnType<typeof setTimeout> | undefined;

  /** A file that a message names below one of `listedAddresses`, and does not list, does not exist. */
  constructor(client: AttachmentsClient, listedAddresses: readonly string[] = []) {
    this.#client = client;
    this.#files = new KeyedFiles(client.files);
    this.#listedAddresses = listedAddresses.map((address) => `${address.replace(/\/+$/, '')}/`);
    this.media = new Media(mediaClient(client, this.#files));
    const shared = { queue: this.#queue, limitedUntilMs: this.#limitedUntilMs };
    this.#data = new WatchedLoads({
      ...shared,
      most: MOST_DATA,
      load: async (id, { signal: aborted }) => ({
        data: await this.#files.data(id, { signal: aborted }),
      }),
    });
    this.#contents = new WatchedLoads({
      ...shared,
      most: MOST_CONTENTS,
      mostBytes: MOST_CONTENT_BYTES,
      weigh: ({ sizeBytes }) => sizeBytes,
      release: ({ objectUrl }) => URL.revokeObjectURL(objectUrl),
      load: async (key, context) => {
        const [id = '', size] = key.split(' ');
        const { signal: aborted } = context;
        const file = await (size === undefined
          ? this.#files.fetch(id, { signal: aborted })
          : this.#files.media(id, { size: Number(size), signal: aborted }));
        return objectUrlOf(await readPicture(file, context, this.#wanted.has(id)));
      },
    });
    this.#texts = new WatchedLoads({
      ...shared,
      most: MOST_TEXTS,
      load: (key, { signal: aborted }) => this.#loadText(key, aborted),
    });
    this.#off = client.on('limit', ({ bucket, state }) => {
      if (bucket === 'fetch_file' || bucket === 'fetch_media') this.#limited(state.freeAtMs);
    });
  }

  /** Adds a file that was uploaded here and needs no request. */
  remember(data: FileData, content?: Blob): void {
    this.#files.learn(data);
    this.#data.set(data.id, { data });
    if (content !== undefined && data.metadata.type === 'image') {
      this.#contents.set(data.id, objectUrlOf(content));
    }
  }

  /** Adds a picture that the browser kept. */
  showKept(id: string, picture: Blob): void {
    this.#kept.set(id, picture);
  }

  /** Adds files that came with their message and need no request. */
  learn(files: readonly FileData[] = []): void {
    for (const data of files) {
      this.#files.learn(data);
      this.#missing.delete(data.id);
      this.#known.delete(data.id);
      this.#known.set(data.id, data);
      if (this.#data.has(data.id)) this.#data.set(data.id, { data });
    }
    bound(this.#known);
  }

  /** Learns which files of a message of the history do not exist, so that nobody asks for them. */
  learnMissing({ content, attachments: listed = [] }: ListingMessage): void {
    const doesList = this.#client.capabilities?.features.includes('attachments') === true;
    if (!doesList || content.split('://').length - 1 > MOST_ATTACHMENTS) return;
    const { ids } = splitAttachments(content, (url) => {
      if (!this.#listedAddresses.some((address) => url.startsWith(address))) return undefined;
      const id = this.#files.idOf(url);
      const key = id === undefined ? undefined : this.#known.get(id)?.key;
      // A file that needs a key exists, whether or not this message has the key.
      return key === undefined || key === this.#files.keyOf(url) ? id : undefined;
    });
    const unlisted = ids.filter((id) => !listed.some((file) => file.id === id));
    for (const id of unlisted) this.#missing.set(id, this.#files.keyFor(id));
    bound(this.#missing);
  }

  /** Returns whether it is known without a request that a file does not exist. It may, for who has another key of it. */
  isMissing(id: string): boolean {
    return this.#missing.has(id) && this.#missing.get(id) === this.#files.keyFor(id);
  }

  /** The data of a file, if it needs no request. */
  known(id: string): FileData | undefined {
    if (this.isMissing(id)) return undefined;
    const load = this.#data.has(id) ? this.#data.get(id).peek() : undefined;
    return load?.state === 'ready' ? load.data : this.#known.get(id);
  }

  /** An address of a picture that was uploaded here, or kept. */
  local(id: string): string | undefined {
    const kept = this.#kept.get(id);
    this.#kept.delete(id);
    const known = this.#contents.has(id) ? this.#contents.get(id).peek() : undefined;
    if (known?.state === 'ready') return known.objectUrl;
    if (kept === undefined) return undefined;
    const content = objectUrlOf(kept);
    this.#contents.set(id, content);
    return content.objectUrl;
  }

  /** The ids of files of this instance that stand on lines of their own in a message, and the text without them. */
  split(content: string): SplitMessage {
    return splitAttachments(content, (url) => this.#files.idOf(url));
  }

  /** The data of a file, requested while the signal has a subscriber. */
  data(id: string): ReadonlySignal<AttachmentData> {
    if (this.isMissing(id)) return this.#missingData;
    const known = this.#known.get(id);
    if (known !== undefined && !this.#data.has(id)) this.#data.set(id, { data: known });
    return this.#data.get(id);
  }

  /** A picture, whole or in one of the instance's sizes, loaded while the signal has a subscriber. */
  content(id: string, size?: number): ReadonlySignal<AttachmentContent> {
    return this.#contents.get(contentKey(id, size));
  }

  /** The first `mostBytes` of a text file, loaded while the signal has a subscriber. */
  text(id: string, mostBytes: number): ReadonlySignal<AttachmentText> {
    return this.#texts.get(`${mostBytes} ${id}`);
  }

  /** The address of a file, for videos and downloads. */
  url(id: string, options?: { readonly download?: boolean }): string {
    return this.#files.ownUrl(id, options);
  }

  /** Resolves when the instance would answer requests for the file again, however long that takes. */
  async available(id: string, options: { readonly signal: AbortSignal }): Promise<void> {
    if (!this.media.isServed) await this.#files.data(id, options);
    else {
      const { body } = await this.#files.media(id, {
        range: { from: 0, to: 0 },
        ...options,
      });
      await body.cancel();
    }
  }

  /** Shows a spoiler, or hides it again. */
  reveal(id: string, isRevealed: boolean): void {
    const others = [...this.revealed.peek()].filter((each) => each !== id);
    this.revealed.value = new Set(isRevealed ? [...others, id] : others);
  }

  /** Closes the large picture if it belongs to this message. */
  closeEnlarged(content: string): void {
    const id = this.enlarged.peek();
    if (id !== undefined && this.split(content).ids.includes(id)) this.enlarged.value = undefined;
  }

  /** Loads a picture although it is large. */
  loadLarge(id: string): void {
    this.#wanted.add(id);
    this.#retryContents(id);
  }

  /** Retries what failed. */
  retry(id: string): void {
    this.#data.retry(id);
    this.#retryContents(id);
    for (const bytes of Object.values(TEXT_BYTES)) this.#texts.retry(`${bytes} ${id}`);
  }

  [Symbol.dispose](): void {
    this.#off();
    clearTimeout(this.#limitTimer);
    for (const each of [this.#queue, this.#data, this.#contents, this.#texts]) {
      each[Symbol.dispose]();
    }
  }

  async #loadText(key: string, aborted: AbortSignal): Promise<{ text: string; isWhole: boolean }> {
    const [most = '0', id = ''] = key.split(' ');
    // One byte more shows whether that was all.
    const range = { from: 0, to: Number(most) };
    const options = { range, signal: aborted };
    const files = this.#files;
    const file = await (this.media.isServed ? files.media(id, options) : files.fetch(id, options));
    return readText(file, Number(most));
  }

  #retryContents(id: string): void {
    for (const size of [undefined, ...this.media.sizes]) {
      this.#contents.retry(contentKey(id, size));
    }
  }

  #limited(freeAtMs: number): void {
    clearTimeout(this.#limitTimer);
    const waitMs = freeAtMs - Date.now();
    this.#limitedUntilMs.value = waitMs > 0 ? freeAtMs : 0;
    if (waitMs <= 0) return;
    this.#limitTimer = setTimeout(() => {
      this.#limitedUntilMs.value = 0;
    }, waitMs);
  }
}

/** Knowledge of the instance may change when it is reached again. */
function mediaClient(client: AttachmentsClient, files: KeyedFiles): MediaClient {
  return {
    files,
    get capabilities() {
      return client.capabilities;
    },
  };
}

/** Forgets the oldest of too many. */
function bound(known: Map<string, unknown>): void {
  for (const id of known.keys()) {
    if (known.size <= MOST_KNOWN) return;
    known.delete(id);
  }
}

function contentKey(id: string, size: number | undefined): string {
  return size === undefined ? id : `${id} ${size}`;
}
