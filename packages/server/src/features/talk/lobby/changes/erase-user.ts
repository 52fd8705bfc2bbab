import type { Id, LobbyMessage, StreamEvent } from '@hearth/protocol';
import type { Context } from '../../../../context.ts';
import { noteChanged } from '../../index-queue/index-queue.ts';
import { eachMessage } from '../each-message.ts';
import { emitChange, emitChanges } from '../emit-change.ts';
import type { KeepsHistory } from '../message-history.ts';
import { nextVersion, setCount } from './reaction-counts.ts';
import {
  deleteReaction,
  eraseLocked,
  lockMessage,
  replaceMessage,
  selectReactionsAfter,
  type LockedMessage,
  type ReactionPlace,
} from './store.ts';

/** The part of a deleted account that goes: its name alone, or its messages and reactions too. */
export interface ErasedUser {
  readonly userId: Id;
  readonly content: 'keep' | 'erase';
  readonly signal: AbortSignal;
}

/**
 * The number of messages that are erased in one transaction, with a few statements each: it has 2.5 s, also on a busy
 * machine. The instance writes new messages between two of them.
 */
const BATCH = 20;

/** The number of reactions that are looked up at once. Each is erased in its own transaction. */
const REACTIONS_AT_ONCE = 100;

const DELETED = 'deleted';

/**
 * Erases what the lobby has of a deleted account: the name from its messages, or the messages and its reactions. May be
 * repeated, and continues where it was interrupted.
 */
export async function eraseUser(ctx: Context & KeepsHistory, erased: ErasedUser): Promise<void> {
  const { userId, content, signal } = erased;
  await ctx.history.flush();
  let ids: Id[] = [];
  for await (const message of eachMessage(ctx.history)) {
    if (!isLeft(message, erased)) continue;
    ids.push(message.id);
    if (ids.length < BATCH) continue;
    await eraseMessages(ctx, ids, content);
    signal.throwIfAborted();
    ids = [];
  }
  await eraseMessages(ctx, ids, content);
  if (content === 'erase') await eraseReactions(ctx, userId, signal);
}

function isLeft({ user, author }: LobbyMessage, { userId, content }: ErasedUser): boolean {
  return user?.id === userId && (content === 'erase' || author !== DELETED);
}

function eraseMessages(
  { database }: Pick<Context, 'database'>,
  ids: readonly Id[],
  content: ErasedUser['content'],
): Promise<void> {
  return database.transaction(async (tx) => {
    const events: StreamEvent[] = [];
    for (const id of ids) {
      const locked = await lockMessage(tx.sql, id);
      if (locked === undefined) continue;
      if (content === 'keep') {
        const nameless = withoutName(locked);
        await replaceMessage(tx.sql, locked, nameless);
        // The search must not find it by the name.
        await noteChanged(tx.sql, 'lobby', [id]);
        events.push({ op: 'MESSAGE_UPDATE', d: nameless });
        continue;
      }
      await eraseLocked(tx.sql, locked);
      events.push({ op: 'MESSAGE_DELETE', d: { id } });
    }
    await emitChanges(tx, events);
  });
}

function withoutName({ message: { user, ...message } }: LockedMessage) {
  const version = nextVersion(message);
  const nobody = user && ({ id: user.id, username: DELETED, deleted: true } as const);
  return { ...message, author: DELETED, version, ...(nobody && { user: nobody }) };
}

async function eraseReactions(
  { database }: Pick<Context, 'database'>,
  userId: Id,
  signal: AbortSignal,
): Promise<void> {
  for (let after: ReactionPlace | undefined; ;) {
    const range = { after, limit: REACTIONS_AT_ONCE };
    const places = await selectReactionsAfter(database.reader, userId, range);
    for (const { messageId: id, emoji } of places) {
      signal.throwIfAborted();
      await database.transaction(async (tx) => {
        const locked = await lockMessage(tx.sql, id);
        const wasThere = await deleteReaction(tx.sql, { messageId: id, emoji }, userId);
        if (locked === undefined || !wasThere) return;
        const { count, version } = await setCount(tx, locked, { emoji, change: -1 });
        const d = { id, emoji, count, user_id: userId, version };
        await emitChange(tx, { op: 'REACTION_REMOVE', d });
      });
    }
    after = places.at(-1);
    if (places.length < REACTIONS_AT_ONCE) return;
  }
}
