const NO_FILES = 'NoFilesError';

/** This process serves no files, so it has access to the records of contents only. */
export class NoFilesError extends Error {
  override readonly name = NO_FILES;

  /** Returns whether `error` is one, from any bundle: the engines have their own copy of the class. */
  static is(error: unknown): error is NoFilesError {
    return error instanceof Error && error.name === NO_FILES;
  }
}

/** Identifies one content permanently: a key is never used for another content. */
export type BlobKey = string;

/** The place of a content's bytes. */
export type BlobPlace = DiskPlace | RemotePlace;

/** A file on this machine, for zero-copy serving. */
export interface DiskPlace {
  readonly at: 'disk';
  readonly path: string;
}

/** On another machine. */
export interface RemotePlace {
  readonly at: 'remote';

  /** Size in bytes; undefined if the content is missing. Rejects if that cannot be found out. */
  size(): Promise<number | undefined>;

  /**
   * The bytes from `start` up to `end`, which is excluded. Nothing is requested before the first read. The stream fails
   * if the content is shorter, missing or unreachable, and never ends before it has delivered all bytes.
   */
  read(range: { readonly start: number; readonly end: number }): ReadableStream<Uint8Array>;
}

/** A content that is being written. */
export interface BlobWriter {
  readonly key: BlobKey;

  /** The path at which the bytes can be read on this machine until the writer has ended. Changes with `seal`. */
  readonly path: string;

  /** Appends bytes, which may be reused after the promise is settled. Rejects if the medium is full or unavailable. */
  write(chunk: Uint8Array): Promise<void>;

  /**
   * Makes the content durable and readable under its key, which nobody knows yet. Nothing can be written after that.
   * Until the writer ends, `recover` removes the content unless its key is recorded.
   */
  seal(): Promise<void>;

  /**
   * Puts the sealed bytes under another key of the same content, unless they are certainly there. If that key is no
   * longer recorded, nothing is left under it, either after this or after `recover`.
   */
  restore(as: BlobKey, isRecorded: IsRecorded): Promise<void>;

  /** Ends the writer after the key was recorded; `recover` then skips the content. */
  release(): Promise<void>;

  /**
   * Ends the writer and removes the content, sealed or not. `recover` removes what cannot be removed now. Does nothing
   * if the writer has ended.
   */
  discard(): Promise<void>;
}

/** Resolves with whether the database has recorded the key. */
export type IsRecorded = (key: BlobKey) => Promise<boolean>;

/**
 * Keeps immutable contents under keys. The steps of a durable write are: write, seal, record the key in a transaction,
 * release. `recover` cleans up if a process is killed in between.
 */
export interface Blobs extends AsyncDisposable {
  /**
   * Starts a content under a new key, or under its key in another store. For a given key, only one writer may exist at
   * a time; it overwrites what a killed process left.
   */
  create(key?: BlobKey): Promise<BlobWriter>;

  /** Returns where a sealed content is. Sends no request; the caller knows whether the content exists. */
  locate(key: BlobKey): BlobPlace;

  /** Removes a content; a missing one is not an error. Open readers can read to the end. */
  remove(key: BlobKey): Promise<void>;

  /** Resolves with whether there is no sealed content. */
  isEmpty(): Promise<boolean>;

  /**
   * Keeps what is recorded, and removes everything else that writers left without ending. Must not be called while
   * another writer exists, in this process or another: its content would be removed. An engine that several machines
   * share keeps everything that a live writer could still own, and this may be called at any time.
   */
  recover(isRecorded: IsRecorded): Promise<void>;
}
