import { NotFoundError, type Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { dropOut, type EmittingTransaction, type Outcome } from '../../../ports/outbox/outbox.ts';
import {
  accessesNow,
  lockChannelsFor,
  setLast,
  type ChannelAccess,
  type LockedForMessages,
} from '../../communities/structure/structure.ts';
import {
  claimNonces,
  correctNonces,
  onceKey,
  type UsedNonce,
} from '../../platform/nonces/nonces.ts';
import type { KeepsUnsentNotifications } from '../notifications/notifications.ts';
import { withIdsAbove, type Turning } from '../places/places.ts';

// How messages and posts that are written together get their places in the order of their channels.

/** A message or a post that is to be written. */
export interface ChannelWrite {
  readonly ctx: Context & KeepsUnsentNotifications;
  readonly turning: Turning;
  readonly draft: { readonly author: { readonly id: Id }; readonly nonce: string };
  /** An id that was drawn for it. */
  readonly id: Id;
}

/**
 * The id of what was written before with the same nonce; `outdated` is what the author may do now, if the channel or their membership
 * has changed since it was read.
 */
export type NotWritten = { readonly earlier: Id } | { readonly outdated: ChannelAccess };

/** A message or post that is written together with others, and the place of its call. */
export type Entry<Write extends ChannelWrite = ChannelWrite> = Write & { readonly at: number };

/** A message or post with its place in the order of its channel: the number of its event, and its time. */
export type InOrder<Write extends ChannelWrite> = Entry<Write> & {
  readonly number: number;
  readonly writtenAtMs: number;
};

/** A key that the same message or post has again. */
export function keyOf({ turning, draft: { author, nonce } }: ChannelWrite, at: number): string {
  return onceKey({ place: turning.access.channel.id, userId: author.id, nonce }, at);
}

/** Claims nonces. It comes first, so that nothing else is done for what was written before, which drops out. */
export async function claim(
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
    withNonce.flatMap(({ at }, place) => {
      const id = earlier.get(place);
      if (id === undefined) return [];
      const result: NotWritten = { earlier: id };
      return [[at, { result }] as const];
    }),
  );
}

/** Locks the channels, and gives each entry its number, its id and its time. */
export async function takePlaces<Write extends ChannelWrite>(
  tx: EmittingTransaction,
  entries: readonly Entry<Write>[],
  { ctx, nowMs }: { readonly ctx: Pick<Context, 'ids' | 'clock'>; readonly nowMs: number },
): Promise<readonly InOrder<Write>[]> {
  const byChannel = Map.groupBy(entries, ({ turning }) => turning.access.channel.id);
  const locked = await lockChannelsFor(
    tx,
    Array.from(byChannel, ([channelId, own]) => ({ channelId, ids: own.map(({ id }) => id) })),
    nowMs,
  );
  const isChanged = ({ turning: { access } }: Entry) =>
    locked.get(access.channel.id)?.version !== access.channel.version;
  await dropOutdated(tx, ctx, entries.filter(isChanged));
  const placed: InOrder<Write>[] = [];
  for (const [channelId, own] of byChannel) {
    const channel = locked.get(channelId);
    if (channel === undefined) continue;
    const { number, writtenAtMs } = channel;
    const numbered = await aboveNewest(tx, own, { ctx, channel, nowMs });
    for (const [place, entry] of numbered.entries()) {
      placed.push({ ...entry, writtenAtMs, number: number - own.length + place + 1 });
    }
  }
  return placed;
}

/** Drops those whose channel or author has changed, or was removed, with what their authors may do now. */
export async function dropOutdated(
  tx: EmittingTransaction,
  ctx: Pick<Context, 'clock'>,
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
      return [at, { result: { outdated: own.access } satisfies NotWritten }];
    }),
  );
}

/** The entries of a channel with ids that are greater than that of its newest one, as those that were drawn are nearly always. */
async function aboveNewest<Write extends ChannelWrite>(
  tx: EmittingTransaction,
  entries: readonly Entry<Write>[],
  {
    ctx,
    channel: { lastId },
    nowMs,
  }: {
    readonly ctx: Pick<Context, 'ids'>;
    readonly channel: LockedForMessages;
    readonly nowMs: number;
  },
): Promise<readonly Entry<Write>[]> {
  if (lastId === '' || lastId === entries.at(-1)?.id) return entries;
  const greater = withIdsAbove(ctx, entries, [lastId]);
  const last = greater.at(-1);
  if (last === undefined) return greater;
  await setLast(tx, last.turning.access.channel.id, { messageId: last.id, nowMs });
  const withNonce = greater.filter(({ draft }) => draft.nonce !== '');
  await correctNonces(
    tx,
    withNonce.map((entry) => nonceOf(entry, nowMs)),
  );
  return greater;
}

/** The nonce that an entry uses. */
function nonceOf({ id, turning, draft }: Entry, usedAtMs: number): UsedNonce {
  const { author, nonce } = draft;
  return { place: turning.access.channel.id, userId: author.id, nonce, resultId: id, usedAtMs };
}
