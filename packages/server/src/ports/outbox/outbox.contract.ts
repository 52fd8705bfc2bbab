import { formatId } from '@hearth/protocol';
import { busBetween } from '@hearth/testing/ports/bus-between';
import { Recorder } from '@hearth/testing/ports/bus-recorder';
import { countsIn, emitCounted, numbersIn, rowsIn } from '@hearth/testing/ports/emit-counted';
import type { OutboxMember, OutboxParts, OutboxPlace } from '@hearth/testing/ports/outbox-places';
import { runAll, settleAll } from '@hearth/testing/so-many-at-once';
import { until } from '@hearth/testing/until';
import { describe, expect, test } from 'bun:test';
import { systemClock, type Clock } from '../../lib/clock.ts';
import type { Bus } from '../bus/bus.ts';
import type { Database } from '../database/database.ts';
import { backlogContract } from './backlog.contract.ts';
import { killsContract } from './kills.contract.ts';
import type { Emitted, EmittingTransaction } from './outbox.ts';

const SUBJECTS = ['channel 1', 'channel 2', 'channel 3'];
const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** The clock of a process that polls the outbox only when it is notified. */
const WITHOUT_REGULAR_LOOKS: Clock = {
  ...systemClock,
  every: (ms, run) => (ms <= 250 ? systemClock.every(ms, run) : () => {}),
};

/** Proves what every outbox promises. `open` returns an empty place. */
export function outboxContract(
  name: string,
  open: () => Promise<OutboxPlace>,
  { skip = false } = {},
): void {
  describe.skipIf(skip)(`the outbox on ${name}`, () => {
    commitContract(open);
    orderContract(open);
    ownerContract(open);
    busContract(open);
    backlogContract(open);
    killsContract(open);
  });
}

/** A running process with a follower of its bus. */
async function start(place: OutboxPlace, parts?: OutboxParts) {
  const member = await place.open(parts);
  const follower = new Recorder();
  const subscription = await member.bus.subscribe(follower);
  return {
    ...member,
    follower,
    /** Waits until the follower has everything that was published, and returns the numbers of one subject. */
    async published(subject: string): Promise<readonly number[]> {
      await subscription.current();
      return numbersIn(follower, subject);
    },
  };
}

type Open = () => Promise<OutboxPlace>;

function commitContract(open: Open): void {
  test('[OB1] an event is published after the commit and before the transaction resolves', async () => {
    await using place = await open();
    await using instance = await start(place);
    await using owner = await place.openOwner();
    const committed: (number | undefined)[] = [];
    const witness = new Recorder(async () => {
      committed.push((await countsIn(owner)).get('channel 1'));
    });
    const subscription = await instance.bus.subscribe(witness);
    await instance.database.transaction((tx) => emitCounted(tx, 'channel 1'));
    await subscription.current();
    await until(async () => committed.length > 0);
    expect(committed).toEqual([1]);
    expect(await instance.published('channel 1')).toEqual([1]);
    expect(instance.follower.taken[0]).toMatchObject({ stream: 'c:1', event: { op: 'COUNTED' } });
  });

  test('[OB2] events that are emitted together are published in their order, and those of each subject are numbered', async () => {
    await using place = await open();
    await using instance = await start(place);
    const emitted = range(20).map((n): Emitted => {
      const subject = SUBJECTS[n % 2] ?? '';
      return [{ stream: 'c:1', event: { op: 'COUNTED', d: { subject, n } } }, { subject }];
    });
    for (const some of [emitted.slice(0, 3), emitted.slice(3)])
      await instance.database.transaction((tx) => tx.emitAll(some));
    const [even = '', odd = ''] = SUBJECTS;
    expect(await instance.published(odd)).toEqual(range(10).map((n) => 2 * n - 1));
    expect(await instance.published(even)).toEqual(range(10).map((n) => 2 * n));
  });

  test('[OB2] what gets its number at once, and what gets it at the end of the transaction, is published in order', async () => {
    await using place = await open();
    await using instance = await start(place);
    const numberIn = (tx: EmittingTransaction) =>
      tx.sql.selectFrom('subjects').select('number').where('subject', '=', 'channel 1').execute();
    const event = (n: number) => {
      return { stream: 'c:1', event: { op: 'COUNTED', d: { subject: 'channel 1', n } } };
    };
    await instance.database.transaction(async (tx) => {
      await tx.emit(event(1), { subject: 'channel 1' });
      expect(await numberIn(tx)).toEqual([]);
      await tx.takeNumbers();
      expect((await numberIn(tx)).map(({ number }) => Number(number))).toEqual([1]);
      await tx.emit(event(2), { subject: 'channel 1' });
    });
    expect(await instance.published('channel 1')).toEqual([1, 2]);
  });

  test('[OB1] nothing is published from a transaction that is rolled back', async () => {
    await using place = await open();
    await using instance = await start(place);
    const emit = (isKept: boolean) =>
      instance.database.transaction(async (tx) => {
        await emitCounted(tx, 'channel 1');
        if (!isKept) throw new Error('changed my mind');
      });
    for (const isKept of [true, false, false, true]) await emit(isKept).catch(() => {});
    expect(await instance.published('channel 1')).toEqual([1, 2]);
    expect(instance.follower.all).toHaveLength(2);
  });

  test('[OB1] an event is published once if its transaction is run again', async () => {
    await using place = await open();
    const rerunning = (database: Database): Database => ({
      ...database,
      async transaction(work, options) {
        const rolledBack = new Error('to be run again');
        const attempt = database.transaction(async (tx) => {
          await work(tx);
          throw rolledBack;
        });
        await attempt.catch((error: unknown) => expect(error).toBe(rolledBack));
        return database.transaction(work, options);
      },
    });
    await using instance = await start(place, { database: rerunning });
    await instance.database.transaction((tx) => emitCounted(tx, 'channel 1'));
    await instance.database.transaction((tx) => emitCounted(tx, 'channel 1'));
    expect(await instance.published('channel 1')).toEqual([1, 2]);
  });

  test('[OB1] a caller is called back once as soon as a transaction is committed, while its events are being published', async () => {
    await using place = await open();
    const { promise: mayPublish, resolve: publish } = Promise.withResolvers<void>();
    const { wrap } = busBetween(async (bus, ...given) => {
      await mayPublish;
      return await bus.publishNext(...given);
    });
    const rerunning = (database: Database): Database => ({
      ...database,
      async transaction(work, options) {
        const attempt = database.transaction(async (tx) => {
          await work(tx);
          throw new Error('to be run again');
        });
        await attempt.catch(() => {});
        return await database.transaction(work, options);
      },
    });
    await using instance = await place.open({ bus: wrap, database: rerunning });
    const { promise: called, resolve } = Promise.withResolvers<string>();
    const calls: string[] = [];
    const callBack = (tx: EmittingTransaction, call: string) =>
      tx.afterCommit(() => {
        calls.push(call);
        resolve(call);
      });
    const refused = instance.database.transaction(async (tx) => {
      callBack(tx, 'refused');
      throw new Error('changed my mind');
    });
    await refused.catch(() => {});
    const done = instance.database.transaction(async (tx) => {
      await emitCounted(tx, 'channel 1');
      callBack(tx, 'committed');
    });
    expect(await called).toBe('committed');
    publish();
    await done;
    expect(calls).toEqual(['committed']);
  });

  test('[OB1] an event, with or without a number, is refused after the work of its transaction has ended', async () => {
    await using place = await open();
    await using instance = await start(place);
    let late: EmittingTransaction | undefined;
    await instance.database.transaction(async (tx) => {
      late = tx;
      await emitCounted(tx, 'channel 1');
    });
    const event = { op: 'COUNTED', d: { subject: 'channel 1', n: 2 } };
    for (const subject of [{ subject: 'channel 1', number: 2 }, { subject: 'channel 1' }]) {
      const emitted = Promise.resolve(late?.emit({ stream: 'c:1', event }, subject));
      expect(await emitted.catch(String)).toContain('the transaction is over');
    }
    expect(await instance.published('channel 1')).toEqual([1]);
  });

  test('[OB1] the end of access is published like an event', async () => {
    await using place = await open();
    await using instance = await start(place);
    const end = { user: formatId({ seconds: 1, instanceId: 1, sequence: 1 }) };
    await instance.database.transaction(async (tx) => {
      await tx.emit({ stream: 'c:1', end }, { subject: 'channel 1' });
      await emitCounted(tx, 'channel 1');
    });
    await instance.published('channel 1');
    expect(instance.follower.all[0]).toEqual({ stream: 'c:1', end });
    expect(instance.follower.all).toHaveLength(2);
  });

  test('[OB1] a transaction is committed even if the instance stops before it can publish', async () => {
    await using place = await open();
    await using instance = await place.open();
    await instance.bus[Symbol.asyncDispose]();
    await instance.database.transaction((tx) => emitCounted(tx, 'channel 1'));
    expect([...(await countsIn(instance.database))]).toEqual([['channel 1', 1]]);
  });

  test('[OB6] the rows of published events are deleted', async () => {
    await using place = await open();
    await using instance = await start(place);
    await using owner = await place.openOwner();
    for (const database of [instance.database, owner]) {
      await runAll({ count: 30, atOnce: 6 }, (n) =>
        database.transaction((tx) => emitCounted(tx, `channel ${n % 3}`)),
      );
    }
    await until(async () => (await rowsIn(instance.database)) === 0);
    expect(instance.follower.taken).toHaveLength(60);
  });
}

function orderContract(open: Open): void {
  test('[OB2] the events of a subject are published in order, even if other transactions are rolled back at the same time', async () => {
    await using place = await open();
    await using instance = await start(place);
    const outcomes = await settleAll({ count: 90, atOnce: 9 }, (n) =>
      instance.database.transaction(async (tx) => {
        await emitCounted(tx, SUBJECTS[n % 3] ?? '');
        if (n % 5 === 0) throw new Error('changed my mind');
        if (n % 7 === 0) await emitCounted(tx, SUBJECTS[n % 3] ?? '');
      }),
    );
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(18);
    for (const subject of SUBJECTS) {
      const published = await instance.published(subject);
      expect(published.length).toBeGreaterThan(23);
      expect(published).toEqual(range(published.length));
    }
  });

  test('[OB1][OB2][SC25] events are published in order if transactions lock the same subjects in different orders', async () => {
    await using place = await open();
    await using instance = await start(place);
    const emitFor = (subjects: readonly string[]) =>
      instance.database.transaction(async (tx) => {
        for (const subject of subjects) {
          await emitCounted(tx, subject);
          await new Promise((resolve) => setImmediate(resolve));
        }
      });
    for (let round = 0; round < 2; round += 1) {
      // A deadlock on servers: one of them runs again.
      await Promise.all([emitFor(SUBJECTS), emitFor(SUBJECTS.toReversed())]);
    }
    for (const subject of SUBJECTS) expect(await instance.published(subject)).toEqual(range(4));
  });

  test('[OB2] the number that a caller has taken from its own row is used', async () => {
    await using place = await open();
    await using instance = await start(place);
    const event = { op: 'COUNTED', d: { subject: 'own', n: 1 } };
    const offer = (number: number) =>
      instance.database.transaction((tx) =>
        tx.emit({ stream: 'c:1', event }, { subject: 'own', number }),
      );
    await offer(1);
    await offer(2);
    expect(await instance.published('own')).toEqual([1, 1]);
    const subjects = await instance.database.reader.selectFrom('subjects').selectAll().execute();
    expect(subjects).toEqual([]);
  });
}

function ownerContract(open: Open): void {
  test('[OB5] the events of an owner’s command are published while the instance runs, in one order with its own events', async () => {
    await using place = await open();
    await using instance = await start(place);
    await using owner = await place.openOwner();
    for (let round = 0; round < 10; round += 1) {
      await owner.transaction((tx) => emitCounted(tx, 'channel 1'));
      if (round % 3 === 0) continue;
      await instance.database.transaction((tx) => emitCounted(tx, 'channel 1'));
    }
    await until(async () => (await instance.published('channel 1')).length === 16);
    expect(await instance.published('channel 1')).toEqual(range(16));
  });

  test('[OB5] the events of an owner’s command are published without waiting for the next regular poll', async () => {
    await using place = await open();
    await using instance = await start(place, { clock: WITHOUT_REGULAR_LOOKS });
    await using owner = await place.openOwner();
    for (const n of range(3)) {
      await owner.transaction((tx) => emitCounted(tx, 'channel 1'));
      await until(async () => (await instance.published('channel 1')).length === n);
    }
  });

  test('[OB2][OB5] any number of events for any number of subjects is published', async () => {
    await using place = await open();
    await using instance = await start(place, { clock: WITHOUT_REGULAR_LOOKS });
    await using owner = await place.openOwner();
    for (let round = 0; round < 6; round += 1) {
      await owner.transaction(async (tx) => {
        for (const n of range(100)) await emitCounted(tx, n % 2 ? 'channel 1' : `channel ${n}`);
        for (const _ of range(100)) await emitCounted(tx, 'channel 1');
      });
    }
    await until(async () => instance.follower.taken.length === 1_200);
    expect(await instance.published('channel 1')).toEqual(range(900));
    for (const n of [2, 50, 100])
      expect(await instance.published(`channel ${n}`)).toEqual(range(6));
  });

  test('[OB5] what an owner’s command and the instance emit at the same time is published in order', async () => {
    await using place = await open();
    await using instance = await start(place);
    await using owner = await place.openOwner();
    const emitMany = async (database: OutboxMember['database']) => {
      for (let n = 0; n < 20; n += 1) {
        await database.transaction((tx) => emitCounted(tx, SUBJECTS[n % 2] ?? ''));
      }
    };
    await Promise.all([emitMany(owner), emitMany(instance.database), emitMany(instance.database)]);
    await until(async () => instance.follower.taken.length >= 60);
    for (const subject of SUBJECTS.slice(0, 2)) {
      expect(await instance.published(subject)).toEqual(range(30));
    }
  });

  test('[OB5] the next start publishes the events that were committed while the instance did not run', async () => {
    await using place = await open();
    await using owner = await place.openOwner();
    for (const subject of [...SUBJECTS, ...SUBJECTS]) {
      await owner.transaction((tx) => emitCounted(tx, subject));
    }
    await using instance = await start(place);
    // The events may be published before the follower subscribes.
    await until(async () => (await rowsIn(instance.database)) === 0);
    for (const subject of SUBJECTS) {
      await instance.database.transaction((tx) => emitCounted(tx, subject));
      expect((await instance.published(subject)).at(-1)).toBe(3);
    }
  });
}

function busContract(open: Open): void {
  test('[OB2] publishing continues if the bus has forgotten a subject, or has missed some of its events', async () => {
    await using place = await open();
    let offered = 0;
    const forgetful = (bus: Bus): Bus => ({
      ...bus,
      publish: (publication) => bus.publish(publication),
      async publishNext(publication, numbered) {
        offered += 1;
        if (numbered.after === undefined)
          return { state: offered % 2 ? 'unknown' : 'missing', last: 0 };
        return bus.publishNext(publication, numbered);
      },
    });
    await using instance = await start(place, { bus: forgetful });
    for (let n = 0; n < 5; n += 1) {
      await instance.database.transaction((tx) => emitCounted(tx, 'channel 1'));
    }
    await until(async () => (await instance.published('channel 1')).length === 5);
    expect(await instance.published('channel 1')).toEqual(range(5));
  });
}
