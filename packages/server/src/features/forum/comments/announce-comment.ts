import type { Id, WatchedEvent } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { KnownChannel } from '../../communities/structure/structure.ts';
import { POST_SIGNAL, type PostSignal } from '../posts/posts.ts';

/** The subject of an event: a post, and the number of its new comment if it is about one. */
export interface Announced {
  readonly postId: Id;
  readonly channel: KnownChannel;
  readonly number?: number;
}

/** Sends those who watch a post an event about its comments, after the transaction. */
export function announceToWatchers(
  { signals }: Pick<Context, 'signals'>,
  { postId, channel, number }: Announced,
  event: WatchedEvent,
): void {
  const place = { post_id: postId, stream: channel.stream };
  const d: PostSignal = { ...place, event, ...(number !== undefined && { number }) };
  signals.send({ kind: POST_SIGNAL, d });
}
