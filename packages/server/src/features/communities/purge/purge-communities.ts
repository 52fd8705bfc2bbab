import type { Id } from '@hearth/protocol';
import { RESTORABLE_MS } from '@hearth/protocol/schemas';
import type { Context } from '../../../context.ts';
import {
  deleteChannelRow,
  selectChannelIds,
  selectDeleted,
  selectDeletedChannels,
} from '../structure/structure.ts';
import { removeCommunity } from '../communities/communities.ts';
import { releasing } from '../../platform/contents/contents.ts';
import type { TableList } from '../../../ports/database/table-data.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';
import type { PurgeContent } from './purge-content.ts';
import { purgeRows } from './purge-rows.ts';
import { HOUR_MS } from '../../../lib/clock.ts';

/** More than a request takes that began before something was deleted, and than clocks of processes differ. */
const MARGIN_MS = HOUR_MS;

/** How many communities, and how many channels, are removed in one run. */
const MOST_AT_ONCE = 100;

/** What is removed: what features have of a channel, and the rows of tables. */
interface Purging<Ctx> {
  readonly purgers: readonly PurgeContent<Ctx>[];
  readonly tables: TableList;
}

/** Removes what is left of channels that were deleted, and of communities that were deleted more than a week ago. */
export function purgeCommunities<Ctx extends Context>(
  ctx: Ctx,
  { purgers, tables }: Purging<Ctx>,
): JobKind {
  const { database, clock } = ctx;
  const purgeChannel = async (channel: Deleted, signal: AbortSignal) => {
    for (const purge of purgers) await purge(ctx, { ...channel, signal });
    await purgeRows(database, tables, { of: 'channel', id: channel.channelId, signal });
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
