import { busBetween } from '@hearth/testing/ports/bus-between';
import {
  countsIn,
  emitCounted,
  emitCountedAndEnd,
  entriesIn,
  rowsIn,
} from '@hearth/testing/ports/emit-counted';
import { emittingProcess, SUBJECTS } from '@hearth/testing/ports/emitting-process';
import { entriesOf } from '@hearth/testing/ports/outbox-kills';
import type { OutboxPlace } from '@hearth/testing/ports/outbox-places';
import { until } from '@hearth/testing/until';
import { expect, test } from 'bun:test';

const COMMITS = 6;

/** Proves what every outbox promises about processes that are killed between a commit and the publication. */
export function killsContract(open: () => Promise<OutboxPlace>): void {
  test('[OB2][OB3] the next start publishes the events and ends of access that a killed process left in rows', async () => {
    await using place = await open();
    await using owner = await place.openOwner();
    // A process that usually keeps no rows does keep them after rows of an owner's command.
    for (const subject of SUBJECTS) await owner.transaction((tx) => emitCountedAndEnd(tx, subject));
    await commitAndKill(place);
    const committed = await countsIn(owner);
    expect(await rowsIn(owner)).toBeGreaterThanOrEqual(2 * (SUBJECTS.length + COMMITS));
    const { follower, wrap } = busBetween();
    await using instance = await place.open({ bus: wrap });
    await until(async () => (await rowsIn(instance.database)) === 0);
    for (const subject of SUBJECTS) {
      await instance.database.transaction((tx) => emitCounted(tx, subject));
      const count = committed.get(subject) ?? 0;
      const expected = [...entriesOf(1, count), `event ${count + 1}`];
      await until(async () => entriesIn(follower, subject).length >= expected.length);
      expect(entriesIn(follower, subject)).toEqual(expected);
    }
  });
}

/** Starts a process that commits events but publishes none, and kills it. */
export async function commitAndKill(place: OutboxPlace): Promise<void> {
  await using victim = emittingProcess(place.address, { isMute: true });
  for (let commit = 0; commit < COMMITS; commit += 1) expect(await victim.says()).toBe('committed');
  await victim.kill();
}
