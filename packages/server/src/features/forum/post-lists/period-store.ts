import type { Id, PostPeriod } from '@hearth/protocol';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import { evenly } from '../../../ports/database/read-rows.ts';
import { CHANNELS_AT_ONCE, headsIn, textOf } from './heads-text.ts';
import type { Head } from './merge-heads.ts';
import type { PeriodSort } from './store.ts';

/** Which posts of a period come first in a channel. */
export interface PeriodList {
  readonly channelId: Id;
  readonly heads: readonly Head[];
  readonly madeAtMs: number;
}

/** What such a list is of. */
export interface PeriodKey {
  readonly sort: PeriodSort;
  readonly since: PostPeriod;
}

export async function selectPeriodLists(
  db: Reader,
  channelIds: readonly Id[],
  { sort, since }: PeriodKey,
): Promise<readonly PeriodList[]> {
  const found: PeriodList[] = [];
  for (let first = 0; first < channelIds.length; first += CHANNELS_AT_ONCE) {
    const rows = await db
      .selectFrom('post_period_lists')
      .select(['channel_id', 'posts', 'made_at_ms'])
      .where('channel_id', 'in', evenly(channelIds.slice(first, first + CHANNELS_AT_ONCE)))
      .where('sort', '=', sort)
      .where('period', '=', since)
      .execute();
    for (const row of rows) {
      found.push({
        channelId: row.channel_id,
        heads: headsIn(row.posts),
        madeAtMs: row.made_at_ms,
      });
    }
  }
  return found;
}

export async function storePeriodList(
  db: Writer,
  { sort, since }: PeriodKey,
  { channelId, heads, madeAtMs }: PeriodList,
): Promise<void> {
  const made = { posts: textOf(heads), made_at_ms: madeAtMs };
  await db
    .insertInto('post_period_lists')
    .values({ channel_id: channelId, sort, period: since, ...made })
    .onConflict((conflict) => conflict.columns(['channel_id', 'sort', 'period']).doUpdateSet(made))
    .execute();
}
