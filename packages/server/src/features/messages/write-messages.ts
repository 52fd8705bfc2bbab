import { compareIds, ValidationError, type ChannelMessage, type Id } from '@hearth/protocol';
import { dropOut, type EmittingTransaction } from '../../ports/outbox/outbox.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { claimNonces } from '../nonces/claim-nonce.ts';
import { nonceKey } from '../nonces/used-nonce.ts';
import { notifyPeople, type Concerning } from '../notifications/notify-people.ts';
import { markOwn } from '../read-states/mark-own.ts';
import { describeMessage, type Named } from './describe-message.ts';
import { attach } from './files.ts';
import { keepCountedMentions } from './find-mentions.ts';
import { insertAllMentions } from './mention-store.ts';
import { requireMember } from './message-access.ts';
import type { Draft } from './message-draft.ts';
import {
  dropOutdated,
  nonceOf,
  takePlaces,
  type Entry,
  type MessageWrite,
  type Placed,
  type Posted,
} from './message-places.ts';
import { insertMessages, selectContents } from './new-message-store.ts';
import { slowDownAll } from './slow-down.ts';
import { subjectsOf } from './stored-message.ts';
import { emitIn } from './turn.ts';

/**
 * Writes messages of any channels in one transaction, those of a channel in the order of the list. The same nonce twice is one
 * message. What drops out is outdated, was posted before, or is refused with NotFoundError, RateLimitedError in slow mode or
 * ValidationError. Throws IdTooLow.
 */
export async function writeMessages(
  tx: EmittingTransaction,
  writes: readonly MessageWrite[],
): Promise<readonly Posted[]> {
  const entries = onceEach(writes);
  const [first] = entries;
  if (first === undefined) return [];
  const { ctx } = first;
  const nowMs = ctx.clock.unixMs();
  await claim(tx, entries, nowMs);
  const placed = await takePlaces(tx, entries, { ctx, nowMs });
  await requireAllowed(tx, placed, nowMs);
  await attachFiles(tx, placed);
  await insert(tx, ctx, placed);
  await countMentions(tx, placed);
  await markOwn(tx, placed.map(markOf));
  const posted = new Map<string, Posted>();
  for (const each of placed) posted.set(keyOf(each), { message: await emit(tx, each) });
  await notifyPeople(tx, ctx, placed.flatMap(concerning));
  return writes.map((write, at) => {
    const own = posted.get(keyOf({ ...write, at }));
    if (own === undefined) throw new TypeError('a message was neither written nor refused');
    return own;
  });
}

/** Those that differ, with ids that grow in their order, whatever the order in which these were drawn. */
function onceEach(writes: readonly MessageWrite[]): readonly Entry[] {
  const entries = new Map<string, Entry>();
  for (const [at, write] of writes.entries()) {
    const entry = { ...write, at };
    const key = keyOf(entry);
    if (!entries.has(key)) entries.set(key, entry);
  }
  const all = [...entries.values()];
  const ids = all.map(({ id }) => id).toSorted(compareIds);
  return all.map((entry, place) => ({ ...entry, id: ids[place] ?? entry.id }));
}

/** What is the same for the same message: a nonce of a person in a channel, or else the place of the call. */
function keyOf({ at, turning, draft: { author, nonce } }: Omit<Entry, 'id'>): string {
  const { id: place } = turning.access.channel;
  return nonce === '' ? String(at) : `nonce ${nonceKey({ place, userId: author.id, nonce })}`;
}

/** First, so that nothing else is done for what was posted before. */
async function claim(
  tx: EmittingTransaction,
  entries: readonly Entry[],
  nowMs: number,
): Promise<void> {
  const withNonce = entries.filter(({ draft }) => draft.nonce !== '');
  if (withNonce.length === 0) return;
  const earlier = await claimNonces(
    tx,
    withNonce.map((entry) => nonceOf(entry, nowMs)),
  );
  dropOut(
    Array.from(earlier, ([place, id]) => {
      const result: Posted = { earlier: id };
      return [withNonce[place]?.at ?? 0, { result }] as const;
    }),
  );
}

/** Refuses who has to wait in slow mode, and what replies to something that was deleted or changed: its excerpt must not be sent. */
async function requireAllowed(
  tx: EmittingTransaction,
  placed: readonly Placed[],
  nowMs: number,
): Promise<void> {
  const posts = placed.map(({ turning: { access }, draft }) => ({
    access,
    userId: draft.author.id,
  }));
  const slowed = await slowDownAll(tx, posts, nowMs);
  const targets = placed.flatMap(({ draft: { target } }) => target ?? []);
  const contents = await selectContents(tx, targets);
  dropOut(
    placed.flatMap(({ at, draft: { target } }, place) => {
      const error = slowed.get(place);
      if (error !== undefined) return [[at, { error }] as const];
      const isSame = target === undefined || contents.get(target.id) === target.content;
      return isSame ? [] : [[at, { error: noTarget() }] as const];
    }),
  );
}

/** What was replied to is not there. */
export function noTarget(): ValidationError {
  return new ValidationError('reply_to', 'must be the id of a message of the channel');
}

async function attachFiles(tx: EmittingTransaction, placed: readonly Placed[]): Promise<void> {
  for (const { at, message } of placed) {
    try {
      await attach(tx, message);
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      dropOut([[at, { error }]]);
    }
  }
}

async function insert(
  tx: EmittingTransaction,
  ctx: CommunityContext,
  placed: readonly Placed[],
): Promise<void> {
  const inserted = await insertMessages(
    tx,
    placed.map(({ message, turning: { access } }) => ({ message, member: requireMember(access) })),
  );
  const others = placed.filter(({ message }) => !inserted.has(message.id));
  await dropOutdated(tx, ctx, others);
}

async function countMentions(tx: EmittingTransaction, placed: readonly Placed[]): Promise<void> {
  const mentions = placed.flatMap(({ message, turning: { access } }) =>
    Array.from(subjectsOf(message.mentions, access.channel.communityId), (subjectId) => ({
      subjectId,
      channelId: message.channelId,
      id: message.id,
    })),
  );
  if (mentions.length === 0) return;
  await insertAllMentions(tx, mentions);
  for (const [channelId, own] of Map.groupBy(mentions, (mention) => mention.channelId)) {
    const subjects = new Set(own.map(({ subjectId }) => subjectId));
    await keepCountedMentions(tx, channelId, [...subjects]);
  }
}

function markOf({ message, turning: { access } }: Placed) {
  const { userId, channelId, id: lastReadId } = message;
  return { userId, communityId: access.channel.communityId, channelId, lastReadId };
}

async function emit(tx: EmittingTransaction, placed: Placed): Promise<ChannelMessage> {
  const { message, number, draft, turning } = placed;
  const described = describeMessage(message, withLinks(draft, message.id));
  const d = draft.nonce === '' ? described : { ...described, nonce: draft.nonce };
  await emitIn(tx, { access: turning.access, number }, { op: 'MESSAGE_CREATE', d });
  return described;
}

/** What a message names, and the posts that it names itself, by the id that it has got. */
function withLinks({ named, links }: Draft, id: Id): Named {
  if (links === undefined) return named;
  return { ...named, links: new Map([...(named.links ?? []), [id, links]]) };
}

function concerning({ message, draft, turning: { access } }: Placed): readonly Concerning[] {
  const { id, channelId, createdAtMs } = message;
  const { author, repliedTo, mentions } = draft;
  if (mentions.users === undefined && repliedTo === undefined) return [];
  const { communityId } = access.channel;
  const about = { id, communityId, channelId, author, createdAtMs };
  return [{ ...about, mentioned: mentions.users ?? [], repliedTo }];
}
