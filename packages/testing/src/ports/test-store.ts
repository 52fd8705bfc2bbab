import type { BlobKey, Blobs } from '../../../server/src/ports/blobs/blobs.ts';

/** A store that was empty when the test began, and is gone when it ends. */
export interface TestStore extends AsyncDisposable {
  /** Opens the engine on it; what an earlier one left, a killed process may have left as well. */
  open(): Promise<Blobs>;
  /** Names of everything that is stored, of whatever kind. */
  list(): Promise<readonly string[]>;
  /** Damages a content that is there. */
  overwrite(key: BlobKey, text: string): Promise<void>;
}

/** Makes an empty store. */
export type CreateStore = () => Promise<TestStore>;
