import { addUsers } from '@hearth/testing/instances/many-users';
import { NEW_CHANNEL_ROW, NEW_TURN_ROW } from '@hearth/testing/instances/new-channel-row';
import { addSeededMembers, seedCommunities } from '@hearth/testing/instances/seeded-communities';
import { seededPost, seedPosts } from '@hearth/testing/instances/seeded-posts';
import { embeddedData } from '@hearth/testing/ports/moved-data';
import { patientPostgres } from '@hearth/testing/servers/patient-postgres';
import { formatId, type Id } from '@hearth/protocol';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../packages/server/src/ports/database/database.ts';
import { hearthWith } from './hearth.ts';
import { restProcesses } from './servers.ts';
import type { Subject } from './subject.ts';

/** The amount of data that is written. */
export interface BusySize {
  /** Members of the busy community who come at once, and join others at once. */
  readonly people: number;
  /** Members whom a moderator can remove, of the busy community and of those that are joined. */
  readonly victims: number;
  /**
   * The number of times that each flood can happen: each has a channel, a post and a community of its own, and nobody
   * joins twice.
   */
  readonly floods: number;
}

/** A community where many people come at once, and another one with a single member. */
export interface BusyPlace {
  /** Headers of the people. */
  readonly people: readonly string[];
  /** The header of the owner of the busy community, and of those that are joined. */
  readonly moderator: string;
  readonly victims: readonly Id[];
  readonly community: Id;
  /** Channels with messages and with posts, a post and a community to join, for each flood. */
  readonly floods: readonly Flooded[];
  readonly bystander: { readonly authorization: string; readonly channel: Id };
}

/** The places that a flood fills. */
export interface Flooded {
  readonly channel: Id;
  readonly forum: Id;
  readonly post: Id;
  readonly joined: { readonly community: Id; readonly channel: Id };
}

/** An instance with a busy place, on one engine. */
export interface BusySubject {
  readonly subject: Subject;
  /** Available after the start. */
  readonly place: () => BusyPlace;
}

/** The users who own the communities of `seedCommunities` come first. */
const [BUSY, BYSTANDER, FIRST_JOINED] = [0, 1, 2];
const MONTH_MS = 30 * 86_400_000;

const idOf = (seconds: number, sequence: number) => formatId({ seconds, instanceId: 1, sequence });
const userAt = (number: number) => idOf(1, number);
const channelAt = (flood: number) => idOf(8, flood);
const forumAt = (flood: number) => idOf(9, flood);

/** An instance on the embedded engine. */
export function busyEmbedded(size: BusySize): BusySubject {
  return withPlace((keep) => {
    const prepare = async (folder: string) => {
      const data = join(folder, 'data');
      await mkdir(data, { mode: 0o700 });
      await using embedded = await embeddedData(data);
      keep(await seedBusyPlace(embedded.database, size));
    };
    return { ...hearthWith(prepare), name: 'hearth' };
  });
}

/** An instance with two processes for REST on PostgreSQL. */
export function busyOnServers(size: BusySize): BusySubject {
  return withPlace((keep) =>
    restProcesses(2, async (url) => {
      await using database = await patientPostgres(url);
      keep(await seedBusyPlace(database, size));
    }),
  );
}

function withPlace(make: (keep: (place: BusyPlace) => void) => Subject): BusySubject {
  let kept: BusyPlace | undefined;
  const subject = make((place) => {
    kept = place;
  });
  return {
    subject,
    place() {
      if (kept === undefined) throw new Error('it has not been started');
      return kept;
    },
  };
}

async function seedBusyPlace(
  database: Database,
  { people, victims, floods }: BusySize,
): Promise<BusyPlace> {
  const communities = FIRST_JOINED + floods;
  const tokens = await addUsers(database, communities + people + victims);
  const all = await seedCommunities(database, { communities, members: 1, messages: 0 });
  const [busy, quiet, ...joined] = all;
  if (busy === undefined || quiet === undefined) throw new Error('nothing was seeded');
  const firstVictim = communities + people;
  const victimNumbers = numbersFrom(firstVictim, victims);
  await addSeededMembers(database, busy, [...numbersFrom(communities, people), ...victimNumbers]);
  for (const community of joined) {
    await addSeededMembers(database, community, [BUSY, ...victimNumbers]);
  }
  await seedPosts(database, [busy], { user: userAt(BUSY), posts: floods });
  await finish(database, { busy: busy.id, joined: joined.map(({ id }) => id) });
  const header = (at: number) => `Bearer ${tokens[at]}`;
  return {
    people: numbersFrom(communities, people).map(header),
    moderator: header(BUSY),
    victims: victimNumbers.map(userAt),
    community: busy.id,
    floods: joined.map(({ id: community, channel }, at) => ({
      channel: channelAt(at),
      forum: forumAt(at),
      post: seededPost(at + 1),
      joined: { community, channel },
    })),
    bystander: { authorization: header(BYSTANDER), channel: quiet.channel },
  };
}

/** Adds channels for each flood, opens what is joined, and makes the users so old that their votes give points. */
async function finish(
  database: Database,
  { busy, joined }: { readonly busy: Id; readonly joined: readonly Id[] },
): Promise<void> {
  await database.transaction(async ({ sql }) => {
    const added = joined.flatMap((_, at) => [
      { id: channelAt(at), kind: 'messages' as const, position: 2 + at },
      { id: forumAt(at), kind: 'posts' as const, position: 2 + joined.length + at },
    ]);
    const channels = added.map((channel) => ({
      ...NEW_CHANNEL_ROW,
      ...channel,
      community_id: busy,
      name: `busy-${channel.position}`,
    }));
    await sql.insertInto('channels').values(channels).execute();
    const turns = added.map(({ id }) => ({ ...NEW_TURN_ROW, id }));
    await sql.insertInto('turns').values(turns).execute();
    await sql
      .updateTable('communities')
      .set({ visibility: 'public', join_mode: 'open', owner_id: userAt(BUSY) })
      .where('id', 'in', [busy, ...joined])
      .execute();
    await sql
      .updateTable('users')
      .set((e) => ({ created_at_ms: e('created_at_ms', '-', MONTH_MS) }))
      .execute();
  });
}

function numbersFrom(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => first + at);
}
