import { LRUCache } from 'lru-cache';
import { SharedWork } from '../lib/shared-work.ts';
import type { BlobKey, RemotePlace } from '../ports/blobs/blobs.ts';

/** A small content on another machine. */
export interface RemoteContent {
  readonly blobKey: BlobKey;
  readonly place: RemotePlace;
  readonly sizeBytes: number;
}

/** About what an entry takes besides its bytes. */
const ENTRY_BYTES = 1024;

/**
 * Fetches small contents, with one request for all callers at the same time, and keeps the most recently used: a key
 * always means the same bytes, whatever is committed.
 */
export class RemoteBytes {
  readonly #kept: LRUCache<BlobKey, Blob>;
  readonly #fetching = new SharedWork<Blob | undefined>();

  constructor(capacityBytes: number) {
    this.#kept = new LRUCache({ maxSize: capacityBytes });
  }

  /** Undefined if the content is missing or incomplete. Rejects if the store cannot say. */
  async of(content: RemoteContent): Promise<Blob | undefined> {
    const { blobKey } = content;
    const kept = this.#kept.get(blobKey);
    if (kept !== undefined) return kept;
    return this.#fetching.of(blobKey, () => this.#fetch(content));
  }

  async #fetch({ blobKey, place, sizeBytes }: RemoteContent): Promise<Blob | undefined> {
    if ((await place.size()) !== sizeBytes) return undefined;
    const stream = place.read({ start: 0, end: sizeBytes });
    const bytes = await new Response(stream).blob();
    this.#kept.set(blobKey, bytes, { size: bytes.size + ENTRY_BYTES });
    return bytes;
  }
}
