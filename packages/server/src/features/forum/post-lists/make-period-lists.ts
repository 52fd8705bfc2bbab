import type { Id } from '@hearth/protocol';
import { letOthersRun } from '../../../lib/let-others-run.ts';
import { ageOf } from '../../../lib/stored-moment.ts';
import type { Context } from '../../../context.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';
import { MOST_CANDIDATES, MOST_ORDERED, newestSince } from './make-order.ts';
import { compareHeads, type Head } from './merge-heads.ts';
import {
  beginOf,
  MAKE_PERIOD_LISTS,
  PERIOD_LIST_FRESH_MS,
  type PeriodListsPayload,
} from './period-lists.ts';
import { selectPeriodLists, storePeriodList, selectRankedAfter, type PeriodSort } from './store.ts';

/** The number of posts that are read at once, so that others have to wait for a few milliseconds only. */
const AT_ONCE = 1_000;

type ListsContext = Pick<Context, 'database' | 'clock'>;

/** Makes lists of the first posts of a month or a year, each at most every ten minutes. */
export function makePeriodLists(ctx: ListsContext): JobKind<PeriodListsPayload> {
  return {
    ...MAKE_PERIOD_LISTS,
    mostAttempts: 3,
    async run({ channel_ids: channelIds, sort, since }, { signal }) {
      for (const channelId of channelIds) {
        const nowMs = ctx.clock.unixMs();
        const [former] = await selectPeriodLists(ctx.database.reader, [channelId], { sort, since });
        if (former !== undefined && ageOf(former.madeAtMs, nowMs) < PERIOD_LIST_FRESH_MS) continue;
        const from = beginOf(since, nowMs);
        const heads = await firstSince(ctx, channelId, { sort, from, signal });
        const made = { channelId, heads, madeAtMs: nowMs };
        await ctx.database.transaction(({ sql }) => storePeriodList(sql, { sort, since }, made));
      }
    },
  };
}

/** The first posts of a channel since a moment: of all of them if they are few, otherwise by going through their order. */
async function firstSince(
  ctx: ListsContext,
  channelId: Id,
  {
    sort,
    from,
    signal,
  }: { readonly sort: PeriodSort; readonly from: string; readonly signal: AbortSignal },
): Promise<readonly Head[]> {
  const newest = await newestSince(ctx, [channelId], { sort, from });
  if (newest.length < MOST_CANDIDATES) {
    return newest.toSorted(compareHeads).slice(0, MOST_ORDERED);
  }
  const found: Head[] = [];
  let after: Head | undefined;
  while (found.length < MOST_ORDERED) {
    signal.throwIfAborted();
    const query = { sort, after, limit: AT_ONCE };
    const heads = await selectRankedAfter(ctx.database.reader, channelId, query);
    found.push(...heads.filter(({ id }) => id >= from));
    after = heads.at(-1);
    if (heads.length < AT_ONCE) break;
    await letOthersRun();
  }
  return found.slice(0, MOST_ORDERED);
}
