import type { ChannelKind, Id } from '@hearth/protocol';
import { sql, type RawBuilder } from 'kysely';
import type { Reader, Writer, Transaction } from '../../../../ports/database/database.ts';
import { storedId } from '../../../../ports/database/stored-id.ts';
import { selectChangedChannels, type HoldIndexes } from '../../../talk/index-queue/index-queue.ts';
import type { ChannelIndexTable } from '../tables.ts';

/** How far a channel is indexed. */
export interface ChannelIndex {
  readonly lastNumber: number;
  readonly lastId: Id;
  /** How many large blocks are complete. */
  readonly merged: number;
  /** Is raised before words are removed that a search under way may need. */
  readonly version: number;
}

/** Changed entries of a block, whose old words are being removed. */
export interface Cleaning {
  /** As it is stored. */
  readonly block: number;
  /** What they are in the hits of the block. Not empty. */
  readonly hits: string;
}

/** An index that no other transaction changes. */
export interface LockedIndex extends ChannelIndex {
  readonly isStale: boolean;
  /** How many large blocks have replaced their small ones, which are deleted. */
  readonly replaced: number;
  readonly cleaning: Cleaning | undefined;
  /** Up to which word this is done, or else the next large block is merged; '' if it has not begun. */
  readonly reachedWord: string;
  /** Of the channel. */
  readonly kind: ChannelKind;
}

const EMPTY_INDEX = {
  last_number: 0,
  last_id: storedId('0'),
  is_stale: 0,
  merged: 0,
  replaced: 0,
  cleaned_block: 0,
  cleaned_hits: '',
  reached_word: '',
};

/** What places hold: messages, if they are no channels. */
const HELD = sql<ChannelKind>`coalesce(channels.kind, 'messages')`;

/** Whether a channel has posts or comments after those in its index. */
const HAS_NEW_POSTS = sql<boolean>`(
  select coalesce(max(id), '') from (
    select max(id) as id from posts where channel_id = turns.id
    union all
    select max(id) as id from comments where channel_id = turns.id
  ) as newest
) > (
  select coalesce(max(message_id), '') from channel_index_numbers where channel_id = turns.id
)`;

/** The indexes of channels that have one, and do not have to be made again. */
export async function selectIndexes(
  db: Reader,
  channelIds: readonly Id[],
): Promise<ReadonlyMap<Id, ChannelIndex>> {
  if (channelIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('channel_index')
    .select(['channel_id', 'last_number as lastNumber', 'last_id as lastId', 'merged', 'version'])
    .where('channel_id', 'in', channelIds)
    .where('is_stale', '=', 0)
    .execute();
  return new Map(rows.map(({ channel_id, ...index }) => [channel_id, index]));
}

/** Channels that have work for the indexer besides new messages. */
export async function selectUnfinished(db: Reader, limit: number): Promise<readonly Id[]> {
  const changed = await selectChangedChannels(db, limit);
  const stale = await db
    .selectFrom('channel_index')
    .select('channel_id')
    .where('is_stale', '=', 1)
    .limit(limit)
    .execute();
  return [...new Set([...changed, ...stale.map((row) => row.channel_id)])];
}

/** Channels after one with something that may not be indexed, or blocks to merge, in the order of their ids. */
export async function selectUnindexed(
  db: Reader,
  { after, large, limit }: { readonly after: Id; readonly large: number; readonly limit: number },
): Promise<readonly Id[]> {
  const rows = await db
    .selectFrom('turns')
    .leftJoin('channels', 'channels.id', 'turns.id')
    .leftJoin('channel_index', 'channel_index.channel_id', 'turns.id')
    .select('turns.id')
    .where('turns.id', '>', after)
    .where('turns.closed', '=', 0)
    .where('turns.last_id', '!=', '')
    .where((where) =>
      where.or([
        where('channel_index.last_id', 'is', null),
        where.and([
          sql<boolean>`${HELD} != 'posts'`,
          where('turns.last_id', '!=', where.ref('channel_index.last_id')),
        ]),
        where.and([where('channels.kind', '=', 'posts'), HAS_NEW_POSTS]),
        sql<boolean>`channel_index.last_number >= (channel_index.merged + 1) * ${large}`,
        where('channel_index.replaced', '<', where.ref('channel_index.merged')),
      ]),
    )
    .orderBy('turns.id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * The index of a channel, which no other transaction changes until the end of this one; an empty one if there was none.
 * Undefined if the channel was deleted.
 */
export async function lockIndex(db: Writer, channelId: Id): Promise<LockedIndex | undefined> {
  const channel = await db
    .selectFrom('turns')
    .leftJoin('channels', 'channels.id', 'turns.id')
    .select(HELD.as('kind'))
    .where('turns.id', '=', channelId)
    .where('turns.closed', '=', 0)
    .executeTakeFirst();
  if (channel === undefined) return undefined;
  await insertIndex(db, channelId);
  const row = await db
    .selectFrom('channel_index')
    .selectAll()
    .where('channel_id', '=', channelId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return {
    lastNumber: row.last_number,
    lastId: row.last_id,
    merged: row.merged,
    version: row.version,
    isStale: row.is_stale > 0,
    replaced: row.replaced,
    cleaning:
      row.cleaned_hits === '' ? undefined : { block: row.cleaned_block, hits: row.cleaned_hits },
    reachedWord: row.reached_word,
    kind: channel.kind,
  };
}

/** Adds an empty index, unless the channel has one. Waits for others that add one. */
export async function insertIndex(db: Writer, channelId: Id): Promise<void> {
  await db
    .insertInto('channel_index')
    .values({ channel_id: channelId, version: 0, ...EMPTY_INDEX })
    .onConflict((conflict) => conflict.column('channel_id').doNothing())
    .execute();
}

const NEXT_VERSION = sql<number>`version + 1`;

/** Changes what is noted of the index of a channel. */
async function note(
  db: Writer,
  channelId: Id,
  changes: { readonly [Column in keyof ChannelIndexTable]?: ValueOf<ChannelIndexTable[Column]> },
): Promise<void> {
  await db.updateTable('channel_index').set(changes).where('channel_id', '=', channelId).execute();
}

type ValueOf<Stored> = Stored | RawBuilder<Stored>;

/** Notes that nothing is indexed any more. */
export async function noteEmpty(db: Writer, channelId: Id): Promise<void> {
  await note(db, channelId, EMPTY_INDEX);
}

/** Notes up to where a channel is indexed. */
export async function advance(
  db: Writer,
  channelId: Id,
  { lastNumber, lastId }: Pick<ChannelIndex, 'lastNumber' | 'lastId'>,
): Promise<void> {
  await note(db, channelId, { last_number: lastNumber, last_id: lastId });
}

/** Notes up to which word the work under way is done. */
export async function noteReached(db: Writer, channelId: Id, word: string): Promise<void> {
  await note(db, channelId, { reached_word: word });
}

/** Notes that one more large block is complete, and that the next one has not begun. */
export async function noteMerged(db: Writer, channelId: Id): Promise<void> {
  const merged = sql<number>`merged + 1`;
  await note(db, channelId, { merged, version: NEXT_VERSION, reached_word: '' });
}

/** Notes that the small blocks of all large ones are deleted. */
export async function noteReplaced(db: Writer, channelId: Id): Promise<void> {
  await note(db, channelId, { replaced: sql<number>`merged` });
}

/** Notes of which changed entries the old words are removed from now on. */
export async function beginCleaning(
  db: Writer,
  channelId: Id,
  { block, hits }: Cleaning,
): Promise<void> {
  await note(db, channelId, { cleaned_block: block, cleaned_hits: hits, version: NEXT_VERSION });
}

/** Notes which of these entries are not indexed again yet; '' if all are. */
export async function noteCleaned(db: Writer, channelId: Id, hits: string): Promise<void> {
  await note(db, channelId, { cleaned_hits: hits, ...(hits === '' && { reached_word: '' }) });
}

/** Makes all indexes be made again. */
export async function markAllStale(db: Writer): Promise<void> {
  await db.updateTable('channel_index').set({ is_stale: 1, version: NEXT_VERSION }).execute();
}

const HOLD = `select i.channel_id, i.last_id from given
  join channel_index i on i.channel_id = given.channel_id order by i.channel_id`;

/** The newest id in each index that there is. The indexes stay as they are until the transaction ends. */
export async function holdIndexRows(
  tx: Transaction,
  channelIds: readonly Id[],
): Promise<ReadonlyMap<Id, Id>> {
  const rows = await tx.many<Pick<ChannelIndexTable, 'channel_id' | 'last_id'>>({
    text: HOLD,
    columns: { channel_id: 'text' },
    rows: channelIds.map((id) => [id]),
    locks: 'for share of i',
  });
  return new Map(rows.map((row) => [row.channel_id, row.last_id]));
}

/** Keeps the indexes of channels as they are until the transaction ends. Makes those that there are not. */
export const holdIndexes: HoldIndexes = async (tx, channelIds) => {
  const held = await holdIndexRows(tx, channelIds);
  if (held.size === channelIds.length) return held;
  for (const id of channelIds) if (!held.has(id)) await insertIndex(tx.sql, id);
  return await holdIndexRows(tx, channelIds);
};
