import type { Id } from '@hearth/protocol';
import type { Reader } from '../../../ports/database/database.ts';
import { evenly, readRows } from '../../../ports/database/read-rows.ts';
import type { StoredMember } from './member-store.ts';
import type { StoredCommunity } from './community-store.ts';

/** Something that a path or a body names, which is in a community or is one. */
export interface NamedPlace {
  readonly kind: 'community' | 'channel' | 'post' | 'comment';
  readonly id: Id;
}

/**
 * The place of something, and what shows if that which is remembered of its community and of somebody there is still
 * true.
 */
export interface Standing {
  /** Empty for a community. */
  readonly channelId: Id | '';
  readonly community: Pick<
    StoredCommunity,
    'id' | 'visibility' | 'ownerId' | 'deletedAtMs' | 'version' | 'structureVersion'
  >;
  /** Undefined for somebody who is not a member. */
  readonly member: Pick<StoredMember, 'version' | 'joinedAtMs'> | undefined;
}

const COLUMNS = `g.id, g.visibility, g.owner_id, g.deleted_at_ms, g.version, g.structure_version, m.version as member_version,
  m.joined_at_ms`;
const OF_CHANNEL = 'left join communities g on g.id = c.community_id';
const OF_MEMBER = 'left join members m on m.community_id = g.id and m.user_id = o.user_id';

// One row each, also for what does not exist.
const SELECT: Readonly<Record<NamedPlace['kind'], string>> = {
  community: `select '' as channel_id, o.place_id, o.user_id, ${COLUMNS} from given o
    left join communities g on g.id = o.place_id ${OF_MEMBER}`,
  channel: `select c.id as channel_id, o.place_id, o.user_id, ${COLUMNS} from given o
    left join channels c on c.id = o.place_id ${OF_CHANNEL} ${OF_MEMBER}`,
  post: `select c.id as channel_id, o.place_id, o.user_id, ${COLUMNS} from given o left join posts p on p.id = o.place_id
    left join channels c on c.id = p.channel_id ${OF_CHANNEL} ${OF_MEMBER}`,
  comment: `select c.id as channel_id, o.place_id, o.user_id, ${COLUMNS} from given o left join comments p on p.id = o.place_id
    left join channels c on c.id = p.channel_id ${OF_CHANNEL} ${OF_MEMBER}`,
};

/** A place, and somebody whose standing there is asked for. */
export interface Placed {
  readonly named: NamedPlace;
  readonly userId: Id | undefined;
}

/**
 * Reads where things of one kind are and who somebody is there, by one statement, which returns as much for what does
 * not exist. In the same order.
 */
export async function selectStandings(
  db: Reader,
  kind: NamedPlace['kind'],
  placed: readonly Placed[],
): Promise<readonly (Standing | undefined)[]> {
  const asked = placed.map(({ named: { id }, userId }): [place: string, userId: string] => [
    id,
    userId ?? '',
  ]);
  const values = evenly(asked);
  const places = values.map((_, at) => `($${2 * at + 1},$${2 * at + 2})`).join();
  const rows = await readRows<StandingRow>(db, {
    text: `with given (place_id, user_id) as (values ${places}) ${SELECT[kind]}`,
    values: values.flat(),
  });
  const byPlace = new Map(rows.map((row) => [`${row.place_id} ${row.user_id}`, row]));
  return asked.map(([place, userId]) => standingOf(byPlace.get(`${place} ${userId}`)));
}

function standingOf(row: StandingRow | undefined): Standing | undefined {
  if (row === undefined || row.id === null) return undefined;
  return {
    channelId: row.channel_id,
    community: {
      id: row.id,
      visibility: row.visibility,
      ownerId: row.owner_id,
      deletedAtMs: row.deleted_at_ms,
      version: row.version,
      structureVersion: row.structure_version,
    },
    member:
      row.member_version === null
        ? undefined
        : { version: row.member_version, joinedAtMs: row.joined_at_ms ?? 0 },
  };
}

interface StandingRow {
  readonly place_id: Id;
  readonly user_id: Id;
  readonly channel_id: Id | '';
  /** Null if there is nothing, like all that follow. */
  readonly id: Id | null;
  readonly visibility: StoredCommunity['visibility'];
  readonly owner_id: Id;
  readonly deleted_at_ms: number;
  readonly version: number;
  readonly structure_version: number;
  /** Null for somebody who is not a member, like `joined_at_ms`. */
  readonly member_version: number | null;
  readonly joined_at_ms: number | null;
}
