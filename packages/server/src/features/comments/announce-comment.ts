import type { Id, WatchedEvent } from '@hearth/protocol';
import type { Context } from '../../context.ts';
import { streamOf } from '../communities/stream-of.ts';
import { POST_SIGNAL, type PostSignal } from '../posts/post-signal.ts';
import type { KnownChannel } from '../communities/known-community.ts';

/** Sends those who watch a post an event about its comments, after the transaction. */
export function announceToWatchers(
  { signals }: Pick<Context, 'signals'>,
  { postId, channel }: { readonly postId: Id; readonly channel: KnownChannel },
  event: WatchedEvent,
): void {
  const d: PostSignal = { post_id: postId, stream: streamOf(channel), event };
  signals.send({ kind: POST_SIGNAL, d });
}
