import { fakeClock } from '@hearth/testing/fake-clock';
import { testAccounts } from '@hearth/testing/instances/test-accounts';
import { historyDatabase } from '@hearth/testing/instances/history-database';
import { expect, test } from 'bun:test';
import { RateLimitedError, UnauthorizedError } from '@hearth/protocol';
import { failureOf } from '@hearth/testing/failure-of';
import { findExport, requestExport } from './request-export.ts';
import { noteProgress, selectExport } from './store.ts';

const HOUR_MS = 3_600_000;

test('[AC14] an archive that nobody has begun to make within an hour counts as failed, and another one can be asked for', async () => {
  await using database = await historyDatabase();
  const clock = fakeClock();
  await using accounts = await testAccounts(database, clock);
  const { ctx } = accounts;
  const actor = await accounts.person('ada');
  const asked = { state: 'working', requested_at: clock.unixMs(), done: 0, total: 0 } as const;
  const keyNow = async () => (await selectExport(database.reader, actor.user_id))?.key ?? '';
  expect(await requestExport(ctx, actor)).toEqual(asked);
  const first = await keyNow();
  clock.halt(HOUR_MS - 1);
  expect(await requestExport(ctx, actor)).toEqual(asked);
  expect([await findExport(ctx, actor), await keyNow()]).toEqual([asked, first]);
  clock.halt(1);
  const failed = { state: 'failed', requested_at: asked.requested_at } as const;
  expect(await findExport(ctx, actor)).toEqual(failed);
  const again = { ...asked, requested_at: clock.unixMs() };
  expect(await requestExport(ctx, actor)).toEqual(again);
  // There is still one job, which makes it.
  expect(await keyNow()).toBe(first);
  expect(await database.reader.selectFrom('jobs').select('key').execute()).toEqual([
    { key: `export-${first}` },
  ]);
  // One that was begun may take as long as it needs.
  const progress = { done: 1, total: 3 };
  await database.transaction(async ({ sql }) => noteProgress(sql, await keyNow(), progress));
  clock.halt(HOUR_MS);
  expect(await findExport(ctx, actor)).toEqual({ ...again, ...progress });
});

test('[AC14][SC27] an archive from before a clock was set back makes nobody wait for another one', async () => {
  await using database = await historyDatabase();
  const clock = fakeClock();
  await using accounts = await testAccounts(database, clock);
  const { ctx } = accounts;
  const actor = await accounts.person('ada');
  const nowMs = clock.unixMs();
  const asked = { state: 'working', requested_at: nowMs, done: 0, total: 0 } as const;
  clock.setUnixMs(nowMs + HOUR_MS);
  await requestExport(ctx, actor);
  clock.setUnixMs(nowMs);
  expect(await findExport(ctx, actor)).toMatchObject({ state: 'failed' });
  expect(await requestExport(ctx, actor)).toEqual(asked);
  await database.transaction(({ sql }) =>
    sql.updateTable('exports').set({ state: 'ready' }).execute(),
  );
  expect(await failureOf(requestExport(ctx, actor))).toEqual(new RateLimitedError(HOUR_MS));
  clock.setUnixMs(nowMs - 2_000);
  expect(await requestExport(ctx, actor)).toEqual({ ...asked, requested_at: nowMs - 2_000 });
});

test('[SC28] no archive is made of an account that ended after the token was checked', async () => {
  await using database = await historyDatabase();
  await using accounts = await testAccounts(database, fakeClock());
  const { ctx } = accounts;
  const actor = await accounts.person('ada');
  await database.transaction(({ sql }) =>
    sql.updateTable('users').set({ state: 'deleted' }).execute(),
  );
  expect(await failureOf(requestExport(ctx, actor))).toBeInstanceOf(UnauthorizedError);
  expect(await selectExport(database.reader, actor.user_id)).toBeUndefined();
});
