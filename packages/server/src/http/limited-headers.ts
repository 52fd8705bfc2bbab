import { RATE_LIMIT_HEADERS } from '@hearth/protocol';
import type { Verdict } from '../ports/limiter/limiter.ts';
import { limitHeaders } from './limited.ts';
import type { HeaderValues } from './respond.ts';

/**
 * The headers of one route's answers. They are made once, because making them for each request is a third of the cost
 * of a small answer; only the request's own count is written each time.
 */
export class LimitedHeaders {
  readonly #headers: Headers;
  #last: Verdict | undefined;

  /** `fixed` are the route's own headers; one policy counts all its requests. */
  constructor(fixed: HeaderValues) {
    this.#headers = new Headers(fixed);
  }

  /** The headers of the answer to a request with this count; to be copied at once, as a new Response does. */
  of(verdict: Verdict): Headers {
    const last = this.#last;
    this.#last = verdict;
    if (last !== undefined && differInCountOnly(last, verdict)) {
      this.#headers.set(RATE_LIMIT_HEADERS.requestCount, String(verdict.requestCount));
    } else {
      const limits = Object.entries(limitHeaders(verdict.policy, verdict));
      for (const [name, value] of limits) this.#headers.set(name, value);
    }
    return this.#headers;
  }
}

function differInCountOnly(one: Verdict, other: Verdict): boolean {
  return one.windowStartedAtMs === other.windowStartedAtMs && one.sentBytes === other.sentBytes;
}
