import { busBetween } from '@hearth/testing/ports/bus-between';
import { emitCounted, numbersIn, rowsIn } from '@hearth/testing/ports/emit-counted';
import type { OutboxPlace } from '@hearth/testing/ports/outbox-places';
import { until } from '@hearth/testing/until';
import { expect, test } from 'bun:test';
import { systemClock, type Clock } from '../../lib/clock.ts';
import type { EmittingDatabase } from './outbox.ts';

/** The time in milliseconds that a verb may wait for the publication of its events. */
const PUBLISHED_BY_MS = 2_000;

/** The number of events that fit in one commit without keeping other transactions waiting for too long. */
const EVENTS_OF_A_COMMIT = 100;

const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** The clock of a process that polls the outbox 20 times as often as usual. */
const IN_A_HURRY: Clock = {
  ...systemClock,
  every: (ms, run) => systemClock.every(ms / 20, run),
};

async function emitMany(owner: EmittingDatabase, subject: string, count: number): Promise<void> {
  for (let left = count; left > 0; left -= EVENTS_OF_A_COMMIT) {
    await owner.transaction(async (tx) => {
      for (const _ of range(Math.min(left, EVENTS_OF_A_COMMIT))) await emitCounted(tx, subject);
    });
  }
}

/** Proves what every outbox promises about events that wait to be published. */
export function backlogContract(open: () => Promise<OutboxPlace>): void {
  test('[OB2] many events of a subject are published in few round trips to the bus', async () => {
    await using place = await open();
    await using owner = await place.openOwner();
    await emitMany(owner, 'channel 1', 600);
    let turns = 0;
    let turn: Promise<void> | undefined;
    const { follower, wrap } = busBetween(async (bus, ...given) => {
      turn ??= new Promise<void>((resolve) => setTimeout(resolve, 1)).then(() => {
        turns += 1;
        turn = undefined;
      });
      await turn;
      return bus.publishNext(...given);
    });
    await using instance = await place.open({ bus: wrap });
    await until(async () => (await rowsIn(instance.database)) === 0);
    await until(async () => follower.taken.length >= 600);
    expect(numbersIn(follower, 'channel 1')).toEqual(range(600));
    expect(turns).toBeLessThan(100);
  });

  test('[OB1] a transaction resolves about a second after its commit, even if its events wait longer', async () => {
    await using place = await open();
    await using owner = await place.openOwner();
    await emitMany(owner, 'channel 1', 1);
    const { promise: isOpen, resolve: openGate } = Promise.withResolvers<void>();
    const { follower, wrap } = busBetween(async (bus, ...given) => {
      await isOpen;
      return bus.publishNext(...given);
    });
    await using instance = await place.open({ bus: wrap });
    const startedAtMs = performance.now();
    await instance.database.transaction((tx) => emitCounted(tx, 'channel 1'));
    expect(performance.now() - startedAtMs).toBeLessThan(PUBLISHED_BY_MS);
    expect(follower.all).toEqual([]);
    openGate();
    await until(async () => (await rowsIn(instance.database)) === 0);
    await until(async () => follower.taken.length >= 2);
    expect(numbersIn(follower, 'channel 1')).toEqual([1, 2]);
  });

  test('[OB2] waiting events are published once and in order, even if the bus refuses, forgets and loses answers', async () => {
    await using place = await open();
    await using owner = await place.openOwner();
    const subjects = ['channel 1', 'channel 2'];
    for (const subject of subjects) await emitMany(owner, subject, 300);
    let calls = 0;
    const { follower, wrap } = busBetween(async (bus, publication, numbered) => {
      calls += 1;
      const call = calls;
      if (call % 90 === 40) throw new Error('refused');
      if (call % 35 === 0 && numbered.after === undefined) return { state: 'unknown' };
      const verdict = await bus.publishNext(publication, numbered);
      if (call % 90 === 80) throw new Error('the answer was lost');
      return verdict;
    });
    await using instance = await place.open({ bus: wrap, clock: IN_A_HURRY });
    await until(async () => (await rowsIn(instance.database)) === 0);
    await until(async () => follower.taken.length >= 600);
    for (const subject of subjects) expect(numbersIn(follower, subject)).toEqual(range(300));
  });
}
