import type { BlobKey, Blobs } from '../../../server/src/ports/blobs/blobs.ts';

/** A store that is empty when the test begins, and is removed when it ends. */
export interface TestStore extends AsyncDisposable {
  /** Opens the engine on it. Files that an earlier engine left may also have been left by a killed process. */
  open(): Promise<Blobs>;
  /** The names of everything that is stored. */
  list(): Promise<readonly string[]>;
  /** Damages a stored content. */
  overwrite(key: BlobKey, text: string): Promise<void>;
}

/** Makes an empty store. */
export type CreateStore = () => Promise<TestStore>;
