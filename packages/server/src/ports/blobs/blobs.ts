/** Names one content for good: a key is never used for another. */
export type BlobKey = string;

/** Where the bytes of a content are. */
export type BlobPlace = DiskPlace | RemotePlace;

/** A file of this machine, for zero-copy serving. */
export interface DiskPlace {
  readonly at: 'disk';
  readonly path: string;
}

/** Another machine. */
export interface RemotePlace {
  readonly at: 'remote';

  /** Size in bytes; undefined where the content is not there. Rejects where nobody can tell. */
  size(): Promise<number | undefined>;

  /**
   * The bytes from `start` to before `end`, asked for when the first are read. Ends with an error where the content is
   * shorter, not there or out of reach, and never before all were given.
   */
  read(range: { readonly start: number; readonly end: number }): ReadableStream<Uint8Array>;
}

/** A content being written. */
export interface BlobWriter {
  readonly key: BlobKey;

  /** Where the bytes can be read on this machine until the writer has ended; another place after `seal`. */
  readonly path: string;

  /** Appends bytes, which may be reused once the promise is settled. Rejects when the medium is full or gone. */
  write(chunk: Uint8Array): Promise<void>;

  /**
   * Makes everything written survive power loss, and readable under its key, which nobody knows yet. Nothing can be
   * written after it. Until the writer ends, `recover` removes the content unless its key is recorded.
   */
  seal(): Promise<void>;

  /**
   * Puts the sealed bytes in the place of the same content under another key, unless they are certainly there. Should
   * that key turn out not to be recorded any more, nothing is left under it, by this or by `recover`.
   */
  restore(as: BlobKey, isRecorded: IsRecorded): Promise<void>;

  /** Ends the writer once the key is recorded: `recover` need not look at it any more. */
  release(): Promise<void>;

  /**
   * Ends the writer and leaves nothing behind, sealed or not; what cannot be removed now is left to `recover`.
   * Harmless on a writer that has ended.
   */
  discard(): Promise<void>;
}

/** Whether the database has recorded the key. */
export type IsRecorded = (key: BlobKey) => Promise<boolean>;

/**
 * Keeps immutable contents under keys. A durable write goes: write, seal, record the key in a transaction, release.
 * Whatever a killed process leaves in between is settled by `recover`.
 */
export interface Blobs extends AsyncDisposable {
  /**
   * Begins a content under a new key, or under that of the same content in another store. Such a one is begun once at a
   * time, over what a killed process has left of it.
   */
  create(key?: BlobKey): Promise<BlobWriter>;

  /** Where a sealed content is; whether it exists is the caller's knowledge. Asks nobody. */
  locate(key: BlobKey): BlobPlace;

  /** Removes a content; one that is not there is no error. Readers that have it open read on. */
  remove(key: BlobKey): Promise<void>;

  /** Whether there is no sealed content. */
  isEmpty(): Promise<boolean>;

  /**
   * Keeps what is recorded, and removes every other leftover of writers that have not ended. To be called while nobody
   * writes, in this process or another: what such a writer has written would be gone. An engine that many machines
   * share leaves alone what may be somebody's still, and may be called at any time.
   */
  recover(isRecorded: IsRecorded): Promise<void>;
}
