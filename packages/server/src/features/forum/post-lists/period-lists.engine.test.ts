import type { Id } from '@hearth/protocol';
import { communityTest } from '@hearth/testing/communities';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { expect, test } from 'bun:test';
import { headsOfPeriod, LISTS_OF_A_JOB, MAKE_PERIOD_LISTS } from './period-lists.ts';

onEachDatabase((open) => {
  test('[LS12] lists of a period of many channels are made by several jobs, each of a few channels', async () => {
    await using own = await communityTest(open);
    // Guarantee: these are ids.
    const ids = Array.from({ length: 2 * LISTS_OF_A_JOB + 1 }, (_, at) => String(at + 1) as Id);
    const ask = () => headsOfPeriod(own.ctx, ids, { sort: 'top', since: 'year' });
    for (let asked = 0; asked < 2; asked += 1) expect((await ask()).size).toBe(0);
    const jobs = own.database.reader.selectFrom('jobs').select('payload');
    const rows = await jobs.where('kind', '=', MAKE_PERIOD_LISTS.name).execute();
    const made = rows.map(({ payload }) => MAKE_PERIOD_LISTS.parse(JSON.parse(payload)));
    expect(made.map((each) => each.channel_ids.length).toSorted((a, b) => a - b)).toEqual([
      1,
      LISTS_OF_A_JOB,
      LISTS_OF_A_JOB,
    ]);
    expect(new Set(made.flatMap((each) => each.channel_ids))).toEqual(new Set(ids));
  });
});
