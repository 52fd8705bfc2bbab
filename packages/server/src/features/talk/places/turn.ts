import { compareIds, NotFoundError, type Id, type StreamEvent } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import {
  DroppedOut,
  type EmittingTransaction,
  type Writing,
} from '../../../ports/outbox/outbox.ts';
import type { KeepsChannelHomes } from '../../communities/structure/structure.ts';
import { lockTurn } from '../../platform/turns/turns.ts';
import { CHANNELS } from './channels.ts';
import {
  emittedAt,
  isUnguarded,
  type HasPlaces,
  type PlaceAccess,
  type PlaceInOrder,
  type Turning,
} from './place.ts';

/** A place in the order of events, which is locked until the transaction ends. */
export interface Turn<Found extends PlaceAccess = PlaceAccess> {
  readonly access: Found;
  readonly number: number;
}

/** Returns how somebody waits for a place. What moderators do to what others have written is urgent. */
export function waitingFor(
  { actor, access }: Pick<Turning, 'actor' | 'access'>,
  isUrgent = false,
): Writing {
  return { subjects: [access.place.id], caller: actor.user_id, isUrgent };
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
 * Takes the next turn in a place. The place, and what the caller may do there, are then as the transaction finds them, whatever this
 * process remembered. Throws NotFoundError, and what `requires` throws.
 */
export async function takeTurn<Found extends PlaceAccess>(
  tx: EmittingTransaction,
  ctx: Pick<Context, 'clock'>,
  turning: Turning<Found>,
): Promise<Turn<Found>> {
  const { access } = turning;
  const locked = await lockTurn(tx, access.place.id);
  if (locked === undefined) throw new NotFoundError();
  const { number } = locked;
  // The place is locked, so nobody who ends or changes the membership is still waiting to do so. Who is no member has no row
  // that a ban would change.
  const isCurrent =
    locked.version === access.place.version &&
    access.guard !== undefined &&
    !(await isUnguarded(tx, access.guard));
  if (isCurrent) return { access, number };
  const now = (await access.of.now(tx, ctx, [turning])).get(turning) ?? {
    error: new NotFoundError(),
  };
  if ('error' in now) throw now.error;
  // Guarantee: a kind finds its own places.
  return { access: now.access as Found, number };
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

/** Sends those who see a place an event in its turn. */
export function emitIn(
  tx: EmittingTransaction,
  { access: { place }, number }: Turn,
  event: StreamEvent,
): Promise<void> {
  return emitAt(tx, { place, number }, event);
}

/** Sends people who see a place an event, if it was locked for nobody in particular. */
export function emitAt(
  tx: EmittingTransaction,
  place: PlaceInOrder,
  event: StreamEvent,
): Promise<void> {
  return tx.emitAll([emittedAt(place, event)]);
}

/** Takes the next turn in a place for nobody in particular; undefined if the place was deleted. */
export async function placeNow(
  tx: EmittingTransaction,
  ctx: HasPlaces & KeepsChannelHomes,
  id: Id,
): Promise<PlaceInOrder | undefined> {
  const locked = await lockTurn(tx, id);
  if (locked === undefined) return undefined;
  for (const kind of ctx.places) {
    const place = await kind.read(tx, ctx, id);
    if (place !== undefined) return { place, number: locked.number };
  }
  return undefined;
}

/** Takes the next turn in a channel for nobody in particular; undefined if the channel was deleted. */
export function channelNow(
  tx: EmittingTransaction,
  { channelHomes }: KeepsChannelHomes,
  id: Id,
): Promise<PlaceInOrder | undefined> {
  return placeNow(tx, { places: [CHANNELS], channelHomes }, id);
}
