import {
  channelStream,
  communityStream,
  isRestricted,
  NotFoundError,
  type CommunityRoles,
  type Id,
  type SightedCommunity,
} from '@hearth/protocol';
import { SharedReads } from '../../../lib/shared-reads.ts';
import { ChangeCache } from '../../../ports/database/change-cache.ts';
import type { Database, Reader } from '../../../ports/database/database.ts';
import { selectChannels, type StoredChannel } from './channel-store.ts';
import type { KnownChannel, KnownCommunity } from './known-community.ts';
import { selectRoles, type StoredRole } from './role-store.ts';
import { showsCards } from './shows-cards.ts';
import { sighted } from './sighted.ts';
import { selectCommunities, type StoredCommunity } from './community-store.ts';

/** The number of roles, channels and overwrites of communities that are remembered together. */
const MOST_REMEMBERED_PARTS = 200_000;

/** Communities with their roles and channels. What was read is remembered until any process changes it. */
export class KnownCommunities {
  readonly #database: Pick<Database, 'reader' | 'onChange' | 'hearChanges'>;
  readonly #known: ChangeCache<Id, KnownCommunity>;
  /** A change of a community concerns all who are there at that moment. */
  readonly #reads = new SharedReads<Id, KnownCommunity | undefined>();

  constructor(database: Pick<Database, 'reader' | 'onChange' | 'hearChanges'>) {
    this.#database = database;
    this.#known = new ChangeCache(database, 'communities', { maxSize: MOST_REMEMBERED_PARTS });
  }

  peek(id: Id): KnownCommunity | undefined {
    return this.#known.get(id);
  }

  /** A community; at once if it is remembered. */
  get(id: Id): KnownCommunity | undefined | Promise<KnownCommunity | undefined> {
    return this.#known.get(id) ?? this.read(id);
  }

  /** A community, from the database, after the same queries whether there is one or not. */
  read(id: Id): Promise<KnownCommunity | undefined> {
    return this.#reads.read(id, async () => {
      const remember = this.#known.reading();
      const [found] = await readCommunities(this.#database.reader, [id]);
      if (found !== undefined) remember([entryOf(found)]);
      return found;
    });
  }

  /** Forgets a community of whose change the bus has brought news: they may be sooner here than those of the database. */
  outdate(id: Id): void {
    this.#known.outdate(id);
  }

  /** Returns the communities that there are of these. */
  all(ids: readonly Id[]): Promise<ReadonlyMap<Id, KnownCommunity>> {
    return this.#known.all(ids, async (missing) =>
      (await readCommunities(this.#database.reader, missing)).map(entryOf),
    );
  }
}

export interface KeepsCommunities {
  readonly communities: KnownCommunities;
}

/** A community as it is for a transaction that has locked it. */
export async function readCommunity(db: Reader, id: Id): Promise<KnownCommunity | undefined> {
  const [community] = await readCommunities(db, [id]);
  return community;
}

/** A channel of a community. Throws NotFoundError if it has no such channel. */
export function channelIn(
  { channelById }: Pick<KnownCommunity, 'channelById'>,
  id: Id,
): KnownChannel {
  const channel = channelById.get(id);
  if (channel === undefined) throw new NotFoundError();
  return channel;
}

/** Communities as they are for a transaction that has locked them, in no order. */
export async function readCommunities(
  db: Reader,
  ids: readonly Id[],
): Promise<readonly KnownCommunity[]> {
  const communities = await selectCommunities(db, ids);
  const roles = Map.groupBy(await selectRoles(db, ids), ({ community_id: id }) => id);
  const channels = Map.groupBy(await selectChannels(db, ids), ({ communityId }) => communityId);
  return communities.map((stored) =>
    knownCommunity(stored, {
      roles: roles.get(stored.id) ?? [],
      channels: channels.get(stored.id) ?? [],
    }),
  );
}

function knownCommunity(
  stored: StoredCommunity,
  {
    roles,
    channels,
  }: { readonly roles: readonly StoredRole[]; readonly channels: readonly StoredChannel[] },
): KnownCommunity {
  const permissions: CommunityRoles & SightedCommunity = {
    ...sighted(stored),
    id: stored.id,
    roles: new Map(roles.map((role) => [role.id, role.permissions])),
  };
  const overwrites = new Map(channels.map((channel) => [channel.id, channel.overwrites]));
  const known = channels.map((channel): [Id, KnownChannel] => {
    const category = channel.categoryId === '' ? [] : (overwrites.get(channel.categoryId) ?? []);
    const levels = [category, channel.overwrites];
    const restricted = isRestricted(permissions, levels);
    const stream = restricted ? channelStream(channel.id) : communityStream(stored.id);
    const sight = { levels, isRestricted: restricted, stream, isDeleted: permissions.is_deleted };
    return [channel.id, { ...channel, ...sight, cardChannelIds: [] }];
  });
  const community: KnownCommunity = {
    ...permissions,
    stored,
    roleById: new Map(roles.map((role) => [role.id, role])),
    channelById: new Map(known),
  };
  return { ...community, channelById: withCards(community) };
}

function withCards(community: KnownCommunity): ReadonlyMap<Id, KnownChannel> {
  const { channelById } = community;
  if (!channelById.values().some(hasCards)) return channelById;
  const all = Array.from(channelById.values(), (channel): [Id, KnownChannel] => {
    const ids = channel.postSettings.card_channel_ids ?? [];
    const seen = ids.filter((id) => showsCards(community, { channel, id }));
    return [channel.id, seen.length > 0 ? { ...channel, cardChannelIds: seen } : channel];
  });
  return new Map(all);
}

function hasCards({ postSettings }: KnownChannel): boolean {
  return postSettings.card_channel_ids !== undefined;
}

function entryOf(value: KnownCommunity) {
  const overwrites = value.channelById
    .values()
    .reduce((sum, { levels }) => sum + levels.flat().length, 0);
  const size = 1 + value.roleById.size + value.channelById.size + overwrites;
  return { key: value.stored.id, value, madeFrom: [value.stored.id], size };
}
