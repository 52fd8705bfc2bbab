import type { Peer } from '../runtime/peer.ts';
import type { PathParams } from './router.ts';

/** The client that sends a request. */
export interface Caller {
  readonly client: string;
  /** The path at which the service is found at this port; empty if it is the whole port. */
  readonly basePath: string;
  readonly peer: Peer;
}

/** Answers a request whose path had these parameters, at once if it can; a failure is an answer too. */
export type Answer = (
  request: Request,
  caller: Caller,
  params?: PathParams,
) => Response | Promise<Response>;
