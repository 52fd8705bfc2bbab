import type { Id, WatchedEvent } from '@hearth/protocol';
import type { StreamName } from '../../../ports/bus/bus.ts';

export const POST_SIGNAL = 'post';

/** An event that is sent to those who watch a post, and follow the stream of its channel. */
export interface PostSignal {
  readonly post_id: Id;
  readonly stream: StreamName;
  readonly event: WatchedEvent;
  /** The number of the comment that was written: watchers are sent comments in the order of their numbers. */
  readonly number?: number;
}
