import type { Place } from '../conversation/conversation.ts';
import type { BrokenEvent, GatewayEvent } from './link-options.ts';
import type { Opening } from './opening.ts';

/** Takes the gateway's events, and knows the position in each stream. */
export interface GatewayFeed {
  /** Called before each attempt, which waits for it; `signal` ends the wait. */
  prepare(signal: AbortSignal): Promise<void>;
  /** The places to resume from, by stream. */
  readonly places: ReadonlyMap<string, Place>;
  /** Returns whether the feed is current; if not, it calls `markCurrent` later. */
  opened(opening: Opening): boolean;
  event(event: GatewayEvent): void;
  /** An event came that cannot be parsed; without a stream, on profiles 0 and 1. */
  broken(event: BrokenEvent): void;
  /** The last payload of the client was ignored. */
  limited(retryAfterMs: number): void;
  left(): void;
  /** True if the gateway has reported the end of its own session. */
  readonly isSessionEnded: boolean;
  /** Somebody else is signed in, or nobody. */
  forgetUser(): void;
}
