import type { Verdict } from '../ports/limiter/limiter.ts';

/** A body that is not yet read. */
export interface StreamedBody {
  readonly contentType: string | null;
  /** Bytes announced, or undefined if the body is chunked. */
  readonly contentLength: number | undefined;
  readonly body: AsyncIterable<Uint8Array>;
  /** The count of the request, for the verb that also counts bytes. */
  readonly verdict: Verdict;
}
