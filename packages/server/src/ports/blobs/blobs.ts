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

  /** Where the bytes can be read on this machine until the writer is published or discarded. */
  readonly path: string;

  /** Appends bytes, which may be reused once the promise is settled. Rejects when the medium is full or gone. */
  write(chunk: Uint8Array): Promise<void>;

  /**
   * Makes everything written survive power loss. Nothing can be written after it. From then on the content may be
   * readable under its key, which nobody knows yet.
   */
  seal(): Promise<void>;

  /**
   * Makes the sealed content readable under its key, to survive power loss; to be called within the transaction that
   * records the key. With the key of the same content it takes the place of that, whatever the transaction comes to.
   */
  publish(as?: BlobKey): Promise<void>;

  /** Ends the writer once the key is recorded: `recover` need not look at it any more. */
  release(): Promise<void>;

  /**
   * Ends the writer and leaves nothing behind, published or not; what cannot be removed now is left to `recover`.
   * Harmless on a writer that has ended.
   */
  discard(): Promise<void>;
}

/**
 * Keeps immutable contents under keys. A durable write goes: write, seal, then in one transaction record the key
 * and publish, then release. Whatever a killed process leaves in between is settled by `recover`.
 */
export interface Blobs extends AsyncDisposable {
  /**
   * Begins a content under a new key, or under that of the same content in another store. Such a one is begun once at a
   * time, over what a killed process has left of it.
   */
  create(key?: BlobKey): Promise<BlobWriter>;

  /** Where a published content is; whether it exists is the caller's knowledge. Asks nobody. */
  locate(key: BlobKey): BlobPlace;

  /** Removes a content; one that is not there is no error. Readers that have it open read on. */
  remove(key: BlobKey): Promise<void>;

  /** Whether no content is published; one that is sealed may count already. */
  isEmpty(): Promise<boolean>;

  /**
   * Keeps what was published and is recorded, and removes every other leftover of writers that have not ended.
   * To be called while nobody writes, in this process or another: a writer that has not
   * published yet would fail with the next thing it does. An engine that many machines share
   * leaves alone what may be somebody's still, and may be called at any time.
   */
  recover(isRecorded: (key: BlobKey) => Promise<boolean>): Promise<void>;
}
