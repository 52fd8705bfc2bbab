import { ValidationError, type Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { Emitted, EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { onceEach } from '../../platform/nonces/nonces.ts';
import { notifyPeople, type Concerning } from '../notifications/notifications.ts';
import { markOwn } from '../read-states/read-states.ts';
import { acceptInOrder, type Check } from './accept-in-order.ts';
import { claim, dropOutdated, keyOf, takePlaces } from './channel-writes.ts';
import { describeMessage, type Named } from './describe-message.ts';
import { insertFiles } from './file-store.ts';
import { holdFiles } from './hold-files.ts';
import { emittedAt, requireMember } from '../places/places.ts';
import type { Draft } from './message-draft.ts';
import { placedOf, type MessageWrite, type Placed, type Posted } from './message-write.ts';
import { insertMessages, selectContents } from './new-message-store.ts';
import { noteMentions } from '../mentions/mentions.ts';
import { readPaces } from './slow-down.ts';

/**
 * Writes messages of any channels in one transaction, those of a channel in the order of the list. The same nonce twice is one
 * message. What drops out is outdated, was posted before, or is refused with NotFoundError, RateLimitedError in slow mode,
 * ValidationError or IdTooLow.
 */
export async function writeMessages(
  tx: EmittingTransaction,
  writes: readonly MessageWrite[],
): Promise<readonly Posted[]> {
  const entries = onceEach(writes, keyOf);
  const [first] = entries;
  if (first === undefined) return [];
  const { ctx } = first;
  const nowMs = ctx.clock.unixMs();
  await claim(tx, entries, nowMs);
  const placed = (await takePlaces(tx, entries, { ctx, nowMs })).map(placedOf);
  // First, because what is outdated must not refuse anything.
  await insert(tx, ctx, placed);
  await requireAllowed(tx, placed, nowMs);
  await insertFiles(
    tx,
    placed.map(({ message }) => message),
  );
  await noteMentions(tx, placed.flatMap(mentioning));
  await markOwn(tx, placed.map(markOf));
  const posted = await emit(tx, placed);
  await notifyPeople(tx, ctx, placed.flatMap(concerning));
  return writes.map((write, at) => {
    const own = posted.get(at) ?? posted.get(firstLike(write, at, placed));
    if (own === undefined) throw new TypeError('a message was neither written nor refused');
    return own;
  });
}

/** The place of the call that wrote the same message. */
function firstLike(write: MessageWrite, at: number, placed: readonly Placed[]): number {
  const key = keyOf(write, at);
  return placed.find((each) => keyOf(each, each.at) === key)?.at ?? at;
}

/** Refuses who has to wait in slow mode, and what cannot have its target or its files. */
async function requireAllowed(
  tx: EmittingTransaction,
  placed: readonly Placed[],
  nowMs: number,
): Promise<void> {
  const paces = await readPaces(tx, placed, nowMs);
  acceptInOrder<Placed>(placed, [
    paces,
    await readTargets(tx, placed),
    await holdFiles(tx, placed),
  ]);
  await paces.store();
}

/** Refuses what replies to something that was deleted or changed: its excerpt must not be sent. */
async function readTargets(
  tx: EmittingTransaction,
  placed: readonly Placed[],
): Promise<Check<Placed>> {
  const targets = placed.flatMap(({ draft: { target } }) => target ?? []);
  const contents = await selectContents(tx, targets);
  return {
    refusalOf({ draft: { target } }) {
      const isSame = target === undefined || contents.get(target.id) === target.content;
      return isSame ? undefined : { error: noTarget() };
    },
    accept() {},
  };
}

/** What was replied to is not there. */
export function noTarget(): ValidationError {
  return new ValidationError('reply_to', 'must be the id of a message of the channel');
}

async function insert(
  tx: EmittingTransaction,
  ctx: Pick<Context, 'clock'>,
  placed: readonly Placed[],
): Promise<void> {
  const missing = await insertMessages(
    tx,
    placed.map(({ message, turning: { access } }) => ({ message, member: requireMember(access) })),
  );
  if (missing.size === 0) return;
  await dropOutdated(
    tx,
    ctx,
    placed.filter(({ message }) => missing.has(message.id)),
  );
}

function markOf({ message, turning: { access } }: Placed) {
  const { userId, channelId, id: lastReadId } = message;
  return { userId, communityId: access.channel.communityId, channelId, lastReadId };
}

/** Sends messages to those who see their channels. Returns them as these see them, by the places of their calls. */
async function emit(
  tx: EmittingTransaction,
  placed: readonly Placed[],
): Promise<ReadonlyMap<number, Posted>> {
  const posted = new Map<number, Posted>();
  const emitted: Emitted[] = [];
  for (const { message: stored, number, draft, turning, at } of placed) {
    const message = describeMessage(stored, withLinks(draft, stored.id));
    const d = draft.nonce === '' ? message : { ...message, nonce: draft.nonce };
    const { channel } = turning.access;
    emitted.push(emittedAt({ channel, number }, { op: 'MESSAGE_CREATE', d }));
    posted.set(at, { message });
  }
  await tx.emitAll(emitted);
  return posted;
}

/** What a message names, and the posts that it names itself, by the id that it has got. */
function withLinks({ named, links }: Draft, id: Id): Named {
  if (links === undefined) return named;
  return { ...named, links: new Map([...(named.links ?? []), [id, links]]) };
}

function mentioning({ message, turning: { access } }: Placed) {
  const { users, roles, all } = message.mentions;
  if ((users ?? roles ?? all) === undefined) return [];
  return [{ ...message, communityId: access.channel.communityId }];
}

function concerning({ message, draft, turning: { access } }: Placed): readonly Concerning[] {
  const { id, channelId, createdAtMs } = message;
  const { author, repliedTo, mentions } = draft;
  if (mentions.users === undefined && repliedTo === undefined) return [];
  const { communityId } = access.channel;
  const about = { id, communityId, channelId, author, createdAtMs };
  return [{ ...about, mentioned: mentions.users ?? [], repliedTo }];
}
