import { expect } from 'bun:test';
import { until } from '../until.ts';
import { Recorder } from './bus-recorder.ts';
import { countsIn, numbersIn, rowsIn } from './emit-counted.ts';
import { emittingProcess, SUBJECTS, type SharedInstance } from './emitting-process.ts';
import { sharedPlace } from './outbox-places.ts';

/** How many commits a process may see before it is killed, at most. */
const MOST_COMMITS = 40;

/**
 * Kills processes that emit, `kills` times, each at a random commit and beside another one that goes on. In the end a
 * process that emits nothing has published everything that was committed, once and in order.
 */
export async function expectPublishedInSpiteOf(
  kills: number,
  instance: SharedInstance,
): Promise<void> {
  await using witness = await sharedPlace(instance.environment, instance.prefix).open();
  const follower = new Recorder();
  const subscription = await witness.bus.subscribe(follower);
  let beside = emittingProcess(instance);
  for (let kill = 0; kill < kills; kill += 1) {
    await using victim = beside;
    beside = emittingProcess(instance);
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
    const published = numbersIn(follower, subject);
    expect(published).toEqual(published.map((_, index) => index + 1));
    expect(published).toHaveLength(committed.get(subject) ?? 0);
  }
}
