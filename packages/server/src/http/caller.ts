import type { Peer } from '../runtime/http-server.ts';

/** Who asks. */
export interface Caller {
  /** The client that the request counts for. */
  readonly client: string;
  readonly peer: Peer;
}

/** Answers a request, at once where it can; a failure is an answer too. */
export type Answer = (request: Request, caller: Caller) => Response | Promise<Response>;
