import { firstIdAt, MOST_DELETED_MESSAGES, type Id } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { holdTurns } from '../../platform/turns/turns.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { requireAdmission } from '../../accounts/moderation/moderation.ts';
import { selectChannelIds, type KeepsChannelHomes } from '../../communities/structure/structure.ts';
import { removingMessages, type RemoveMessages } from './files.ts';
import { lockMessages, selectPlacesOf, shortRanges } from './store.ts';
import {
  beginRecord,
  emitAt,
  emitIn,
  nothingToDo,
  placeNow,
  requireToDo,
  takeTurn,
  turningIn,
  waitingFor,
  type HasPlaces,
  type PlacesContext,
} from '../places/places.ts';

/** Deletes messages of a channel, for members with MANAGE_CONTENT. Unknown ids are ignored. Throws NotFoundError and ForbiddenError. */
export async function deleteManyMessages(
  ctx: PlacesContext,
  actor: Account,
  { channel_id: channelId, ids: given }: { readonly channel_id: Id; readonly ids: readonly Id[] },
): Promise<Record<never, never>> {
  await requireAdmission(ctx, actor, 'removing');
  const requires = requireToDo(ctx, 'MANAGE_CONTENT');
  const turning = await turningIn(ctx, actor, { placeId: channelId, requires });
  const record = await beginRecord(ctx, actor, turning.access);
  await removingMessages(ctx, (remove) =>
    ctx.database.writeAlone(waitingFor(turning, true), async (tx) => {
      await record.hold(tx);
      const turn = await takeTurn(tx, ctx, turning);
      const locked = await lockMessages(tx.sql, channelId, [...new Set(given)]);
      if (locked.length === 0) nothingToDo();
      const ids = locked.map(({ id }) => id);
      await remove(tx, locked);
      const changes = [{ field: 'messages', before: ids.length }];
      await record.note(tx, turn.access, { action: 'messages_delete', changes });
      await emitIn(tx, turn, { op: 'MESSAGE_DELETE_MANY', d: { channel_id: channelId, ids } });
    }),
  );
  return {};
}

/** Which messages of a person: those of these moments, in one community or everywhere. */
export interface MessagesOf {
  readonly userId: Id;
  readonly communityId?: Id | undefined;
  /** Unix milliseconds; both ends belong to it. */
  readonly sinceMs?: number;
  readonly untilMs?: number;
  readonly signal: AbortSignal;
}

/** Deletes messages of a person, some at a time. It may be interrupted and repeated. */
export async function deleteMessagesOf(
  ctx: Context & HasPlaces & KeepsChannelHomes,
  { userId, communityId, sinceMs, untilMs, signal }: MessagesOf,
): Promise<void> {
  const after = sinceMs === undefined ? undefined : idBefore(firstIdAt(sinceMs));
  const upTo = untilMs === undefined ? undefined : firstIdAt(untilMs + 1_000);
  const { reader } = ctx.database;
  const found = new Map<Id, Id[]>();
  const deleteFound = async (channelId: Id) => {
    signal.throwIfAborted();
    const ids = found.get(channelId) ?? [];
    found.delete(channelId);
    await removingMessages(ctx, (remove) =>
      ctx.database.transaction((tx) => deleteIn(tx, ctx, { channelId, ids, remove })),
    );
  };
  // Without a community, one pass over the messages of all channels.
  const passes =
    communityId === undefined ? [undefined] : await selectChannelIds(reader, communityId);
  for (const channelId of passes) {
    for await (const range of shortRanges(reader, { channelId, after, upTo })) {
      signal.throwIfAborted();
      for (const place of await selectPlacesOf(reader, userId, { channelId, ...range })) {
        const own = found.getOrInsert(place.channelId, []);
        own.push(place.id);
        if (own.length === MOST_DELETED_MESSAGES) await deleteFound(place.channelId);
      }
    }
  }
  for (const channelId of found.keys()) await deleteFound(channelId);
}

interface Deletion {
  readonly channelId: Id;
  readonly ids: readonly Id[];
  readonly remove: RemoveMessages;
}

/** Deletes messages of one channel, and notifies those who see it. */
async function deleteIn(
  tx: EmittingTransaction,
  ctx: HasPlaces & KeepsChannelHomes,
  { channelId, ids: given, remove }: Deletion,
): Promise<void> {
  await holdTurns(tx, [channelId]);
  const locked = await lockMessages(tx.sql, channelId, given);
  if (locked.length === 0) return;
  const ids = locked.map(({ id }) => id);
  // The messages of a channel that was deleted are no longer shown to anybody.
  const place = await placeNow(tx, ctx, channelId);
  await remove(tx, locked);
  if (place === undefined) return;
  const d = { channel_id: channelId, ids };
  await emitAt(tx, place, { op: 'MESSAGE_DELETE_MANY', d });
}

function idBefore(id: Id): Id {
  const number = BigInt(id);
  // Guarantee: this is an id, too.
  return String(number > 0n ? number - 1n : 0n) as Id;
}
