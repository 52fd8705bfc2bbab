import { expect } from 'bun:test';
import { until } from '../until.ts';
import { busBetween } from './bus-between.ts';
import { Recorder } from './bus-recorder.ts';
import { countsIn, emitCounted, entriesIn, numbersIn, rowsIn } from './emit-counted.ts';
import { emittingProcess, SUBJECTS } from './emitting-process.ts';
import type { OutboxPlace } from './outbox-places.ts';

/** The largest number of commits that a process sees before it is killed. */
const MOST_COMMITS = 40;

/**
 * Kills processes that emit, `kills` times, each at a random commit and beside another one that goes on. In the end a
 * process that emits nothing has published everything that was committed, once and in order.
 */
export async function expectPublishedInSpiteOf(kills: number, place: OutboxPlace): Promise<void> {
  await using witness = await place.open();
  const follower = new Recorder();
  const subscription = await witness.bus.subscribe(follower);
  let beside = emittingProcess(place.address);
  for (let kill = 0; kill < kills; kill += 1) {
    await using victim = beside;
    beside = emittingProcess(place.address);
    const commits = 1 + Math.floor(Math.random() * MOST_COMMITS);
    for (let commit = 0; commit < commits; commit += 1)
      expect(await victim.says()).toBe('committed');
    await victim.kill();
  }
  await beside.kill();
  await until(async () => (await rowsIn(witness.database)) === 0);
  await subscription.current();
  const committed = await countsIn(witness.database);
  for (const subject of SUBJECTS) {
    expect(entriesIn(follower, subject)).toEqual(entriesOf(1, committed.get(subject) ?? 0));
  }
}

/**
 * Kills processes that emit, `kills` times and each at a random commit, of an instance that is one process at a time,
 * while an owner's commands commit too. Every process publishes in order, and a last one publishes what is left and
 * goes on with the next numbers.
 */
export async function expectGoesOnInSpiteOf(kills: number, place: OutboxPlace): Promise<void> {
  await using owner = await place.openOwner();
  for (let kill = 0; kill < kills; kill += 1) {
    await using victim = emittingProcess(place.address);
    const commits = 1 + Math.floor(Math.random() * MOST_COMMITS);
    for (let commit = 0; commit < commits; commit += 1) {
      if (commit % 8 === 7) await owner.transaction((tx) => emitCounted(tx, SUBJECTS[0] ?? ''));
      expect(await victim.says()).toBe('committed');
    }
    await victim.kill();
  }
  const committed = await countsIn(owner);
  const { follower, wrap } = busBetween();
  await using last = await place.open({ bus: wrap });
  await until(async () => (await rowsIn(last.database)) === 0);
  for (const subject of SUBJECTS) {
    await last.database.transaction((tx) => emitCounted(tx, subject));
    const next = (committed.get(subject) ?? 0) + 1;
    await until(async () => numbersIn(follower, subject).includes(next));
    const published = numbersIn(follower, subject);
    expect(published).toEqual(published.map((_, index) => next - published.length + 1 + index));
  }
}

/** Returns what is published of commits that each emit an event and the end of an access. */
export function entriesOf(first: number, last: number): readonly string[] {
  const numbers = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
  return numbers.flatMap((n) => [`event ${n}`, `end ${n}`]);
}
