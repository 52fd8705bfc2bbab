import type { Verdict } from '../ports/limiter/limiter.ts';

/** A body that is not read yet. */
export interface StreamedBody {
  readonly contentType: string | null;
  /** Bytes announced, or undefined if the body is chunked. */
  readonly contentLength: number | undefined;
  readonly body: AsyncIterable<Uint8Array>;
  /** How the request was counted, for whoever counts bytes as well. */
  readonly verdict: Verdict;
}
