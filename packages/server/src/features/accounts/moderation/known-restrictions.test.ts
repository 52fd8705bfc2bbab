import { fakeClock } from '@hearth/testing/fake-clock';
import { openTestContext } from '@hearth/testing/instances/test-context';
import { until } from '@hearth/testing/until';
import { expect, test } from 'bun:test';
import { OWNER } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Database } from '../../../ports/database/database.ts';
import type { Limiter } from '../../../ports/limiter/limiter.ts';
import { KnownRestrictions } from './known-restrictions.ts';
import { LimitedGuesses } from './limited-guesses.ts';
import { pause, resume } from './owner-restrictions.ts';

const PAUSE = { what: ['posting'], term: {} } as const;

/** Restrictions of an instance whose database can be cut off, and how often it was read. */
async function stage() {
  const ctx = await openTestContext();
  const state = { reads: 0, isAway: false, hears: true };
  const database: Pick<Database, 'reader' | 'onChange' | 'hearChanges'> = {
    get reader() {
      state.reads += 1;
      if (state.isAway) throw new Error('the database is away');
      return ctx.database.reader;
    },
    onChange: (listener) =>
      ctx.database.onChange((changes) => {
        if (state.hears) listener(changes);
      }),
    hearChanges: () => state.hears && ctx.database.hearChanges(),
  };
  const clock = fakeClock();
  const { guesses } = ctx.restrictions;
  const known = await KnownRestrictions.open({ database, clock, log: ctx.log, guesses });
  return {
    ctx,
    state,
    clock,
    known,
    async [Symbol.asyncDispose]() {
      await known[Symbol.asyncDispose]();
      await ctx[Symbol.asyncDispose]();
    },
  };
}

/** Guesses whose counts wait, as they do for Redis, until `held` is resolved. */
function holdingGuesses({ limiter }: Pick<Context, 'limiter'>) {
  const held = Promise.withResolvers<void>();
  const take: Limiter['take'] = async (bucket, client) => {
    await held.promise;
    return limiter.take(bucket, client);
  };
  return { held, guesses: new LimitedGuesses({ limiter: { take }, clock: fakeClock() }) };
}

test('[MO3] what is in force is known without the database until it changes', async () => {
  await using on = await stage();
  const { ctx, known, state } = on;
  const { reads } = state;
  for (let round = 0; round < 100; round += 1) expect(known.current()).toBe(known.latest);
  expect([state.reads, known.latest.isNothing]).toEqual([reads, true]);
  await pause(ctx, OWNER, PAUSE);
  expect(await known.current()).toMatchObject({ isNothing: false, pauses: { posting: {} } });
  expect(known.current()).toBe(known.latest);
  expect(state.reads).toBe(reads + 1);
});

test('[MO3] listeners are called when something has changed', async () => {
  await using on = await stage();
  const { ctx, known } = on;
  const heard: boolean[] = [];
  known.onChange(({ isNothing }) => heard.push(isNothing));
  await pause(ctx, OWNER, PAUSE);
  await known.current();
  await resume(ctx, OWNER, ['posting']);
  await known.current();
  expect(heard).toEqual([false, true]);
});

test('[MO4] a process that may be missing changes asks the database each time', async () => {
  await using on = await stage();
  const { ctx, known, state, clock } = on;
  expect((await known.current()).isNothing).toBe(true);
  state.hears = false;
  await pause(ctx, OWNER, PAUSE);
  clock.advance(200);
  expect((await known.current()).pauses).toEqual({ posting: {} });
  await resume(ctx, OWNER, ['posting']);
  expect((await known.current()).pauses).toEqual({});
});

test('[MO4] if the database does not answer either, nothing is allowed that may be restricted', async () => {
  await using on = await stage();
  const { ctx, known, state, clock } = on;
  await pause(ctx, OWNER, PAUSE);
  await known.current();
  state.hears = false;
  state.isAway = true;
  clock.advance(200);
  await expect(known.current()).rejects.toMatchObject({ name: 'ServerError' });
  state.isAway = false;
  clock.advance(500);
  const isKnown = async () => known.current();
  await until(() =>
    isKnown().then(
      () => true,
      () => false,
    ),
  );
  expect((await known.current()).pauses).toEqual({ posting: {} });
});

test('[MO4] if nothing was restricted, an instance without its database works as before', async () => {
  await using on = await stage();
  const { known, state, clock } = on;
  await known.current();
  state.hears = false;
  state.isAway = true;
  clock.advance(200);
  expect((await known.current()).isNothing).toBe(true);
});

test('[MO19] no more than the limit of many codes at once are compared, even if counting takes a while', async () => {
  await using ctx = await openTestContext();
  const { held, guesses } = holdingGuesses(ctx);
  const compared: number[] = [];
  const tried = Array.from({ length: 60 }, (_, at) =>
    guesses.isRight('192.0.2.1', () => {
      compared.push(at);
      return at === 40;
    }),
  );
  // Neither another client nor its right codes wait.
  const others = Array.from({ length: 20 }, () => guesses.isRight('192.0.2.2', () => true));
  expect(await Promise.all(others)).not.toContain(false);
  expect(compared).toEqual([0]);
  held.resolve();
  const results = await Promise.allSettled(tried);
  expect(compared).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const refused = results.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(50);
});

test('[MO19] a right code is taken after the wrong one of the same client that is being counted', async () => {
  await using ctx = await openTestContext();
  const { held, guesses } = holdingGuesses(ctx);
  const wrong = guesses.isRight('192.0.2.1', () => false);
  let isCompared = false;
  const right = guesses.isRight('192.0.2.1', () => (isCompared = true));
  await guesses.isRight('192.0.2.2', () => true);
  expect(isCompared).toBe(false);
  held.resolve();
  expect(await Promise.all([wrong, right])).toEqual([false, true]);
});
