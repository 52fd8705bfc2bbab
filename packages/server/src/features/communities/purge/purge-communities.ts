import type { Id } from '@hearth/protocol';
import { RESTORABLE_MS } from '@hearth/protocol/schemas';
import type { Context } from '../../../context.ts';
import type { TableList } from '../../../ports/database/table-data.ts';
import { HOUR_MS } from '../../../lib/clock.ts';
import type { Database } from '../../../ports/database/database.ts';
import { releasing } from '../../platform/contents/contents.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';
import {
  deleteChannelRow,
  selectChannelIds,
  selectDeleted,
  selectDeletedChannels,
} from '../structure/structure.ts';
import { deleteRowsOf } from '../../accounts/erasure/erasure.ts';
import { removeCommunity } from '../communities/communities.ts';

/** Rows of one transaction, so that other writers never wait long. */
const ROWS_AT_ONCE = 1_000;

/** More than a request takes that began before something was deleted, and than clocks of processes differ. */
const MARGIN_MS = HOUR_MS;

/** The number of communities, and of channels, that are removed in one run. */
const MOST_AT_ONCE = 100;

/** The things to remove: what features have of a channel, and the rows of tables. */
interface Purging<Ctx> {
  readonly purgers: readonly PurgeContent<Ctx>[];
  /** Functions that remove what is made from rows, after these. */
  readonly afterRows: readonly PurgeContent<Ctx>[];
  readonly tables: TableList;
}

/** Removes what is left of channels that were deleted, and of communities that were deleted more than a week ago. */
export function purgeCommunities<Ctx extends Context>(
  ctx: Ctx,
  { purgers, afterRows, tables }: Purging<Ctx>,
): JobKind {
  const { database, clock } = ctx;
  const purgeChannel = async (channel: Deleted, signal: AbortSignal) => {
    for (const purge of purgers) await purge(ctx, { ...channel, signal });
    await purgeRows(database, tables, { of: 'channel', id: channel.channelId, signal });
    for (const purge of afterRows) await purge(ctx, { ...channel, signal });
  };
  const purgeCommunity = async (communityId: Id, signal: AbortSignal) => {
    for (const channelId of await selectChannelIds(database.reader, communityId)) {
      await purgeChannel({ communityId, channelId }, signal);
    }
    await purgeRows(database, tables, { of: 'community', id: communityId, signal });
    await releasing(ctx, (release) =>
      database.transaction((tx) => removeCommunity(tx, communityId, release)),
    );
  };
  return {
    name: 'purge-communities',
    parse: () => undefined,
    everyMs: HOUR_MS,
    async run(_payload, { signal }) {
      const beforeMs = clock.unixMs() - MARGIN_MS;
      const page = { beforeMs, limit: MOST_AT_ONCE };
      for (const channel of await selectDeletedChannels(database.reader, page)) {
        await purgeChannel(channel, signal);
        await database.transaction(({ sql }) => deleteChannelRow(sql, channel.channelId));
      }
      const late = { ...page, beforeMs: beforeMs - RESTORABLE_MS };
      for (const id of await selectDeleted(database.reader, late)) {
        await purgeCommunity(id, signal);
      }
    },
  };
}

interface Deleted {
  readonly communityId: Id;
  readonly channelId: Id;
}

interface PurgedRows {
  readonly of: 'community' | 'channel';
  readonly id: string;
  readonly signal: AbortSignal;
}

/** Removes the rows of all tables that belong to a community or channel, as the tables say. It can be interrupted and repeated. */
export async function purgeRows(
  database: Pick<Database, 'transaction'>,
  tables: TableList,
  { of, id, signal }: PurgedRows,
): Promise<void> {
  // What refers to something goes before it.
  for (const [table, data] of Object.entries(tables).toReversed()) {
    const column = data.removedWith?.[of];
    if (column === undefined) continue;
    const rows = { table, data, column, id };
    for (let done = ROWS_AT_ONCE; done === ROWS_AT_ONCE;) {
      signal.throwIfAborted();
      done = await database.transaction(({ sql }) => deleteRowsOf(sql, rows, ROWS_AT_ONCE));
    }
  }
}

export interface PurgedChannel {
  readonly communityId: Id;
  readonly channelId: Id;
  readonly signal: AbortSignal;
}

/**
 * Removes what a feature has of a channel besides its rows of the database, such as files. It may have been
 * interrupted before, so it allows for being repeated.
 */
export type PurgeContent<Ctx = Context> = (ctx: Ctx, channel: PurgedChannel) => Promise<void>;
