import type { Id } from '@hearth/protocol';
import type { SeatPlan } from '../../../gateway-host.ts';
import type { StreamName } from '../../../ports/bus/bus.ts';
import type { Change, ChangeKind, Database } from '../../../ports/database/database.ts';
import type { StoredMember } from '../structure/structure.ts';

/** The streams that users are to follow, as they were at one moment. */
export interface Followed {
  /** The seats of each of the users; homes of which they follow nothing are left out. */
  readonly seats: ReadonlyMap<Id, readonly SeatPlan[]>;
  /** All streams of each home but its own. */
  readonly streams: ReadonlyMap<StreamName, readonly StreamName[]>;
  /** Homes that anyone may visit. */
  readonly open: ReadonlySet<StreamName>;
  /** The memberships of each of the users. */
  readonly members: ReadonlyMap<Id, readonly StoredMember[]>;
}

/** Whose streams are looked for: those of all homes of the users unless some are given. */
export interface FollowedBy {
  readonly users: readonly Id[];
  readonly homes?: readonly StreamName[];
}

/** A kind of what people follow as a whole, such as communities. The stream of each has its id, and is the home of its other streams. */
export interface FollowedKind {
  /** The beginning of the names of these streams. */
  readonly prefix: string;
  /**
   * The change that the database reports of one, by its id, and that of what somebody follows of it, by its id and
   * theirs.
   */
  readonly changes: { readonly whole: ChangeKind; readonly part: ChangeKind };
  /** Reads what the users are to follow: of these if ids are given. Everything is as it was at one moment. */
  read(
    ctx: { readonly database: Pick<Database, 'reader'> },
    asked: { readonly users: readonly Id[]; readonly ids?: readonly Id[] },
  ): Promise<Pick<Followed, 'seats'> & Partial<Followed>>;
}

/** Reads what users are to follow of all kinds. */
export async function readFollowed(
  ctx: { readonly database: Pick<Database, 'reader'> },
  kinds: readonly FollowedKind[],
  { users, homes }: FollowedBy,
): Promise<Followed> {
  const all = await Promise.all(
    kinds.map(async (kind) => {
      const own = homes?.filter((home) => home.startsWith(kind.prefix));
      if (own?.length === 0) return { seats: new Map<Id, readonly SeatPlan[]>() };
      // Guarantee: an id follows the prefix.
      const ids = own?.map((home) => home.slice(kind.prefix.length) as Id);
      return await kind.read(ctx, { users, ...(ids && { ids }) });
    }),
  );
  const seatsOf = (user: Id) => all.flatMap(({ seats }) => seats.get(user) ?? []);
  return {
    seats: new Map(users.map((user) => [user, seatsOf(user)])),
    streams: new Map(all.flatMap(({ streams }) => [...(streams ?? [])])),
    open: new Set(all.flatMap(({ open }) => [...(open ?? [])])),
    members: new Map(all.flatMap(({ members }) => [...(members ?? [])])),
  };
}

/**
 * Returns what a change is about: a home, or what somebody follows of it; undefined if it has nothing to do with
 * streams.
 */
export function changedIn(
  kinds: readonly Pick<FollowedKind, 'prefix' | 'changes'>[],
  { kind, id }: Change,
): { readonly home: StreamName; readonly user?: Id } | undefined {
  for (const { prefix, changes } of kinds) {
    if (kind === changes.whole) return { home: `${prefix}${id}` };
    if (kind !== changes.part) continue;
    const [whole = '', user = ''] = id.split(' ');
    // Guarantee: only ids are reported.
    return { home: `${prefix}${whole}`, user: user as Id };
  }
  return undefined;
}
