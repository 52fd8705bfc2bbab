import { NotFoundError, type ChannelMessage, type Id } from '@hearth/protocol';
import { dropOut, type EmittingTransaction, type Outcome } from '../../ports/outbox/outbox.ts';
import { lockChannelsFor, setLast, type LockedForMessages } from '../channels/channel-turns.ts';
import type { ChannelAccess } from '../communities/access.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { accessesNow } from '../communities/hold-accesses.ts';
import { correctNonces } from '../nonces/claim-nonce.ts';
import type { UsedNonce } from '../nonces/used-nonce.ts';
import type { Draft } from './message-draft.ts';
import type { StoredMessage } from './stored-message.ts';
import { IdTooLow, type Turning } from './turn.ts';

/** A message that is to be written. */
export interface MessageWrite {
  readonly ctx: CommunityContext;
  readonly turning: Turning;
  readonly draft: Draft;
  /** An id that was drawn for it. */
  readonly id: Id;
}

/**
 * What was posted, or the id of what was posted before with the same nonce; `outdated` is what the author may do now, if the channel
 * or their membership has changed since it was read.
 */
export type Posted =
  | { readonly message: ChannelMessage }
  | { readonly earlier: Id }
  | { readonly outdated: ChannelAccess };

/** A message among those that are written together. */
export interface Entry extends MessageWrite {
  /** The place of its call. */
  readonly at: number;
}

/** A message in the order of its channel. */
export interface Placed extends Entry {
  readonly number: number;
  readonly message: StoredMessage;
}

/** Locks the channels, and gives each message its number, its id and its time. */
export async function takePlaces(
  tx: EmittingTransaction,
  entries: readonly Entry[],
  { ctx, nowMs }: { readonly ctx: CommunityContext; readonly nowMs: number },
): Promise<readonly Placed[]> {
  const byChannel = Map.groupBy(entries, ({ turning }) => turning.access.channel.id);
  const locked = await lockChannelsFor(
    tx,
    Array.from(byChannel, ([channelId, own]) => ({ channelId, ids: own.map(({ id }) => id) })),
    nowMs,
  );
  const isChanged = ({ turning: { access } }: Entry) =>
    locked.get(access.channel.id)?.version !== access.channel.version;
  await dropOutdated(tx, ctx, entries.filter(isChanged));
  const placed: Placed[] = [];
  for (const [channelId, own] of byChannel) {
    const channel = locked.get(channelId);
    if (channel === undefined) continue;
    const { number, writtenAtMs } = channel;
    const numbered = await withGreaterIds(tx, own, { ctx, channel, nowMs });
    for (const [place, entry] of numbered.entries()) {
      const message = messageOf(entry, writtenAtMs);
      placed.push({ ...entry, message, number: number - own.length + place + 1 });
    }
  }
  return placed;
}

/** Drops messages whose channel or author has changed, or was removed, with what their authors may do now. */
export async function dropOutdated(
  tx: EmittingTransaction,
  ctx: CommunityContext,
  entries: readonly Entry[],
): Promise<void> {
  const now = await accessesNow(
    tx,
    ctx,
    entries.map(({ turning }) => turning),
  );
  dropOut(
    entries.map(({ at, turning }): readonly [number, Outcome] => {
      const own = now.get(turning) ?? { error: new NotFoundError() };
      if ('error' in own) return [at, own];
      return [at, { result: { outdated: own.access } satisfies Posted }];
    }),
  );
}

/** The messages of a channel with ids that are greater than that of its newest message, as those that were drawn are nearly always. */
async function withGreaterIds(
  tx: EmittingTransaction,
  entries: readonly Entry[],
  {
    ctx: { ids },
    channel: { lastId },
    nowMs,
  }: {
    readonly ctx: CommunityContext;
    readonly channel: LockedForMessages;
    readonly nowMs: number;
  },
): Promise<readonly Entry[]> {
  const last = entries.at(-1);
  if (last === undefined || lastId === '' || lastId === last.id) return entries;
  let newest = lastId;
  const greater = entries.map((entry) => {
    const id = ids.afterNow(newest);
    if (id === undefined) throw new IdTooLow(lastId);
    newest = id;
    return { ...entry, id };
  });
  await setLast(tx, last.turning.access.channel.id, { messageId: newest, nowMs });
  const withNonce = greater.filter(({ draft }) => draft.nonce !== '');
  await correctNonces(
    tx,
    withNonce.map((entry) => nonceOf(entry, nowMs)),
  );
  return greater;
}

function messageOf({ id, turning, draft }: Entry, createdAtMs: number): StoredMessage {
  return {
    channelId: turning.access.channel.id,
    id,
    userId: draft.author.id,
    content: draft.content,
    createdAtMs,
    editedAtMs: 0,
    replyTo: draft.target?.id ?? '',
    mentions: draft.mentions,
    files: draft.files,
    reactions: [],
    isPinned: false,
    postId: '',
    isCard: false,
    version: 1,
  };
}

/** What an entry with a nonce uses. */
export function nonceOf({ id, turning, draft }: Entry, usedAtMs: number): UsedNonce {
  const { author, nonce } = draft;
  return { place: turning.access.channel.id, userId: author.id, nonce, resultId: id, usedAtMs };
}
