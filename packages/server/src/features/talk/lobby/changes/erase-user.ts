import type { Id, LobbyMessage, StreamEvent } from '@hearth/protocol';
import type { Context } from '../../../../context.ts';
import { noteChanged } from '../../index-queue/index-queue.ts';
import { eachReaction, takeBack } from '../../reactions/reactions.ts';
import { eachMessage } from '../each-message.ts';
import { emitChanges } from '../emit-change.ts';
import type { KeepsHistory } from '../message-history.ts';
import { reactedIn } from './react.ts';
import {
  eraseLocked,
  lockMessage,
  replaceMessage,
  versionOf,
  type LockedMessage,
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
  const version = versionOf(message) + 1;
  const nobody = user && ({ id: user.id, username: DELETED, deleted: true } as const);
  return { ...message, author: DELETED, version, ...(nobody && { user: nobody }) };
}

async function eraseReactions(
  { database }: Pick<Context, 'database'>,
  userId: Id,
  signal: AbortSignal,
): Promise<void> {
  for await (const { messageId, emoji } of eachReaction(database.reader, userId, 'lobby')) {
    signal.throwIfAborted();
    await database.transaction(async (tx) => {
      const locked = await lockMessage(tx.sql, messageId);
      const message = locked && reactedIn(tx, locked);
      await takeBack(tx, message, { userId, messageId, emoji });
    });
  }
}
