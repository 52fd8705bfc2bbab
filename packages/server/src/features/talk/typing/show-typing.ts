import type { Id, WatchedEvent } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { StreamName } from '../../../ports/bus/bus.ts';
import { findPlace, requireWriting, type PlacesContext } from '../places/places.ts';
import { requireEntry } from '../../accounts/moderation/moderation.ts';
import type { KeepsUsers } from '../../accounts/users/users.ts';

/** The time in milliseconds after which others are sent again that somebody writes in a channel. */
const EVERY_MS = 4_000;

/** The kind of signals that somebody writes. */
export const TYPING = 'typing';

/** An event of a channel that is sent to those who watch it, and follow its stream. */
export interface ChannelSignal {
  readonly channel_id: Id;
  readonly stream: StreamName;
  readonly event: Extract<WatchedEvent, { op: 'TYPING' }>;
}

/**
 * Shows those who watch a channel that the caller writes there; more often than every few seconds has no effect. Throws
 * NotFoundError if the caller may not know that the channel exists, ForbiddenError if they may not write there, and
 * ValidationError if it has no messages.
 */
export async function showTyping(
  ctx: KeepsUsers & PlacesContext,
  actor: Account,
  { channel_id: id }: { readonly channel_id: Id },
): Promise<Record<never, never>> {
  await requireEntry(ctx, actor);
  const access = await findPlace(ctx, actor, id);
  requireWriting(ctx)(access);
  const user = await ctx.users.get(actor.user_id);
  const d: ChannelSignal = {
    channel_id: id,
    stream: access.place.stream,
    event: { op: 'TYPING', d: { channel_id: id, user } },
  };
  ctx.signals.send({ kind: TYPING, d }, { key: `${id} ${actor.user_id}`, everyMs: EVERY_MS });
  return {};
}
