import { NotFoundError, type ChannelMessage, type Id } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import { findPlace, requireMessages, type PlacesContext } from '../places/places.ts';
import { listAround } from '../lobby/lobby.ts';
import { completeMessages } from './complete-messages.ts';
import type { IdRange } from '../../../ports/database/id-range.ts';
import { selectMessage, selectRange } from './store.ts';
import type { MessagesContext } from './messages-context.ts';

/** Which messages of a channel are requested: those on one side of a place, or those around one. */
export interface MessagesQuery extends IdRange {
  readonly channel_id: Id;
  /** Without `after` and `before`. */
  readonly around?: Id | undefined;
}

/**
 * The requested messages of a channel, the newest first. Throws NotFoundError if the caller may not know that the channel
 * exists, and ValidationError if it holds no messages.
 */
export async function listChannelMessages(
  ctx: PlacesContext & MessagesContext,
  actor: Actor,
  { channel_id: channelId, around, ...range }: MessagesQuery,
): Promise<readonly ChannelMessage[]> {
  requireMessages(await findPlace(ctx, actor, channelId));
  const list = (each: IdRange) => selectRange(ctx.database.reader, channelId, each);
  const messages =
    around === undefined
      ? await list(range)
      : await listAround({ list }, { around, limit: range.limit });
  return await completeMessages(ctx, actor, messages);
}

/** A message and its channel. */
export interface MessagePlace {
  readonly channel_id: Id;
  readonly id: Id;
}

/** A message of a channel. Throws NotFoundError. */
export async function findChannelMessage(
  ctx: PlacesContext & MessagesContext,
  actor: Actor,
  { channel_id: channelId, id }: MessagePlace,
): Promise<ChannelMessage> {
  await findPlace(ctx, actor, channelId);
  const message = await selectMessage(ctx.database.reader, channelId, id);
  const [complete] = await completeMessages(ctx, actor, message === undefined ? [] : [message]);
  if (complete === undefined) throw new NotFoundError();
  return complete;
}
