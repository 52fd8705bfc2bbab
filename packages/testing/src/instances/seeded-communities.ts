import { formatId, NEW_EVERYONE_PERMISSIONS, type Id } from '@hearth/protocol';
import { sql } from 'kysely';
import { join } from 'node:path';
import type { Database, Writer } from '../../../server/src/ports/database/database.ts';
import { sqliteDatabase } from '../../../server/src/engines/databases.ts';
import { sortable } from '../../../server/src/ports/database/sortable-id.ts';
import { recordedName } from '../../../server/src/ports/database/migration.ts';
import { MIGRATIONS } from '../../../server/src/schema.ts';
import { addUsers } from './many-users.ts';
import { seedSearchedPosts } from './searched-posts.ts';
import { seedPosts } from './seeded-posts.ts';
import { NEW_CHANNEL_ROW, NEW_TURN_ROW } from './new-channel-row.ts';

/** The names of the migrations of what is written. */
export const SEEDED_MIGRATIONS: readonly string[] = Object.keys(MIGRATIONS).map(recordedName);

/** Data to write: communities with a channel each, to a database that has enough users. */
export interface Seed {
  readonly communities: number;
  /** In each community; nobody is a member of two. The first one is its owner. */
  readonly members: number;
  /** In each channel. */
  readonly messages: number;
  /** In a channel of their own in each community, all of which the first user is a member of. */
  readonly posts?: number;
  /** Posts and comments together, in a channel that is indexed for the search. In the first community only. */
  readonly searched?: number;
}

/** A community that was written. */
export interface SeededCommunity {
  readonly id: Id;
  readonly channel: Id;
}

const AT_ONCE = 500;
const NOW_MS = 1_795_000_000_000;
/** Messages are numbered from here, so that their ids have the same length. */
const FIRST_NUMBER = 100_000_000;
const DIGITS = 1_000_000_000n;

const idOf = (seconds: number, sequence: number) => formatId({ seconds, instanceId: 1, sequence });

/** The id of a user that `addUsers` has added. */
const userAt = (number: number) => idOf(1, number);

/** Writes communities in bulk, in the same way on every engine. */
export async function seedCommunities(
  database: Pick<Database, 'transaction'>,
  { communities, members, messages }: Seed,
): Promise<readonly SeededCommunity[]> {
  const all = Array.from({ length: communities }, (_, at) => ({
    at,
    id: idOf(3, at),
    channel: idOf(4, at),
    owner: userAt(at * members),
  }));
  await database.transaction(async ({ sql: db }) => {
    for (let first = 0; first < communities; first += AT_ONCE) {
      await insertCommunities(db, all.slice(first, first + AT_ONCE), { members, messages });
    }
    for (let first = 0; first < communities * members; first += AT_ONCE) {
      const length = Math.min(AT_ONCE, communities * members - first);
      const numbers = Array.from({ length }, (_, at) => first + at);
      await insertMembers(
        db,
        numbers.map((number) => ({ number, communityId: idOf(3, Math.floor(number / members)) })),
      );
    }
    for (const { channel, owner } of messages > 0 ? all : []) {
      await insertMessages(db, { channel, owner, messages });
    }
  });
  return all.map(({ id, channel }) => ({ id, channel }));
}

/** Makes more users members of a community that was written, by their numbers. */
export async function addSeededMembers(
  database: Pick<Database, 'transaction'>,
  { id }: Pick<SeededCommunity, 'id'>,
  numbers: readonly number[],
): Promise<void> {
  await database.transaction(async ({ sql: db }) => {
    for (let first = 0; first < numbers.length; first += AT_ONCE) {
      const some = numbers.slice(first, first + AT_ONCE);
      await insertMembers(
        db,
        some.map((number) => ({ number, communityId: id })),
      );
    }
    await db
      .updateTable('communities')
      .set((e) => ({ member_count: e('member_count', '+', numbers.length) }))
      .where('id', '=', id)
      .execute();
  });
}

/** Writes users and communities into a new database in a folder. Returns a token of each user, too. */
export async function writeSeed(folder: string, seed: Seed) {
  await using database = await sqliteDatabase(join(folder, 'hearth.sqlite'));
  const tokens = await addUsers(database, seed.communities * seed.members);
  const communities = await seedCommunities(database, seed);
  const { posts = 0, searched = 0 } = seed;
  if (posts > 0) await seedPosts(database, communities, { user: userAt(0), posts });
  const [first] = communities;
  if (searched > 0 && first !== undefined) {
    const users = Array.from({ length: seed.members }, (_, at) => userAt(at));
    await seedSearchedPosts(database, { community: first.id, users, rows: searched });
  }
  return { tokens, communities };
}

/** The id of a message that was written. */
export function seededMessage(number: number): Id {
  // Guarantee: made of digits.
  return `${messagePrefix()}${FIRST_NUMBER + number}` as Id;
}

interface Row extends SeededCommunity {
  readonly at: number;
  readonly owner: Id;
}

async function insertCommunities(
  db: Writer,
  rows: readonly Row[],
  { members, messages }: Pick<Seed, 'members' | 'messages'>,
): Promise<void> {
  const slug = ({ at }: Row) => `seeded-${at}`;
  await db
    .insertInto('communities')
    .values(
      rows.map((row) => ({
        ...{ id: row.id, slug: slug(row), name: `Seeded ${row.at}`, description: '' },
        ...{ icon: '', banner: '', rules: '', kind: 'both' as const, languages: '[]', tags: '[]' },
        ...{ visibility: 'private' as const, join_mode: 'invite' as const, sensitive: 0 },
        ...{ owner_id: row.owner, member_count: members, created_at_ms: NOW_MS },
        ...{ active_at_ms: NOW_MS, deleted_at_ms: 0, version: 1, structure_version: 1 },
      })),
    )
    .execute();
  await db
    .insertInto('community_slugs')
    .values(rows.map((row) => ({ slug: slug(row), community_id: row.id, free_at_ms: 0 })))
    .execute();
  await db
    .insertInto('roles')
    .values(
      rows.map(({ id }) => ({
        ...{ id, community_id: id, name: 'everyone', colour: '', hoisted: 0, mentionable: 0 },
        ...{ self_assignable: 0, position: 0, version: 1, deleted: 0 },
        permissions: NEW_EVERYONE_PERMISSIONS,
      })),
    )
    .execute();
  const last: Id | '' = messages === 0 ? '' : seededMessage(messages);
  await db
    .insertInto('channels')
    .values(
      rows.map(({ id, channel }) => ({
        ...NEW_CHANNEL_ROW,
        ...{ id: channel, community_id: id, kind: 'messages' as const, name: 'general' },
      })),
    )
    .execute();
  const turn = { ...NEW_TURN_ROW, last_id: last, number: messages };
  await db
    .insertInto('turns')
    .values(rows.map(({ channel: id }) => ({ ...turn, id })))
    .execute();
}

async function insertMembers(
  db: Writer,
  rows: readonly { readonly number: number; readonly communityId: Id }[],
): Promise<void> {
  const member = { nickname: '', joined_at_ms: NOW_MS, timed_out_until_ms: 0, version: 1 };
  await db
    .insertInto('members')
    .values(
      rows.map(({ number, communityId }) => ({
        ...member,
        community_id: communityId,
        user_id: userAt(number),
      })),
    )
    .execute();
  await db
    .insertInto('member_names')
    .values(
      rows.map(({ number, communityId }) => ({
        ...{ community_id: communityId, user_id: userAt(number) },
        ...{ name: `user ${number}`, shown: 1 },
      })),
    )
    .execute();
}

// One statement for all: a row for each would take minutes.
async function insertMessages(
  db: Writer,
  {
    channel,
    owner,
    messages,
  }: { readonly channel: Id; readonly owner: Id; readonly messages: number },
): Promise<void> {
  const first = sortable(seededMessage(0)).slice(0, -String(FIRST_NUMBER).length);
  await sql`
    insert into channel_messages (channel_id, id, user_id, content, created_at_ms, edited_at_ms,
      reply_to, mentions, files, reactions, pinned, version)
    with recursive numbers(i) as (
      select 1 union all select i + 1 from numbers where i < ${sql.lit(messages)}
    )
    select ${channel}, ${sql.lit(first)} || cast(${sql.lit(FIRST_NUMBER)} + i as text), ${owner},
      'Message ' || cast(i as text) || ': the quick brown fox jumps over the lazy dog, and then once again.',
      ${sql.lit(NOW_MS)} + i, 0, '', '', '', '', 0, 1
    from numbers
  `.execute(db);
}

function messagePrefix(): string {
  return String(BigInt(idOf(5, 0)) / DIGITS);
}
