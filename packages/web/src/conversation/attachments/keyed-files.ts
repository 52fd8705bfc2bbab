import type { Client, FileData } from '@hearth/sdk';

/** The part of a client that knows files. */
export type FilesOfClient = Pick<
  Client['files'],
  'ownUrl' | 'idOf' | 'keyOf' | 'data' | 'fetch' | 'media' | 'mediaUrl'
>;

/** Files whose keys are remembered. */
const MOST_KEYS = 20_000;

/** The files of an instance, with the keys that messages gave for them, so that an id is enough. */
export class KeyedFiles implements FilesOfClient {
  readonly #files: FilesOfClient;
  /** Keys that the instance has confirmed, and those that a text has given. */
  readonly #confirmed = new Map<string, string>();
  readonly #given = new Map<string, string>();

  constructor(files: FilesOfClient) {
    this.#files = files;
  }

  /** Learns the key of a file. */
  learn({ id, key }: Pick<FileData, 'id' | 'key'>): void {
    if (key !== undefined) remember(this.#confirmed, id, key);
  }

  /** The id in an address, whose key is remembered. */
  idOf(url: string): string | undefined {
    const id = this.#files.idOf(url);
    const key = id === undefined ? undefined : this.#files.keyOf(url);
    if (id !== undefined && key !== undefined) remember(this.#given, id, key);
    return id;
  }

  keyOf(url: string): string | undefined {
    return this.#files.keyOf(url);
  }

  /** The key with which a file is requested; undefined if it has none or none is known. */
  keyFor(id: string): string | undefined {
    return this.#confirmed.get(id) ?? this.#given.get(id);
  }

  ownUrl(...[id, options]: Parameters<FilesOfClient['ownUrl']>): string {
    return this.#files.ownUrl(id, { key: this.keyFor(id), ...options });
  }

  mediaUrl(...[id, options]: Parameters<FilesOfClient['mediaUrl']>): string {
    return this.#files.mediaUrl(id, { key: this.keyFor(id), ...options });
  }

  async data(...[id, options]: Parameters<FilesOfClient['data']>): Promise<FileData> {
    const data = await this.#files.data(id, { key: this.keyFor(id), ...options });
    this.learn(data);
    return data;
  }

  fetch(...[id, options]: Parameters<FilesOfClient['fetch']>): ReturnType<FilesOfClient['fetch']> {
    return this.#files.fetch(id, { key: this.keyFor(id), ...options });
  }

  media(...[id, options]: Parameters<FilesOfClient['media']>): ReturnType<FilesOfClient['media']> {
    return this.#files.media(id, { key: this.keyFor(id), ...options });
  }
}

/** Remembers a key, and forgets the oldest of too many. */
function remember(keys: Map<string, string>, id: string, key: string): void {
  keys.delete(id);
  keys.set(id, key);
  for (const oldest of keys.keys()) {
    if (keys.size <= MOST_KEYS) return;
    keys.delete(oldest);
  }
}
