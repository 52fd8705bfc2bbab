import {
  compareIds,
  digitOf,
  PERMISSIONS,
  type Id,
  type Overwrite,
  type Permission,
  type PermissionMask,
  type SightedCommunity,
} from '@hearth/protocol';
import { sql, type RawBuilder } from 'kysely';
import type { Reader } from '../../../ports/database/database.ts';
import type { StoredMember } from '../structure/structure.ts';

/** A channel that may be restricted, and its category. */
export interface StoredPlace {
  readonly id: Id;
  readonly communityId: Id;
  readonly categoryId: Id | '';
}

/** The rows that decide who follows which streams of some communities, all as they were at one moment. */
export interface StoredAudiences {
  readonly communities: readonly (SightedCommunity & { readonly id: Id })[];
  readonly roles: readonly {
    readonly communityId: Id;
    readonly id: Id;
    readonly permissions: PermissionMask<Permission>;
  }[];
  readonly places: readonly StoredPlace[];
  readonly overwrites: readonly (Overwrite & { readonly channelId: string })[];
  readonly members: readonly StoredMember[];
}

/** Rows of several tables in one shape: each has something of a community, and in some cases in something else. */
interface Row {
  readonly what: 'community' | 'role' | 'place' | 'overwrite' | 'member' | 'member_role';
  readonly community_id: Id;
  readonly id: Id;
  readonly other_id: Id | '';
  readonly subject_id: Id;
  readonly name: string;
  readonly allow: PermissionMask<Permission>;
  readonly deny: PermissionMask<Permission>;
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/**
 * Reads in one statement, so that everything is as it was at one moment, on every engine: all communities of the users, or,
 * if `communities` is given, these and who of the users is a member there. Each part is found from the communities with an
 * index; a condition on other tables would be tried on all channels of the instance.
 */
export async function selectAudiences(
  db: Reader,
  { users, communities }: { readonly users: readonly Id[]; readonly communities?: readonly Id[] },
): Promise<StoredAudiences> {
  const among = users.length === 0 ? sql`('')` : listOf(users);
  const asked =
    communities === undefined
      ? sql`select distinct community_id as id from members where user_id in ${among}`
      : sql`select id from communities where id in ${listOf(communities)}`;
  const { rows } = await sql<Row>`
    with asked as materialized (${asked})
    select 'community' as what, id as community_id, owner_id as id, '' as other_id, '' as subject_id, visibility as name,
        '' as allow, '' as deny, deleted_at_ms as x, 0 as y, 0 as z
      from communities where id in (select id from asked)
    union all
    select 'role', community_id, id, '', '', '', permissions, '', 0, 0, 0
      from roles where community_id in (select id from asked)
    union all
    select 'place', community_id, id, category_id, '', '', '', '', 0, 0, 0
      from channels
      where community_id in (select id from asked) and deleted_at_ms = 0 and category_id <> ''
    union all
    select 'place', community_id, id, category_id, '', '', '', '', 0, 0, 0
      from channels
      where deleted_at_ms = 0 and community_id in (
        select id from roles
        where id in (select id from asked) and not ${allowsView()}
      )
    union all
    select 'overwrite', community_id, id, category_id, subject_id, channel_overwrites.kind, allow, deny, 0, 0, 0
      from channels inner join channel_overwrites on channel_id = id
      where community_id in (select id from asked) and deleted_at_ms = 0
    union all
    select 'member', community_id, user_id, '', '', nickname, '', '', joined_at_ms, timed_out_until_ms, version
      from members where user_id in ${among} and community_id in (select id from asked)
    union all
    select 'member_role', community_id, user_id, role_id, '', '', '', '', 0, 0, 0
      from member_roles where user_id in ${among} and community_id in (select id from asked)
  `.execute(db);
  return audiencesOf(rows);
}

function listOf(ids: readonly Id[]): RawBuilder<unknown> {
  return sql`(${sql.join(ids)})`;
}

/** A condition on a role: its permissions have VIEW. */
function allowsView(): RawBuilder<unknown> {
  const { place, values } = digitOf(PERMISSIONS, 'VIEW');
  const digits = sql.join(values.map((value) => sql.lit(value)));
  return sql`(substr(permissions, ${sql.lit(place)}, 1) in (${digits}))`;
}

function audiencesOf(rows: readonly Row[]): StoredAudiences {
  const by = Map.groupBy(rows, ({ what }) => what);
  const keyOf = (row: Row) => `${row.community_id} ${row.id}`;
  const roleIds = Map.groupBy(by.get('member_role') ?? [], keyOf);
  return {
    communities: (by.get('community') ?? []).map((row) => ({
      id: row.community_id,
      owner_id: row.id,
      // Guarantee: only visibilities are stored there.
      visibility: row.name as SightedCommunity['visibility'],
      is_deleted: row.x > 0,
    })),
    roles: (by.get('role') ?? []).map((row) => ({
      communityId: row.community_id,
      id: row.id,
      permissions: row.allow,
    })),
    places: placesOf([...(by.get('place') ?? []), ...(by.get('overwrite') ?? [])]),
    overwrites: (by.get('overwrite') ?? []).map((row) => ({
      channelId: row.id,
      kind: row.name === 'role' ? 'role' : 'member',
      id: row.subject_id,
      allow: row.allow,
      deny: row.deny,
    })),
    members: (by.get('member') ?? []).map((row) => ({
      communityId: row.community_id,
      userId: row.id,
      nickname: row.name,
      roleIds: (roleIds.get(keyOf(row)) ?? [])
        .flatMap(({ other_id: id }) => (id === '' ? [] : [id]))
        .toSorted(compareIds),
      joinedAtMs: row.x,
      timedOutUntilMs: row.y,
      version: row.z,
    })),
  };
}

/** Each place once: other channels are seen by everyone who sees their community, so nothing of them has to be read. */
function placesOf(rows: readonly Row[]): readonly StoredPlace[] {
  const places = rows.map((row): [string, StoredPlace] => [
    row.id,
    { communityId: row.community_id, id: row.id, categoryId: row.other_id },
  ]);
  return [...new Map(places).values()];
}
