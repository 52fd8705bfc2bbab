import type { Id, PostPeriod } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { compareHeads, mergeHeads, packedHeads, type Head } from './merge-heads.ts';
import { beginOf, headsOfPeriod } from './period-lists.ts';
import {
  selectHeads,
  selectRanked,
  selectTagged,
  type PeriodSort,
  type RankedSort,
} from './store.ts';

export const MOST_ORDERED = 1_000;

/** The largest number of posts that are compared if no index has their order. */
export const MOST_CANDIDATES = 10_000;

/** The posts of an order, and how they are sorted. */
export interface Ordering {
  readonly channelIds: readonly Id[];
  readonly sort: RankedSort;
  readonly since: PostPeriod | undefined;
  readonly tag: Id | undefined;
}

/** The ids of the first posts of a list, packed. */
export async function makeOrder(ctx: Context, ordering: Ordering): Promise<string> {
  const { channelIds, sort, since, tag } = ordering;
  const { reader } = ctx.database;
  const [only] = channelIds;
  if (only === undefined) return '';
  const from = since === undefined ? '' : beginOf(since, ctx.clock.unixMs());
  if (tag !== undefined) {
    const most = { candidates: MOST_CANDIDATES, limit: MOST_ORDERED };
    return await selectTagged(reader, tag, { sort, from, ...most });
  }
  if (since !== undefined && (sort === 'top' || sort === 'controversial')) {
    return packedHeads(await headsSince(ctx, { channelIds, sort, since, from }));
  }
  if (channelIds.length === 1)
    return await selectRanked(reader, only, { sort, limit: MOST_ORDERED });
  const read = (ids: readonly Id[], each: number) => selectHeads(reader, ids, { sort, each });
  return packedHeads(await mergeHeads(channelIds, { wanted: MOST_ORDERED, read }));
}

async function headsSince(
  ctx: Pick<Context, 'database' | 'clock'>,
  {
    channelIds,
    sort,
    since,
    from,
  }: {
    readonly channelIds: readonly Id[];
    readonly sort: PeriodSort;
    readonly since: PostPeriod;
    readonly from: string;
  },
): Promise<readonly Head[]> {
  const isLong = since === 'month' || since === 'year';
  const stored = isLong ? await headsOfPeriod(ctx, channelIds, { sort, since }) : new Map();
  const others = channelIds.filter((id) => !stored.has(id));
  const newest = await newestSince(ctx, others, { sort, from });
  return [...stored.values(), newest]
    .flat()
    .filter(({ id }) => id >= from)
    .toSorted(compareHeads)
    .slice(0, MOST_ORDERED);
}

/** The newest posts of channels since a moment, with their ranks. */
export async function newestSince(
  { database }: Pick<Context, 'database'>,
  channelIds: readonly Id[],
  { sort, from }: { readonly sort: PeriodSort; readonly from: string },
): Promise<readonly Head[]> {
  const ranks = new Map<string, number>();
  // Merged by their ids: as all ranks are alike, the newest come first.
  const read = async (ids: readonly Id[], each: number) => {
    const heads = await selectHeads(database.reader, ids, { sort, isByTime: true, from, each });
    return new Map(
      Array.from(heads, ([id, some]) => {
        for (const head of some) ranks.set(head.id, head.rank);
        return [id, some.map((head) => ({ id: head.id, rank: 0 }))] as const;
      }),
    );
  };
  const newest = await mergeHeads(channelIds, { wanted: MOST_CANDIDATES, read });
  return newest.map(({ id }) => ({ id, rank: ranks.get(id) ?? 0 }));
}
