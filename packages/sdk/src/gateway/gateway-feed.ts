import type { Place } from '../conversation/conversation.ts';
import type { GatewayEvent, Hello } from './link.ts';

/** Takes the gateway's events, and knows the position in the stream. */
export interface GatewayFeed {
  /** Called before each attempt, which waits for it; `signal` ends the wait. */
  prepare(signal: AbortSignal): Promise<void>;
  /** The position to resume from. */
  readonly place: Place | undefined;
  /** Returns whether the feed is current; if not, it calls `markCurrent` later. */
  opened(hello: Hello | undefined): boolean;
  message(event: GatewayEvent): void;
  broken(): void;
  left(): void;
}
