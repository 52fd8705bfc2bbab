import type { Id, Overwrite, PostSettings } from '@hearth/protocol';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import { byId } from '../../../ports/database/by-id.ts';
import { storedId } from '../../../ports/database/stored-id.ts';
import { closeTurn, insertTurn, raiseVersions } from '../../platform/turns/turns.ts';
import type { TurnsTable } from '../../platform/turns/turns.ts';
import type { ChannelsTable } from './tables.ts';

export interface StoredChannel {
  readonly id: Id;
  readonly communityId: Id;
  readonly kind: ChannelsTable['kind'];
  readonly name: string;
  /** Empty if it has none. */
  readonly topic: string;
  readonly categoryId: Id | '';
  readonly position: number;
  readonly slowModeSeconds: number;
  /** Empty if there was no message yet. */
  readonly lastId: Id | '';
  readonly overwrites: readonly Overwrite[];
  readonly postSettings: PostSettings;
  readonly version: number;
}

/** The channels and categories of communities, in their order in each. */
export async function selectChannels(
  db: Reader,
  communityIds: readonly Id[],
): Promise<readonly StoredChannel[]> {
  if (communityIds.length === 0) return [];
  const rows = await db
    .selectFrom('channels')
    .innerJoin('turns', 'turns.id', 'channels.id')
    .selectAll('channels')
    .select(['turns.last_id', 'turns.version'])
    .where('community_id', 'in', communityIds)
    .where('deleted_at_ms', '=', 0)
    .orderBy('community_id')
    .orderBy('position')
    .orderBy('channels.id')
    .execute();
  const overwrites = await db
    .selectFrom('channel_overwrites')
    .innerJoin('channels', 'channels.id', 'channel_overwrites.channel_id')
    .selectAll('channel_overwrites')
    .where('channels.community_id', 'in', communityIds)
    .orderBy('channel_overwrites.channel_id')
    .orderBy('channel_overwrites.kind')
    .orderBy('channel_overwrites.subject_id')
    .execute();
  const byChannel = Map.groupBy(overwrites, (row) => row.channel_id);
  return rows.map((row) =>
    channelOf(
      row,
      (byChannel.get(row.id) ?? []).map((overwrite) => ({
        id: overwrite.subject_id,
        kind: overwrite.kind,
        allow: overwrite.allow,
        deny: overwrite.deny,
      })),
    ),
  );
}

/** The ids of the newest messages of the channels of communities, by the ids of the channels. */
export async function selectLastIds(
  db: Reader,
  communityIds: readonly Id[],
): Promise<ReadonlyMap<Id, Id>> {
  if (communityIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('channels')
    .innerJoin('turns', 'turns.id', 'channels.id')
    .select(['channels.id', 'turns.last_id'])
    .where('community_id', 'in', communityIds)
    .where('deleted_at_ms', '=', 0)
    .where('last_id', '!=', '')
    .execute();
  return new Map(rows.flatMap(({ id, last_id }) => (last_id === '' ? [] : [[id, last_id]])));
}

export async function selectChannelIdsOf(db: Reader, communityId: Id): Promise<readonly Id[]> {
  const rows = await db
    .selectFrom('channels')
    .select('id')
    .where('community_id', '=', communityId)
    .where('deleted_at_ms', '=', 0)
    .execute();
  return rows.map(({ id }) => id);
}

/** The communities of channels, by the ids of the channels. */
export async function selectHomes(
  db: Reader,
  channelIds: readonly Id[],
): Promise<ReadonlyMap<Id, Id>> {
  const rows = await db
    .selectFrom('channels')
    .select(['id', 'community_id'])
    .where('id', 'in', channelIds)
    .execute();
  return new Map(rows.map((row) => [row.id, row.community_id]));
}

export async function insertChannel(
  db: Writer,
  channel: Omit<StoredChannel, 'lastId' | 'overwrites' | 'version'>,
): Promise<void> {
  await db
    .insertInto('channels')
    .values({
      id: channel.id,
      community_id: channel.communityId,
      kind: channel.kind,
      name: channel.name,
      topic: channel.topic,
      category_id: channel.categoryId,
      position: channel.position,
      slow_mode_seconds: channel.slowModeSeconds,
      post_settings: settingsText(channel.postSettings),
      deleted_at_ms: 0,
    })
    .execute();
  await insertTurn(db, channel.id);
}

/** Replaces what its managers change, and raises the version. */
export async function updateChannel(
  db: Writer,
  id: Id,
  {
    name,
    topic,
    slowModeSeconds,
    postSettings,
  }: Pick<StoredChannel, 'name' | 'topic' | 'slowModeSeconds' | 'postSettings'>,
): Promise<void> {
  await db
    .updateTable('channels')
    .set({
      name,
      topic,
      slow_mode_seconds: slowModeSeconds,
      post_settings: settingsText(postSettings),
    })
    .where('id', '=', id)
    .execute();
  await raiseVersions(db, [id]);
}

/** The place of a channel in its community. */
export type ChannelPlace = Pick<StoredChannel, 'id' | 'position' | 'categoryId'>;

/** Moves channels, and raises their versions. */
export async function moveChannels(db: Writer, places: readonly ChannelPlace[]): Promise<void> {
  if (places.length === 0) return;
  const positions = new Map(places.map(({ id, position }) => [id, position]));
  const categories = new Map(places.map(({ id, categoryId }) => [id, categoryId]));
  await db
    .updateTable('channels')
    .set((own) => ({
      position: byId(own.ref('position'), positions),
      category_id: byId(own.ref('category_id'), categories),
    }))
    .where('id', 'in', [...positions.keys()])
    .execute();
  await raiseVersions(db, [...positions.keys()]);
}

/** Notes that a channel was deleted, and removes its overwrites. */
export async function markChannelDeleted(db: Writer, id: Id, nowMs: number): Promise<void> {
  await db.deleteFrom('channel_overwrites').where('channel_id', '=', id).execute();
  await db.updateTable('channels').set({ deleted_at_ms: nowMs }).where('id', '=', id).execute();
  await closeTurn(db, id);
}

/** Sets what a role or member is allowed and denied in a channel. */
export async function upsertOverwrite(
  db: Writer,
  channelId: Id,
  overwrite: Overwrite,
): Promise<void> {
  const masks = { allow: overwrite.allow, deny: overwrite.deny };
  await db
    .insertInto('channel_overwrites')
    .values({
      channel_id: channelId,
      kind: overwrite.kind,
      subject_id: storedId(overwrite.id),
      ...masks,
    })
    .onConflict((conflict) =>
      conflict.columns(['channel_id', 'kind', 'subject_id']).doUpdateSet(masks),
    )
    .execute();
}

/** Removes an overwrite; false if there is none. */
export async function deleteOverwrite(db: Writer, channelId: Id, subjectId: Id): Promise<boolean> {
  const rows = await db
    .deleteFrom('channel_overwrites')
    .where('channel_id', '=', channelId)
    .where('subject_id', '=', subjectId)
    .returning('subject_id')
    .execute();
  return rows.length > 0;
}

/** The channels that were deleted before a moment, the first one first. */
export async function selectDeletedChannels(
  db: Reader,
  { beforeMs, limit }: { readonly beforeMs: number; readonly limit: number },
): Promise<readonly { readonly communityId: Id; readonly channelId: Id }[]> {
  return await db
    .selectFrom('channels')
    .select(['id as channelId', 'community_id as communityId'])
    .where('deleted_at_ms', '>', 0)
    .where('deleted_at_ms', '<=', beforeMs)
    .orderBy('deleted_at_ms')
    .limit(limit)
    .execute();
}

/** All channels of a community, also deleted ones. */
export async function selectChannelIds(db: Reader, communityId: Id): Promise<readonly Id[]> {
  const rows = await db
    .selectFrom('channels')
    .select('id')
    .where('community_id', '=', communityId)
    .execute();
  return rows.map(({ id }) => id);
}

/** Removes a channel of which nothing else is left. */
export async function deleteChannelRow(db: Writer, id: Id): Promise<void> {
  await db.deleteFrom('channels').where('id', '=', id).execute();
}

function channelOf(
  row: ChannelsTable & Pick<TurnsTable, 'last_id' | 'version'>,
  overwrites: readonly Overwrite[],
): StoredChannel {
  return {
    id: row.id,
    communityId: row.community_id,
    kind: row.kind,
    name: row.name,
    topic: row.topic,
    categoryId: row.category_id,
    position: row.position,
    slowModeSeconds: row.slow_mode_seconds,
    lastId: row.last_id,
    overwrites,
    // Guarantee: what is stored was made by `settingsText`.
    postSettings: row.post_settings === '' ? {} : (JSON.parse(row.post_settings) as PostSettings),
    version: row.version,
  };
}

function settingsText(settings: PostSettings): string {
  return Object.keys(settings).length === 0 ? '' : JSON.stringify(settings);
}
