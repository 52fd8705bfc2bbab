import { compareIds, NotFoundError, type Id, type StreamEvent } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import { andThen } from '../../../lib/and-then.ts';
import type { Context } from '../../../context.ts';
import type { Reader } from '../../../ports/database/database.ts';
import {
  DroppedOut,
  type Emitted,
  type EmittingTransaction,
  type Writing,
} from '../../../ports/outbox/outbox.ts';
import {
  accessIn,
  accessToChannel,
  areKnownRules,
  isUnchanged,
  readCommunity,
  readExclusion,
  readMember,
  selectHomes,
  streamOf,
  type AccessContext,
  type ChannelAccess,
  type KnownChannel,
} from '../../communities/structure/structure.ts';
import { noted } from './noted.ts';
import { lockTurn } from '../../platform/turns/turns.ts';
import type { Requirement } from './place-access.ts';

/** A place in the order of a channel, which is locked until the transaction ends. */
export interface Turn {
  readonly access: ChannelAccess;
  readonly number: number;
}

/** Who does what in which channel, as it was known before the transaction began. */
export interface Turning {
  readonly actor: Account;
  readonly access: ChannelAccess;
  readonly requires: Requirement;
}

/** How somebody waits for a channel. What moderators do to what others have written is urgent. */
export function waitingFor(
  { actor, access }: Pick<Turning, 'actor' | 'access'>,
  isUrgent = false,
): Writing {
  return { subjects: [access.channel.id], caller: actor.user_id, isUrgent };
}

/** The drawn id is not greater than the newest message's, and a greater one would have to be waited for. */
export class IdTooLow extends Error {
  readonly newest: Id;

  constructor(newest: Id) {
    super('no greater id is available at once');
    this.newest = newest;
  }
}

/**
 * Takes the next place in the order of a channel. The channel, and what the caller may do there, are then as the
 * transaction finds them, whatever this process remembered. Throws NotFoundError, and what `requires` throws.
 */
export async function takeTurn(
  tx: EmittingTransaction,
  ctx: Pick<Context, 'clock'>,
  turning: Turning,
): Promise<Turn> {
  const { channel } = turning.access;
  const locked = await lockTurn(tx, channel.id);
  if (locked === undefined) throw new NotFoundError();
  const { access } = turning;
  // The channel is locked, so nobody who ends or changes the membership is still waiting to do so. Who is no member has no row
  // that a ban would change.
  const isCurrent =
    locked.version === channel.version &&
    access.member !== undefined &&
    (await isUnchanged(tx, access.member));
  return {
    access: isCurrent ? access : await accessNow(tx.sql, ctx, turning),
    number: locked.number,
  };
}

/** Ends a call that has nothing to do: its transaction is rolled back, so that the place that it took in the channel is free. */
export function nothingToDo(result?: unknown): never {
  throw new DroppedOut(new Map([[0, { result }]]));
}

/** An id of a new message: the drawn one, or one that is greater than the newest message's. Throws IdTooLow. */
export function greaterId({ ids }: Pick<Context, 'ids'>, id: Id, lastId: Id | ''): Id {
  if (lastId === '' || compareIds(id, lastId) > 0) return id;
  const greater = ids.afterNow(lastId);
  if (greater === undefined) throw new IdTooLow(lastId);
  return greater;
}

/**
 * Entries whose ids exceed others, as those that were drawn nearly always do, and rise in their order. If greater ids would have to be
 * waited for, all of them drop out with IdTooLow.
 */
export function withIdsAbove<Entry extends { readonly id: Id; readonly at: number }>(
  { ids }: Pick<Context, 'ids'>,
  entries: readonly Entry[],
  others: Iterable<Id | ''>,
): readonly Entry[] {
  const [first] = entries;
  const newest = [...others]
    .flatMap((id) => id || [])
    .toSorted(compareIds)
    .at(-1);
  if (first === undefined || newest === undefined || compareIds(first.id, newest) > 0) {
    return entries;
  }
  let last = newest;
  return entries.map((entry) => {
    const id = ids.afterNow(last);
    if (id === undefined) {
      const error = new IdTooLow(newest);
      throw new DroppedOut(new Map(entries.map(({ at }) => [at, { error }])));
    }
    last = id;
    return { ...entry, id };
  });
}

/** A channel, and the number of one of its events. */
interface PlaceInChannel {
  readonly channel: KnownChannel;
  readonly number: number;
}

/** Sends those who see a channel an event at its place. */
export function emitIn(
  tx: EmittingTransaction,
  { access: { channel }, number }: Turn,
  event: StreamEvent,
): Promise<void> {
  return emitAt(tx, { channel, number }, event);
}

/** The same for a channel that was locked for nobody in particular. */
export function emitAt(
  tx: EmittingTransaction,
  place: PlaceInChannel,
  event: StreamEvent,
): Promise<void> {
  return tx.emitAll([emittedAt(place, event)]);
}

/** An event at its place. */
export function emittedAt({ channel, number }: PlaceInChannel, event: StreamEvent): Emitted {
  return [
    { stream: streamOf(channel), event: noted(event, channel.communityId) },
    { subject: channel.id, number },
  ];
}

/** Takes the next place in the order of a channel for nobody in particular; undefined if the channel was deleted. */
export async function channelNow(
  tx: EmittingTransaction,
  channelId: Id,
): Promise<{ readonly channel: KnownChannel; readonly number: number } | undefined> {
  const locked = await lockTurn(tx, channelId);
  const home = locked && (await selectHomes(tx.sql, [channelId])).get(channelId);
  const community = home && (await readCommunity(tx.sql, home));
  const channel = community?.channelById.get(channelId);
  return locked && channel && { channel, number: locked.number };
}

/** What somebody may do in a channel, as it is stored now. Throws NotFoundError, and what `requires` throws. */
export async function accessNow(
  sql: Reader,
  ctx: Pick<Context, 'clock'>,
  { actor, access: { channel }, requires }: Turning,
): Promise<ChannelAccess> {
  const { id: channelId, communityId } = channel;
  const userId = actor.user_id;
  const community = await readCommunity(sql, communityId);
  if (community === undefined) throw new NotFoundError();
  const member = await readMember(sql, communityId, userId);
  const key = { communityId, userId, nowMs: ctx.clock.unixMs() };
  const exclusion = member === undefined ? { exclusion: await readExclusion(sql, key) } : {};
  const now = accessIn(ctx, actor, { community, member, channelId, ...exclusion });
  if (now === undefined) throw new NotFoundError();
  requires(now);
  return now;
}

/**
 * What somebody may do in a channel, as a transaction finds it that locks nothing of the channel because it changes only what the
 * person notes for themselves. Throws NotFoundError, and what `requires` throws.
 */
export async function accessStill(
  tx: EmittingTransaction,
  ctx: Pick<Context, 'clock'>,
  turning: Turning,
): Promise<ChannelAccess> {
  const { access } = turning;
  const isCurrent =
    access.member !== undefined &&
    (await areKnownRules(tx, access.community.stored)) &&
    (await isUnchanged(tx, access.member));
  return isCurrent ? access : await accessNow(tx.sql, ctx, turning);
}

/** Who may do what in a channel now, as far as this process knows. Throws NotFoundError, and what `requires` throws. */
export function turningIn(
  ctx: AccessContext,
  actor: Account,
  { channelId, requires }: { readonly channelId: Id; readonly requires: Requirement },
): Turning | Promise<Turning> {
  return andThen(accessToChannel(ctx, actor, channelId), (access) => {
    requires(access);
    return { actor, access, requires };
  });
}
