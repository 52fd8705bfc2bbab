import type { Id, WatchedEvent } from '@hearth/protocol';
import type { StreamName } from '../../ports/bus/bus.ts';
import type { Context } from '../../context.ts';
import { streamOf } from '../communities/stream-of.ts';
import type { KnownChannel } from '../communities/known-communities.ts';

/** The kind of signals about a post. */
export const POST_SIGNAL = 'post';

/** An event that is sent to those who watch a post, and follow the stream of its channel. */
export interface PostSignal {
  readonly post_id: Id;
  readonly stream: StreamName;
  readonly event: WatchedEvent;
}

/** Sends those who watch a post an event about its comments, after the transaction. */
export function announceToWatchers(
  { signals }: Pick<Context, 'signals'>,
  { postId, channel }: { readonly postId: Id; readonly channel: KnownChannel },
  event: WatchedEvent,
): void {
  const d: PostSignal = { post_id: postId, stream: streamOf(channel), event };
  signals.send({ kind: POST_SIGNAL, d });
}
