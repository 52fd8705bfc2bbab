import { NotFoundError } from '@hearth/protocol';
import { fakeClock, type FakeClock } from '@hearth/testing/fake-clock';
import { onEachDatabase, type TestDatabase } from '@hearth/testing/servers/each-database';
import { until } from '@hearth/testing/until';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { z } from 'zod';
import { OWNER } from '../../../actor.ts';
import { jsonLogger } from '../../../log/logger.ts';
import type { Database } from '../../../ports/database/database.ts';
import { ownerOutbox } from '../../../ports/outbox/outbox.ts';
import {
  addJob,
  type NewJobOptions,
  JobFailedError,
  type Attempt,
  type JobKind,
} from './job-kind.ts';
import { JobRunner } from './job-runner.ts';
import { listJobs, removeJob, retryJob, sweepFailedJobs } from './manage-jobs.ts';
import { takeDueJobs } from './store.ts';

const MINUTE_MS = 60_000;

/** A limit of attempts that is over before their lease, after which they would be taken for lost. */
const LIMIT_MS = 30_000;
const log = jsonLogger('silent', () => {});

/** A kind whose jobs do what `run` says, which may be changed. */
function greeting(
  options: Partial<Pick<JobKind, 'atOnce' | 'mostAttempts' | 'everyMs' | 'limitMs'>> = {},
) {
  const done: string[] = [];
  const kind = {
    name: 'greeting',
    parse: (json: unknown) => z.object({ whom: z.string() }).parse(json),
    atOnce: 2,
    mostAttempts: 3,
    ...options,
    run: async (_payload: { readonly whom: string }, _attempt: Attempt): Promise<void> => {},
  };
  kind.run = async ({ whom }) => void done.push(whom);
  return { kind, done };
}

onEachDatabase((open) => {
  describe('jobs', () => {
    let database: TestDatabase;
    let clock: FakeClock;

    beforeEach(async () => {
      database = await open();
      clock = fakeClock();
    });
    afterEach(() => database[Symbol.asyncDispose]());

    const runner = (kinds: readonly JobKind[], of: Database = database) =>
      new JobRunner({ database: of, clock, log, kinds, graceMs: 1 });
    const ctx = () => ({ database: ownerOutbox(database), clock });
    const all = () => listJobs(ctx(), OWNER, { isFailed: false });
    const add = (kind: JobKind, payload: unknown, options: Partial<NewJobOptions<unknown>> = {}) =>
      database.transaction((tx) =>
        addJob(tx, kind, { payload, nowMs: clock.unixMs(), ...options }),
      );
    /** Returns whether no job of the kind is waiting or being done. */
    const isDone = (kind: string) => async () => {
      return !(await all()).some((job) => job.kind === kind && job.state === 'waiting');
    };

    test('[JB1] that are added are done once, and forgotten', async () => {
      const { kind, done } = greeting();
      await using _runner = runner([kind]);
      for (const whom of ['ada', 'grace', 'alan']) await add(kind, { whom });
      await until(isDone('greeting'));
      expect(done.toSorted()).toEqual(['ada', 'alan', 'grace']);
      expect(await all()).toEqual([]);
    });

    test('[JB1] jobs are looked for again whenever that is asked, also while a look ends', async () => {
      let looks = 0;
      const counting = {
        ...clock,
        unixMs() {
          looks += 1;
          return clock.unixMs();
        },
      };
      await using own = new JobRunner({ database, clock: counting, log, kinds: [] });
      for (let ticks = 0; ticks < 200; ticks += 1) {
        void own.look();
        for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
        const before = looks;
        await own.look();
        expect(looks).toBeGreaterThan(before);
      }
    });

    test('[JB1] jobs of a transaction that is rolled back are not done', async () => {
      const { kind, done } = greeting();
      const failed = database.transaction(async (tx) => {
        await addJob(tx, kind, { payload: { whom: 'nobody' }, nowMs: clock.unixMs() });
        throw new Error('changed my mind');
      });
      await expect(failed).rejects.toThrow('changed my mind');
      await using own = runner([kind]);
      await own.look();
      expect([done, await all()]).toEqual([[], []]);
    });

    test('[JB2] jobs are done by one of several processes, of each kind so many at once', async () => {
      const { kind, done } = greeting({ atOnce: 3 });
      let running = 0;
      let most = 0;
      kind.run = async ({ whom }) => {
        most = Math.max(most, (running += 1));
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        done.push(whom);
      };
      const names = Array.from({ length: 40 }, (_, index) => `${index}`);
      for (const whom of names) await add(kind, { whom });
      await using other = await database.openAgain();
      await using _one = runner([kind]);
      await using _two = runner([kind], other);
      await until(isDone('greeting'));
      expect(done.toSorted()).toEqual(names.toSorted());
      expect(most).toBeWithin(1, 7);
    });

    test('[JB1] with an id are added once', async () => {
      const { kind, done } = greeting();
      for (const whom of ['first', 'second']) await add(kind, { whom }, { id: 'the one' });
      await using _runner = runner([kind]);
      await until(isDone('greeting'));
      expect(done).toEqual(['first']);
    });

    test('[JB1] for later are done when they are due', async () => {
      const { kind, done } = greeting();
      await add(kind, { whom: 'later' }, { dueAtMs: clock.unixMs() + MINUTE_MS });
      await using own = runner([kind]);
      await own.look();
      expect(done).toEqual([]);
      clock.advance(MINUTE_MS);
      await until(isDone('greeting'));
      expect(done).toEqual(['later']);
    });

    test('[JB3] that fail are tried again, later each time, and then count as failed', async () => {
      const { kind } = greeting({ mostAttempts: 3 });
      const numbers: number[] = [];
      kind.run = async (_payload, { number }) => {
        numbers.push(number);
        throw new Error(`no luck ${number}`);
      };
      const id = await add(kind, { whom: 'ada' });
      await using own = runner([kind]);
      for (const [failures, leastMs, mostMs] of [
        [1, 7_500, 10_000],
        [2, 15_000, 20_000],
      ] as const) {
        await until(async () => (await all())[0]?.error === `no luck ${failures}`);
        const dueInMs = ((await all())[0]?.dueAtMs ?? 0) - clock.unixMs();
        expect(dueInMs).toBeWithin(leastMs, mostMs + 1);
        clock.halt(dueInMs - 1);
        await own.look();
        expect(numbers).toHaveLength(failures);
        clock.halt(1);
        await own.look();
      }
      await until(isDone('greeting'));
      expect(numbers).toEqual([1, 2, 3]);
      const failed = { id, kind: 'greeting', state: 'failed', attempts: 3, error: 'no luck 3' };
      expect(await listJobs(ctx(), OWNER, { isFailed: true })).toMatchObject([failed]);
    });

    test('[JB3] for which trying again is useless fail at once, and can be retried by the owner', async () => {
      const { kind, done } = greeting();
      const succeed = kind.run;
      kind.run = async () => {
        throw new JobFailedError('nobody has this address');
      };
      const id = await add(kind, { whom: 'ada' });
      const invalid = await add(kind, { who: 'ada' });
      await using _runner = runner([kind]);
      await until(isDone('greeting'));
      expect((await all()).map(({ attempts }) => attempts)).toEqual([1, 1]);
      expect((await all()).find((job) => job.id === invalid)?.error).toStartWith(
        'the payload is invalid',
      );
      kind.run = succeed;
      await retryJob(ctx(), OWNER, id);
      await until(isDone('greeting'));
      expect(done).toEqual(['ada']);
      await removeJob(ctx(), OWNER, invalid);
      expect(await all()).toEqual([]);
      await expect(removeJob(ctx(), OWNER, invalid)).rejects.toThrow(NotFoundError);
      await expect(retryJob(ctx(), OWNER, id)).rejects.toThrow(NotFoundError);
    });

    test('[JB4] jobs of a process that was killed are taken over a minute later', async () => {
      const { kind, done } = greeting();
      const id = await add(kind, { whom: 'ada' });
      const nowMs = clock.unixMs();
      const lease = { by: 'the killed one', nowMs, untilMs: nowMs + MINUTE_MS };
      await database.transaction(({ sql }) =>
        takeDueJobs(sql, { kind: kind.name, limit: 1 }, lease),
      );
      await using own = runner([kind]);
      await own.look();
      clock.advance(MINUTE_MS - 1_000);
      await own.look();
      expect([done, (await all()).map((job) => job.id)]).toEqual([[], [id]]);
      clock.advance(6_000);
      await until(isDone('greeting'));
      expect(done).toEqual(['ada']);
    });

    test('[JB1][JB4][SC27] jobs do not wait until a clock that was set back has caught up', async () => {
      const { kind, done } = greeting();
      const nowMs = clock.unixMs();
      clock.setUnixMs(nowMs + 60 * MINUTE_MS);
      await add(kind, { whom: 'ada' });
      clock.setUnixMs(nowMs);
      await add(kind, { whom: 'grace' }, { dueAtMs: nowMs + MINUTE_MS });
      await using own = runner([kind]);
      await until(async () => done.length === 1);
      expect(done).toEqual(['ada']);
      await own.look();
      // A process that was killed had taken this one.
      const aheadMs = nowMs + 60 * MINUTE_MS;
      const lease = { by: 'killed', nowMs: aheadMs, untilMs: aheadMs + MINUTE_MS };
      await database.transaction(({ sql }) =>
        takeDueJobs(sql, { kind: kind.name, limit: 1 }, lease),
      );
      clock.halt(MINUTE_MS);
      await own.look();
      await until(async () => (await all()).every(({ error }) => error !== ''));
      clock.advance(MINUTE_MS);
      await until(isDone('greeting'));
      expect(done).toEqual(['ada', 'grace']);
    });

    test('[JB4] that kill each process that tries them count as failed after the last attempt', async () => {
      const { kind: greet, done } = greeting({ mostAttempts: 3 });
      const givenUp: unknown[] = [];
      const kind = { ...greet, giveUp: async (_: unknown, job: unknown) => void givenUp.push(job) };
      const id = await add(kind, { whom: 'ada' });
      const dieTrying = async () => {
        const nowMs = clock.unixMs();
        const lease = { by: `killed at ${nowMs}`, nowMs, untilMs: nowMs + MINUTE_MS };
        const one = { kind: kind.name, limit: 1 };
        const [taken] = await database.transaction(({ sql }) => takeDueJobs(sql, one, lease));
        clock.halt(MINUTE_MS);
        return taken;
      };
      expect(await dieTrying()).toMatchObject({ id, attempts: 1, wasLost: false });
      expect(await dieTrying()).toMatchObject({ id, attempts: 2, wasLost: true });
      expect(await dieTrying()).toMatchObject({ id, attempts: 3, wasLost: true });
      await using _runner = runner([kind]);
      await until(isDone('greeting'));
      const error = 'the process ended during the attempt';
      const failed = { id, state: 'failed', attempts: 3, error };
      expect(await listJobs(ctx(), OWNER, { isFailed: true })).toMatchObject([failed]);
      expect([done, givenUp]).toEqual([[], [{ whom: 'ada' }]]);
    });

    test('[JB4] that kill their process are tried less and less often, however often they are tried', async () => {
      const { kind, done } = greeting({ mostAttempts: Infinity });
      const id = await add(kind, { whom: 'ada' });
      const nowMs = clock.unixMs();
      const lost = { attempts: 5, leased_by: 'the killed one', leased_until_ms: nowMs };
      await database.transaction(({ sql }) =>
        sql.updateTable('jobs').set(lost).where('key', '=', id).execute(),
      );
      await using own = runner([kind]);
      await until(async () => (await all())[0]?.error !== '');
      expect(await all()).toMatchObject([{ id, state: 'waiting', attempts: 5 }]);
      const dueInMs = ((await all())[0]?.dueAtMs ?? 0) - nowMs;
      expect(dueInMs).toBeWithin(MINUTE_MS, 100_001);
      clock.halt(dueInMs - 1);
      await own.look();
      expect(done).toEqual([]);
      clock.halt(1);
      await own.look();
      await until(isDone('greeting'));
      expect(done).toEqual(['ada']);
    });

    test('[JB4] jobs stay with their process as long as they take', async () => {
      const { kind, done } = greeting();
      const begun = Promise.withResolvers<void>();
      const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
      kind.run = async ({ whom }) => {
        begun.resolve();
        await mayEnd;
        done.push(whom);
      };
      await add(kind, { whom: 'ada' });
      await using _runner = runner([kind]);
      await begun.promise;
      const leasedUntil = async () => (await all())[0]?.leasedUntilMs ?? 0;
      for (let minute = 0; minute < 3; minute += 1) {
        const before = await leasedUntil();
        clock.halt(MINUTE_MS / 2);
        await until(async () => (await leasedUntil()) > before);
      }
      await using other = runner([kind]);
      await other.look();
      end();
      await until(isDone('greeting'));
      expect(done).toEqual(['ada']);
    });

    test('[JB4] that a stop interrupts are waiting again, and have not failed', async () => {
      const { kind, done } = greeting();
      const succeed = kind.run;
      const begun = Promise.withResolvers<void>();
      kind.run = async (_payload, { signal }) => {
        begun.resolve();
        await new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        });
      };
      await add(kind, { whom: 'ada' });
      {
        await using _stopped = runner([kind]);
        await begun.promise;
      }
      expect(await all()).toMatchObject([{ state: 'waiting', attempts: 0, error: '' }]);
      kind.run = succeed;
      await using _next = runner([kind]);
      await until(isDone('greeting'));
      expect(done).toEqual(['ada']);
    });

    test('[JB4] that are removed while they run are interrupted', async () => {
      const { kind } = greeting();
      const begun = Promise.withResolvers<void>();
      const ended = Promise.withResolvers<void>();
      kind.run = async (_payload, { signal }) => {
        begun.resolve();
        await new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => resolve());
        });
        ended.resolve();
      };
      const id = await add(kind, { whom: 'ada' });
      await using _runner = runner([kind]);
      await begun.promise;
      await removeJob(ctx(), OWNER, id);
      clock.advance(MINUTE_MS / 2);
      await ended.promise;
      expect(await all()).toEqual([]);
    });

    test('[JB7] that hang whatever their signal says give up their places, and count as failed', async () => {
      const { kind, done } = greeting({ atOnce: 2, mostAttempts: 1, limitMs: LIMIT_MS });
      const succeed = kind.run;
      const signals: AbortSignal[] = [];
      kind.run = (_payload, { signal }) => {
        signals.push(signal);
        return new Promise(() => {});
      };
      const hanging = await Promise.all(['ada', 'grace'].map((whom) => add(kind, { whom })));
      await using _runner = runner([kind]);
      await until(async () => signals.length === 2);
      kind.run = succeed;
      await add(kind, { whom: 'alan' });
      clock.halt(LIMIT_MS - 1);
      expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
      clock.halt(1);
      await until(isDone('greeting'));
      expect(done).toEqual(['alan']);
      const failed = await listJobs(ctx(), OWNER, { isFailed: true });
      expect(failed.map(({ id }) => id).toSorted()).toEqual(hanging.toSorted());
      for (const { error } of failed) expect(error).toBe('it took longer than 30 s');
    });

    test('[JB7] that take too long are tried again, and what they do afterwards changes nothing', async () => {
      const { kind, done } = greeting({ limitMs: LIMIT_MS });
      const succeed = kind.run;
      const late = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      kind.run = () => {
        begun.resolve();
        return late.promise;
      };
      const id = await add(kind, { whom: 'ada' });
      await using own = runner([kind]);
      await begun.promise;
      clock.halt(LIMIT_MS);
      await until(async () => (await all())[0]?.error === 'it took longer than 30 s');
      late.resolve();
      await own.look();
      expect(await all()).toMatchObject([{ id, state: 'waiting', attempts: 1 }]);
      kind.run = succeed;
      clock.halt(MINUTE_MS);
      await until(isDone('greeting'));
      expect(done).toEqual(['ada']);
    });

    test('[JB7] that hang do not stop the process from stopping', async () => {
      const { kind } = greeting();
      const begun = Promise.withResolvers<void>();
      kind.run = () => {
        begun.resolve();
        return new Promise(() => {});
      };
      const id = await add(kind, { whom: 'ada' });
      {
        await using _stopped = runner([kind]);
        await begun.promise;
      }
      expect(await all()).toMatchObject([{ id, state: 'waiting', attempts: 0, error: '' }]);
    });

    test('[JB5] that always exist are done once in their time, however many processes there are', async () => {
      const { kind } = greeting({ everyMs: 10 * MINUTE_MS });
      let runs = 0;
      kind.parse = () => ({ whom: '' });
      kind.run = async () => void (runs += 1);
      await using other = await database.openAgain();
      await using one = runner([kind]);
      await using two = runner([kind], other);
      for (let time = 1; time <= 3; time += 1) {
        await until(async () => {
          await Promise.all([one.look(), two.look()]);
          return runs === time && (await all())[0]?.attempts === 0;
        });
        clock.halt(9 * MINUTE_MS);
        await Promise.all([one.look(), two.look()]);
        expect(runs).toBe(time);
        clock.halt(MINUTE_MS);
      }
      expect(await all()).toHaveLength(1);
    });

    test('[JB5] that failed are forgotten after 30 days', async () => {
      const { kind } = greeting();
      kind.run = async () => {
        throw new JobFailedError('never');
      };
      await add(kind, { whom: 'ada' });
      const kinds = [kind, sweepFailedJobs(ctx())];
      await using own = runner(kinds);
      await until(isDone('greeting'));
      const kindsLeft = async () => (await all()).map((job) => job.kind).toSorted();
      clock.halt(29 * 24 * 60 * MINUTE_MS);
      const isSwept = async () => {
        await own.look();
        return (await all()).some((job) => job.state === 'waiting' && job.dueAtMs > clock.unixMs());
      };
      await until(isSwept);
      expect(await kindsLeft()).toEqual(['greeting', 'sweep-failed-jobs']);
      clock.halt(2 * 24 * 60 * MINUTE_MS);
      await until(isSwept);
      expect(await kindsLeft()).toEqual(['sweep-failed-jobs']);
    });
  });
});
