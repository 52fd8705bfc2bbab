import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Client, FileData } from '@hearth/sdk';
import { LoadQueue } from './load-queue.ts';
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
export type AttachmentsClient = Pick<Client, 'on'> & {
  readonly files: Pick<Client['files'], 'ownUrl' | 'idOf' | 'data' | 'fetch'>;
};

/** Concurrent requests: the limits of a minute are soon used up, and visible files come first. */
const MOST_REQUESTS = 4;
const MOST_CONTENTS = 200;
const MOST_CONTENT_BYTES = 160 * 2 ** 20;
const MOST_TEXTS = 200;
const MOST_DATA = 5_000;

/** How much of a text file is shown at first, and when more is requested. */
export const TEXT_BYTES = { first: 2_048, more: 65_536 } as const;

/** The instance's files that messages name. Visible ones are loaded, within the instance's limits. */
export class Attachments implements Disposable {
  /** The picture that is shown large. */
  readonly enlarged: Signal<string | undefined> = signal(undefined);
  /** Spoilers that the reader has chosen to see. */
  readonly revealed: Signal<ReadonlySet<string>> = signal(new Set());
  readonly #client: AttachmentsClient;
  readonly #queue = new LoadQueue(MOST_REQUESTS);
  readonly #limitedUntilMs = signal(0);
  readonly #data: WatchedLoads<{ readonly data: FileData }>;
  readonly #contents: WatchedLoads<{ readonly objectUrl: string; readonly sizeBytes: number }>;
  readonly #texts: WatchedLoads<{ readonly text: string; readonly isWhole: boolean }>;
  /** Large pictures that the reader asked for. */
  readonly #wanted = new Set<string>();
  readonly #off: () => void;
  #limitTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(client: AttachmentsClient) {
    this.#client = client;
    const shared = { queue: this.#queue, limitedUntilMs: this.#limitedUntilMs };
    this.#data = new WatchedLoads({
      ...shared,
      most: MOST_DATA,
      load: async (id, { signal: aborted }) => ({
        data: await client.files.data(id, { signal: aborted }),
      }),
    });
    this.#contents = new WatchedLoads({
      ...shared,
      most: MOST_CONTENTS,
      mostBytes: MOST_CONTENT_BYTES,
      weigh: ({ sizeBytes }) => sizeBytes,
      release: ({ objectUrl }) => URL.revokeObjectURL(objectUrl),
      load: async (id, context) => {
        const file = await client.files.fetch(id, { signal: context.signal });
        return objectUrlOf(await readPicture(file, context, this.#wanted.has(id)));
      },
    });
    this.#texts = new WatchedLoads({
      ...shared,
      most: MOST_TEXTS,
      load: (key, { signal: aborted }) => this.#loadText(key, aborted),
    });
    this.#off = client.on('limit', ({ bucket, state }) => {
      if (bucket === 'fetch_file') this.#limited(state.freeAtMs);
    });
  }

  /** Adds a file that was uploaded here and needs no request. */
  remember(data: FileData, content?: Blob): void {
    this.#data.set(data.id, { data });
    if (content !== undefined && data.metadata.type === 'image') {
      this.#contents.set(data.id, objectUrlOf(content));
    }
  }

  /** The ids of files of this instance that stand on lines of their own in a message, and the text without them. */
  split(content: string): SplitMessage {
    return splitAttachments(content, (url) => this.#client.files.idOf(url));
  }

  /** The data of a file, requested while the signal has a subscriber. */
  data(id: string): ReadonlySignal<AttachmentData> {
    return this.#data.get(id);
  }

  /** A whole file, for pictures, loaded while the signal has a subscriber. */
  content(id: string): ReadonlySignal<AttachmentContent> {
    return this.#contents.get(id);
  }

  /** The first `mostBytes` of a text file, loaded while the signal has a subscriber. */
  text(id: string, mostBytes: number): ReadonlySignal<AttachmentText> {
    return this.#texts.get(`${mostBytes} ${id}`);
  }

  /** The address of a file, for videos and downloads. */
  url(id: string, options?: { readonly download?: boolean }): string {
    return this.#client.files.ownUrl(id, options);
  }

  /** Resolves when the instance would answer requests for the file again, however long that takes. */
  async available(id: string, options: { readonly signal: AbortSignal }): Promise<void> {
    await this.#client.files.data(id, options);
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
    this.#contents.retry(id);
  }

  /** Retries what failed. */
  retry(id: string): void {
    this.#data.retry(id);
    this.#contents.retry(id);
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
    const file = await this.#client.files.fetch(id, { range, signal: aborted });
    return readText(file, Number(most));
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
