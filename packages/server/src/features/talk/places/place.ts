import {
  ForbiddenError,
  hasPermission,
  NotFoundError,
  PERMISSIONS,
  ValidationError,
  type Id,
  type Permission,
  type StreamEvent,
} from '@hearth/protocol';
import type { Account, Actor } from '../../../actor.ts';
import { andThen, attempt } from '../../../lib/and-then.ts';
import type { Context } from '../../../context.ts';
import type { StreamName } from '../../../ports/bus/bus.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import type { Emitted } from '../../../ports/outbox/outbox.ts';
import {
  requireIn,
  type Access,
  type AccessContext,
  type ChannelAccess,
  type KeepsChannelHomes,
  type KeepsCommunities,
  type KeepsMembers,
  type StoredMember,
} from '../../communities/structure/structure.ts';
import type { FollowedKind } from '../../communities/audiences/audiences.ts';
import { noted } from './noted.ts';

/** Somewhere something is said, as it was known at one moment. Clients call its id `channel_id`. */
export interface Place {
  readonly id: Id;
  /** Carries its events. */
  readonly stream: StreamName;
  /** Empty outside of communities. */
  readonly communityId: Id | '';
  readonly kind: ChannelAccess['channel']['kind'];
  readonly slowModeSeconds: number;
  /** Grows with every change of what is remembered of the place. */
  readonly version: number;
  /** True if it is only there to be restored. */
  readonly isDeleted: boolean;
}

/**
 * A row that says that somebody may write in a place, and its version, which changes with what they may do. A statement joins it to
 * `given`, whose columns `guard_place_id`, `guard_user_id` and `guard_version` name it, and writes nothing for those who have none.
 */
export interface Guard {
  readonly join: string;
  readonly placeId: Id;
  readonly userId: Id;
  readonly version: number;
}

/** Somebody in a place that they see, as it was known at one moment. */
export interface PlaceAccess extends Pick<Access, 'permissions' | 'timedOutUntilMs'> {
  readonly place: Place;
  readonly of: PlaceKind;
  /** Undefined for those who do not belong there. */
  readonly guard: Guard | undefined;
}

/** The part of a place that its events need. */
export type PlaceOfEvents = Pick<Place, 'id' | 'stream' | 'communityId'>;

/** Throws what is wrong if somebody may not do something in a place. */
export type Requirement<Found = PlaceAccess> = (access: Found) => void;

/** An actor and a place, as they were known before the transaction began, and what is required. */
export interface Turning<Found extends PlaceAccess = PlaceAccess> {
  readonly actor: Account;
  readonly access: Found;
  requires(access: Found): void;
}

/** The access of somebody to a place by now, or the reason why there is none. */
export type AccessNow = { readonly access: PlaceAccess } | { readonly error: unknown };

export interface PlacesContext extends AccessContext, HasPlaces {}

/** Somebody who reads in a place. */
export interface PlaceReader {
  /** A message has to mention one of them to mention the reader. */
  readonly subjects: readonly Id[];
  /** The moment before which everything counts as read, Unix milliseconds. */
  readonly sinceMs: number;
}

/** People whose places are looked for. */
export interface PeopleRead {
  readonly userIds: readonly Id[];
  /** Their memberships, if these were read already. */
  readonly members?: readonly StoredMember[];
}

/** The places that somebody has. */
export interface OwnPlaces {
  /** The communities that they follow as a member. */
  readonly communityIds: readonly Id[];
  /** A message has to mention one of them to mention the person in one of the places. */
  readonly subjects: readonly Id[];
  /** The person as a reader of a place, found sooner if its community is known; undefined if they do not have it. */
  readerIn(place: {
    readonly channelId: Id;
    readonly communityId?: Id | '' | undefined;
  }): PlaceReader | undefined;
}

/** Something in a place that is about to be shown to somebody. */
export interface ShownTo {
  readonly userId: Id;
  readonly communityId: Id | '';
  readonly channelId: Id;
}

/** One kind of places, such as the channels of communities. */
export interface PlaceKind {
  /** The streams of its places that people follow; absent if they are streams that everyone follows. */
  readonly followed?: FollowedKind;
  /** True if what names people, or replies to theirs, becomes a notification of theirs. */
  readonly notifies: boolean;
  /** Reports whether the id can be that of a place of this kind. */
  mayHave(id: Id): boolean;
  /** A place for somebody who sees it. Throws NotFoundError otherwise, also for places of other kinds. */
  find(ctx: AccessContext, actor: Actor, id: Id): PlaceAccess | Promise<PlaceAccess>;
  /** Reads what people may do, as a transaction finds it. */
  now(
    tx: Transaction,
    ctx: Pick<Context, 'clock'>,
    all: readonly Turning[],
  ): Promise<ReadonlyMap<Turning, AccessNow>>;
  /**
   * Reads what somebody may do, in a transaction that locks nothing of the place. Throws NotFoundError, and what is
   * required.
   */
  still(tx: Transaction, ctx: Pick<Context, 'clock'>, turning: Turning): Promise<void>;
  /** Somebody who belongs to a place, as a reader. */
  readerOf(access: PlaceAccess): PlaceReader | undefined;
  /** Returns the people of these who see a place. */
  seeing(
    findMember: KeepsMembers['members']['get'],
    access: PlaceAccess,
    userIds: readonly Id[],
  ): Promise<ReadonlySet<Id>>;
  /** The places that people have, whose marks and settings READY lists. */
  own(
    ctx: Pick<Context, 'database'> & KeepsCommunities,
    people: PeopleRead,
  ): Promise<(userId: Id) => OwnPlaces>;
  /**
   * Returns the things of these that are in places of this kind which their people see, as far as this process knows.
   */
  visible<Thing extends ShownTo>(
    ctx: Pick<Context, 'database'> & KeepsCommunities & KeepsMembers,
    things: readonly Thing[],
  ): Promise<readonly Thing[]>;
  /** A place as a transaction finds it; undefined if there is no such place of this kind. */
  read(tx: Transaction, ctx: KeepsChannelHomes, id: Id): Promise<PlaceOfEvents | undefined>;
}

/** The kinds of places that there are. */
export interface HasPlaces {
  readonly places: readonly PlaceKind[];
}

/** A place for somebody who sees it; at once if all is remembered. Throws NotFoundError if they may not know that it exists. */
export function findPlace(
  ctx: PlacesContext,
  actor: Actor,
  id: Id,
): PlaceAccess | Promise<PlaceAccess> {
  return findFrom(ctx, actor, { id, at: 0 });
}

/** A place for somebody who belongs there. Throws NotFoundError also for a category, and ForbiddenError if they do not belong there. */
export async function findOwnPlace(
  ctx: PlacesContext,
  actor: Account,
  id: Id,
): Promise<{ readonly access: PlaceAccess; readonly reader: PlaceReader }> {
  const access = await findPlace(ctx, actor, id);
  if (access.place.kind === 'category') throw new NotFoundError();
  const reader = access.of.readerOf(access);
  if (reader === undefined) throw new ForbiddenError({ code: 'not_member' });
  return { access, reader };
}

/** The places of all kinds that people have. */
export async function ownPlaces(
  ctx: Pick<Context, 'database'> & KeepsCommunities & HasPlaces,
  people: PeopleRead,
): Promise<(userId: Id) => OwnPlaces> {
  const kinds = await Promise.all(ctx.places.map((kind) => kind.own(ctx, people)));
  return (userId) => {
    const all = kinds.map((ownOf) => ownOf(userId));
    return {
      communityIds: all.flatMap(({ communityIds }) => communityIds),
      subjects: [...new Set(all.flatMap(({ subjects }) => subjects))],
      readerIn: (place) =>
        all.map((own) => own.readerIn(place)).find((reader) => reader !== undefined),
    };
  };
}

/** Returns the things of these that are in places which their people see, as far as this process knows. */
export async function visibleThings<Thing extends ShownTo>(
  ctx: Pick<Context, 'database'> & KeepsCommunities & KeepsMembers & HasPlaces,
  things: readonly Thing[],
): Promise<ReadonlySet<Thing>> {
  const found = await Promise.all(ctx.places.map((kind) => kind.visible(ctx, things)));
  return new Set(found.flat());
}

/** Asks the kinds from one on. */
function findFrom(
  ctx: PlacesContext,
  actor: Actor,
  { id, at }: { readonly id: Id; readonly at: number },
): PlaceAccess | Promise<PlaceAccess> {
  const kind = ctx.places[at];
  if (kind === undefined) throw new NotFoundError();
  if (!kind.mayHave(id)) return findFrom(ctx, actor, { id, at: at + 1 });
  // Nobody is left to ask, so the answer of the last one holds.
  if (at === ctx.places.length - 1) return kind.find(ctx, actor, id);
  return attempt(
    () => kind.find(ctx, actor, id),
    (error) => {
      if (error instanceof NotFoundError) return findFrom(ctx, actor, { id, at: at + 1 });
      throw error;
    },
  );
}

/**
 * Reads who may do what in a place now, as far as this process knows. Throws NotFoundError, and what `requires` throws.
 */
export function turningIn(
  ctx: PlacesContext,
  actor: Account,
  { placeId, requires }: { readonly placeId: Id; readonly requires: Requirement },
): Turning | Promise<Turning> {
  return andThen(findPlace(ctx, actor, placeId), (access) => {
    requires(access);
    return { actor, access, requires };
  });
}

/** Returns whether somebody has a permission in a place. */
export function may({ permissions }: Pick<Access, 'permissions'>, permission: Permission): boolean {
  return hasPermission(PERMISSIONS, permissions, permission);
}

/** The guard of somebody who belongs to a place. Throws ForbiddenError for others, and NotFoundError if the place was deleted. */
export function requireGuard({ guard, place }: Pick<PlaceAccess, 'guard' | 'place'>): Guard {
  if (place.isDeleted) throw new NotFoundError();
  if (guard === undefined) throw new ForbiddenError({ code: 'not_member' });
  return guard;
}

/** Throws ValidationError if a place holds no messages. */
export function requireMessages({
  place: { kind },
}: {
  readonly place: Pick<Place, 'kind'>;
}): void {
  if (kind === 'messages' || kind === 'announcements') return;
  throw new ValidationError(
    'kind',
    `must be a channel with messages, and this one is of the kind ${kind}`,
  );
}

/**
 * Requires what it takes to write in a place: to belong there and SEND_MESSAGES, and MANAGE_CONTENT where only
 * announcements are made. Throws ValidationError if it holds no messages, and ForbiddenError.
 */
export function requireWriting({ clock }: Pick<Context, 'clock'>): Requirement {
  const requires = requireToDo({ clock }, 'SEND_MESSAGES');
  return (access) => {
    requires(access);
    if (access.place.kind === 'announcements') requireIn(access, 'MANAGE_CONTENT', clock.unixMs());
  };
}

/** Requires somebody to belong to a place with messages, and a permission there. Throws ValidationError and ForbiddenError. */
export function requireToDo(
  { clock }: Pick<Context, 'clock'>,
  permission: Permission,
): Requirement {
  return (access) => {
    requireMessages(access);
    requireGuard(access);
    requireIn(access, permission, clock.unixMs());
  };
}

/** Resolves with whether a guard is still as it was, in a transaction. */
export async function isUnguarded(tx: Transaction, guard: Guard): Promise<boolean> {
  const found = await tx.many({
    text: `select given.guard_user_id from given ${guard.join}`,
    columns: GUARDED,
    rows: [[guard.placeId, guard.userId, guard.version]],
  });
  return found.length === 0;
}

/** The columns of `given` that name guards. */
export const GUARDED = {
  guard_place_id: 'text',
  guard_user_id: 'text',
  guard_version: 'bigint',
} as const;

/** A place, and the number of one of its events. */
export interface PlaceInOrder {
  readonly place: PlaceOfEvents;
  readonly number: number;
}

/** An event in its turn. */
export function emittedAt(
  { place: { id, stream, communityId }, number }: PlaceInOrder,
  event: StreamEvent,
): Emitted {
  return [
    { stream, event: noted(event, communityId) },
    { subject: id, number },
  ];
}
