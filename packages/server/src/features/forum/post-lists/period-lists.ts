import { firstIdAt, type Id, type PostPeriod } from '@hearth/protocol';
import { idSchema, POST_PERIODS } from '@hearth/protocol/schemas';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { DAY_MS } from '../../../lib/clock.ts';
import { ageOf } from '../../../lib/stored-moment.ts';
import type { Context } from '../../../context.ts';
import { addJob, type JobKind } from '../../platform/jobs/jobs.ts';
import { packIds } from '../../../ports/database/packed-ids.ts';
import type { Head } from './merge-heads.ts';
import { selectPeriodLists, type PeriodKey } from './store.ts';

const DAYS = { day: 1, week: 7, month: 30, year: 365 } as const satisfies Readonly<
  Record<PostPeriod, number>
>;

/** The smallest id of a post that was written in a period that ends now, as it is stored. */
export function beginOf(period: PostPeriod, nowMs: number): string {
  return packIds([firstIdAt(nowMs - DAYS[period] * DAY_MS)]);
}

/** The age of a list of a period at which it is made again. */
export const PERIOD_LIST_FRESH_MS = 10 * 60_000;

/** The number of channels of which one job makes lists. */
export const LISTS_OF_A_JOB = 50;

/** Older lists are not used. */
const PERIOD_LIST_USED_MS = 60 * 60_000;

const payloadSchema = z.object({
  channel_ids: z.array(idSchema),
  sort: z.enum(['top', 'controversial']),
  since: z.enum(POST_PERIODS),
});

export type PeriodListsPayload = z.infer<typeof payloadSchema>;

export const MAKE_PERIOD_LISTS: Pick<JobKind<PeriodListsPayload>, 'name' | 'parse'> = {
  name: 'make-period-lists',
  parse: (json) => payloadSchema.parse(json),
};

/**
 * Reads the heads of the lists of channels for a period. Channels that have no list yet are left out. A job makes what
 * is missing, and again what is older than ten minutes.
 */
export async function headsOfPeriod(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  channelIds: readonly Id[],
  { sort, since }: PeriodKey,
): Promise<ReadonlyMap<Id, readonly Head[]>> {
  const nowMs = clock.unixMs();
  const lists = await selectPeriodLists(database.reader, channelIds, { sort, since });
  const fresh = lists.filter(({ madeAtMs }) => ageOf(madeAtMs, nowMs) < PERIOD_LIST_FRESH_MS);
  const isFresh = new Set(fresh.map(({ channelId }) => channelId));
  const due = channelIds.filter((id) => !isFresh.has(id));
  if (due.length > 0) await addLists(database, due, { sort, since, nowMs });
  const used = lists.filter(({ madeAtMs }) => ageOf(madeAtMs, nowMs) < PERIOD_LIST_USED_MS);
  return new Map(used.map(({ channelId, heads }) => [channelId, heads]));
}

/** Adds the jobs that make lists, each of so few channels that other jobs get their turn. */
async function addLists(
  database: Context['database'],
  due: readonly Id[],
  { sort, since, nowMs }: PeriodKey & { readonly nowMs: number },
): Promise<void> {
  const span = Math.floor(nowMs / PERIOD_LIST_FRESH_MS);
  await database.transaction(async (tx) => {
    for (let from = 0; from < due.length; from += LISTS_OF_A_JOB) {
      const some = due.slice(from, from + LISTS_OF_A_JOB);
      const key = createHash('sha256').update(some.join(' ')).digest('base64url');
      const id = `${MAKE_PERIOD_LISTS.name} ${sort} ${since} ${span} ${key}`;
      const payload = { channel_ids: some, sort, since };
      await addJob(tx, MAKE_PERIOD_LISTS, { payload, nowMs, id });
    }
  });
}
