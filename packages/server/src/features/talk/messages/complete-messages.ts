import type { ChannelMessage, Id } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { describeMessage, peopleIn, type Named } from './describe-message.ts';
import { filesIn } from './files.ts';
import { linksOfMessages } from './message-links.ts';
import type { MessagesContext } from './messages-context.ts';
import { selectReactionsOf } from '../reactions/reactions.ts';
import { selectMessages } from './store.ts';
import type { StoredMessage } from './stored-message.ts';

/** Messages of a channel with everything that they name, and with what the caller has reacted. */
export async function completeMessages(
  ctx: MessagesContext,
  actor: Actor,
  messages: readonly StoredMessage[],
): Promise<readonly ChannelMessage[]> {
  const named = {
    ...(await namedIn(ctx, messages)),
    mine: await ownReactions(ctx, actor, messages),
  };
  return messages.map((message) => describeMessage(message, named));
}

/** Finds everything that messages of one channel name. */
export async function namedIn(
  ctx: MessagesContext,
  messages: readonly StoredMessage[],
): Promise<Named> {
  const targets = await targetsOf(ctx, messages);
  const all = [...messages, ...targets.values()];
  const users = await ctx.users.all(peopleIn(all));
  const links = await linksOfMessages(ctx, all);
  return { users, targets, links, files: await filesIn(ctx, messages) };
}

async function targetsOf(
  { database }: Pick<Context, 'database'>,
  messages: readonly StoredMessage[],
): Promise<ReadonlyMap<Id, StoredMessage>> {
  const ids = messages.flatMap(({ replyTo }) => (replyTo === '' ? [] : [replyTo]));
  const [first] = messages;
  if (first === undefined || ids.length === 0) return new Map();
  const found = await selectMessages(database.reader, first.channelId, [...new Set(ids)]);
  return new Map(found.map((target) => [target.id, target]));
}

async function ownReactions(
  { database }: Pick<Context, 'database'>,
  actor: Actor,
  messages: readonly StoredMessage[],
): Promise<ReadonlyMap<Id, ReadonlySet<string>>> {
  if (actor.kind !== 'account') return new Map();
  const ids = messages.flatMap(({ id, reactions }) => (reactions.length === 0 ? [] : [id]));
  return await selectReactionsOf(database.reader, actor.user_id, ids);
}
